// Package diagnostics has the tool diagnostics: what the language servers of this machine say of source files. A server
// runs in the sandbox: it can read the workspace, has no network, and writes to a folder of caches only. It is kept for
// the next call, and ends when it was idle for a while.
package diagnostics

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rein"
	"rein/sandbox"
	"rein/tool"
	"rein/tool/diagnostics/lsp"
)

//go:embed diagnostics.md
var text string

// Name is the name of the tool.
const Name = "diagnostics"

const (
	maxShown = 100
	// checkTime ends a check; callTimeout is for the call, which has then still time to answer.
	checkTime   = 60 * time.Second
	callTimeout = 75 * time.Second
	settle      = time.Second
)

// Options say where files are and what servers can see.
type Options struct {
	Root   string                // the folder of the workspace
	Hidden []string              // what servers cannot see though it lies in it
	Report func() sandbox.Report // of sandbox.Detect
	Getenv func(string) string   // of this process: PATH, and where caches of modules are
	Wait   time.Duration         // how long a call that wrote files waits for what is said of them; zero: 8 s
	Idle   time.Duration         // after which a server ends that nobody asked; zero: 2 minutes
}

// Checks makes the tool for one folder. Close it when no call is running.
type Checks struct {
	Options
	root   string        // with its links resolved
	turn   chan struct{} // holds something while servers are used: they take much memory
	caches string        // kept between calls; empty: nothing was checked yet
	live   []*live       // the servers that run, the one that was used last at the end
	closed bool
}

// New makes Checks of a folder. An empty Root has the tool and no folder.
func New(o Options) *Checks {
	c := &Checks{Options: o, root: o.Root, turn: make(chan struct{}, 1)}
	if real, err := filepath.EvalSymlinks(o.Root); err == nil {
		c.root = real
	}
	return c
}

// Problem is one element of the Data of the tool.
type Problem struct {
	Path     string `json:"path"` // from the workspace, with slashes
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Source   string `json:"source,omitempty"`
}

// String is the problem on one line.
func (p Problem) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.Path, p.Line, p.Column, p.says())
}

// says is the problem without its place.
func (p Problem) says() string {
	return p.Severity + ": " + strings.Join(strings.Fields(p.Message), " ")
}

// count is a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

type args struct {
	Path string `json:"path" jsonschema:"the file or folder to check" min:"1" max:"4096"`
}

// Tool is the tool diagnostics. Its calls take turns.
func (c *Checks) Tool() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: Name, Family: "shell", Text: text, Effect: rein.Pure, Code: true, Timeout: callTimeout}, func(ctx context.Context, inv rein.Invocation, a args) (rein.Done, error) {
		if err := c.take(ctx); err != nil {
			return rein.Done{}, err
		}
		defer c.give()
		return c.check(ctx, inv, a.Path)
	})
}

// take waits for a turn; give ends it.
func (c *Checks) take(ctx context.Context) error {
	select {
	case c.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Checks) give() { <-c.turn }

func (c *Checks) check(ctx context.Context, inv rein.Invocation, path string) (rein.Done, error) {
	if c.root == "" {
		return rein.Done{}, rein.Errorf(rein.CodeUnavailable, "there is no folder of files here")
	}
	batches, more, err := c.collect(inv, path)
	if err != nil {
		return rein.Done{}, err
	}
	limited, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	found, notes := []Problem{}, []string{}
	checked := 0
	for _, b := range batches {
		problems, complete, err := c.ask(limited, inv, b)
		if ctx.Err() != nil {
			return rein.Done{}, ctx.Err()
		}
		if err != nil && len(batches) == 1 {
			return rein.Done{}, err
		}
		if err != nil {
			notes = append(notes, fmt.Sprintf("[%s: %v]", b.Name, err))
			continue
		}
		if !complete {
			notes = append(notes, fmt.Sprintf("[%s did not finish in %s: there may be more]", b.Name, checkTime))
		}
		checked += len(b.files)
		found = append(found, problems...)
	}
	if more > 0 {
		notes = append(notes, fmt.Sprintf("[%d more files were not checked: name a folder below]", more))
	}
	return report(found, checked, notes)
}

// report is the result for the model and for programs.
func report(found []Problem, checked int, notes []string) (rein.Done, error) {
	lines := []string{fmt.Sprintf("%s checked, %s.", count(checked, "file"), count(len(found), "problem"))}
	for i, p := range found {
		if i == maxShown {
			notes = append(notes, fmt.Sprintf("[%d more problems left out]", len(found)-maxShown))
			found = found[:maxShown]
			break
		}
		lines = append(lines, p.String())
	}
	data, err := json.Marshal(found)
	return rein.Done{Text: strings.Join(append(lines, notes...), "\n"), Data: data}, err
}

// ask has a server look at the files.
func (c *Checks) ask(ctx context.Context, inv rein.Invocation, b batch) ([]Problem, bool, error) {
	s, err := c.serve(inv, b)
	if err != nil {
		return nil, false, err
	}
	all, complete, err := s.Diagnose(ctx, b.files, s.changed())
	if err != nil {
		c.end(s) // the next call starts another
		return nil, false, rein.Errorf(rein.CodeUnavailable, "%s: %w", b.Name, err)
	}
	c.rest(s)
	return c.problems(all), complete, nil
}

// problems are diagnostics with paths from the workspace.
func (c *Checks) problems(all []lsp.Diagnostic) []Problem {
	list := make([]Problem, len(all))
	for i, d := range all {
		rel, err := filepath.Rel(c.root, d.Path)
		if err != nil {
			rel = d.Path
		}
		list[i] = Problem{filepath.ToSlash(rel), d.Line, d.Column, d.Severity, d.Message, d.Source}
	}
	return list
}

// Close ends the servers and removes their caches.
func (c *Checks) Close() error {
	if c == nil {
		return nil
	}
	c.turn <- struct{}{} // whoever has it gives it back soon
	defer c.give()
	c.closed = true
	for len(c.live) > 0 {
		c.end(c.live[0])
	}
	if c.caches == "" {
		return nil
	}
	return os.RemoveAll(c.caches)
}
