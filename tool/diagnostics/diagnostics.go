// Package diagnostics has the tool diagnostics: what the language servers of this machine say of source files. A server
// runs in the sandbox for one call: it can read the workspace, has no network, and writes to a folder of caches only.
package diagnostics

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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
	settle      = 1500 * time.Millisecond
)

// Options say where files are and what servers can see.
type Options struct {
	Root   string                // the folder of the workspace
	Hidden []string              // what servers cannot see though it lies in it
	Report func() sandbox.Report // of sandbox.Detect
	Getenv func(string) string   // of this process: PATH, and where caches of modules are
}

// Checks makes the tool for one folder. Close it when no call is running.
type Checks struct {
	Options
	root   string // with its links resolved
	caches string // kept between calls; empty: nothing was checked yet
}

// New makes Checks of a folder. An empty Root has the tool and no folder.
func New(o Options) *Checks {
	c := &Checks{Options: o, root: o.Root}
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

type args struct {
	Path string `json:"path" jsonschema:"the file or folder to check" min:"1" max:"4096"`
}

// Tool is the tool diagnostics. Its calls take turns: a server takes much memory.
func (c *Checks) Tool() (rein.Tool, error) {
	turn := make(chan struct{}, 1)
	return tool.New(tool.Spec{Name: Name, Text: text, Effect: rein.Pure, Code: true, Timeout: callTimeout}, func(ctx context.Context, inv rein.Invocation, a args) (rein.Done, error) {
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-ctx.Done():
			return rein.Done{}, ctx.Err()
		}
		return c.check(ctx, inv, a.Path)
	})
}

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
	lines := []string{fmt.Sprintf("%d files checked, %d problems.", checked, len(found))}
	for i, p := range found {
		if i == maxShown {
			notes = append(notes, fmt.Sprintf("[%d more problems left out]", len(found)-maxShown))
			found = found[:maxShown]
			break
		}
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s: %s", p.Path, p.Line, p.Column, p.Severity, strings.Join(strings.Fields(p.Message), " ")))
	}
	data, err := json.Marshal(found)
	return rein.Done{Text: strings.Join(append(lines, notes...), "\n"), Data: data}, err
}

// ask runs a server in the sandbox and has it look at the files.
func (c *Checks) ask(ctx context.Context, inv rein.Invocation, b batch) ([]Problem, bool, error) {
	found, err := b.find(c.Getenv)
	if err != nil {
		return nil, false, err
	}
	policy, err := c.policy(inv, found)
	if err != nil {
		return nil, false, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // which ends the server and all that it started
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	defer in.Close()
	defer out.Close()
	process, err := sandbox.Start(ctx, c.Report(), policy, sandbox.Command{Argv: found.argv, Dir: b.project, Env: found.env, Stdin: toServer, Stdout: fromServer, Stderr: io.Discard})
	if missing, ok := errors.AsType[*sandbox.MissingError](err); ok {
		return nil, false, rein.Errorf(rein.CodeUnavailable, "language servers run only in the sandbox: %w", missing)
	}
	if err != nil {
		return nil, false, rein.Errorf(rein.CodeUnavailable, "%s was not started: %w", b.Name, err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		result, err := process.Wait()
		fromServer.CloseWithError(fmt.Errorf("exit code %d, %v", result.ExitCode, err))
		toServer.Close()
	}()
	all, complete, err := lsp.Server{In: out, Out: in, Root: b.project, Settings: b.Settings, Settle: settle}.Diagnose(ctx, b.files)
	in.Close()
	out.Close()
	cancel()
	<-ended
	if err != nil {
		return nil, false, rein.Errorf(rein.CodeUnavailable, "%s: %w", b.Name, err)
	}
	return c.problems(all), complete, nil
}

// A hider is a Reach that knows what it hides below a folder.
type hider interface {
	Hidden(folder string) ([]string, error)
}

// policy is what a server can reach: it reads the workspace and writes its caches.
func (c *Checks) policy(inv rein.Invocation, found install) (sandbox.Policy, error) {
	if c.caches == "" {
		dir, err := os.MkdirTemp("", "rein-diagnostics-")
		if err != nil {
			return sandbox.Policy{}, err
		}
		c.caches = dir
	}
	p := sandbox.Policy{Workspace: filepath.Join(c.caches, "work"), Temp: filepath.Join(c.caches, "tmp"), ReadOnly: append([]string{c.root}, found.read...), Hidden: c.Hidden}
	p.Limits.Time = callTimeout
	if h, ok := inv.Reach.(hider); ok {
		hidden, err := h.Hidden(c.root)
		if err != nil {
			return p, err
		}
		p.Hidden = slices.Concat(p.Hidden, hidden)
	}
	return p, errors.Join(os.MkdirAll(p.Workspace, 0o700), os.MkdirAll(p.Temp, 0o700))
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

// Close removes the caches.
func (c *Checks) Close() error {
	if c == nil || c.caches == "" {
		return nil
	}
	return os.RemoveAll(c.caches)
}
