// Package python has the tool python: it runs code with the CPython of this machine, in the sandbox. The code can fork
// agents and wait for them; it asks for that on pipes of its own, so that nothing it prints can be taken for a call.
package python

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/internal/digest"
	"rein/sandbox"
	"rein/tool"
)

//go:embed python.md
var text string

//go:embed bridge.py
var bridge string

// Name is the name of the tool.
const Name = "python"

// What one call may use. The time is without waits for other runs; see rein.Tree.
const (
	timeout = 2 * time.Minute
	most    = 256 << 10 // of the value's JSON, and of a traceback
	atOnce  = 8         // interpreters
)

var limits = sandbox.Limits{
	CPU: timeout, Memory: 512 << 20, Processes: 64, Files: 256, Temp: 64 << 20, FileSize: 64 << 20, Written: 256 << 20, Output: 1 << 20,
}

// folders are where the system keeps its programs.
var folders = []string{"/usr/bin", "/usr/local/bin", "/bin"}

// Find returns the interpreter of the system.
func Find() (string, error) {
	for _, dir := range folders {
		path := filepath.Join(dir, "python3")
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	return "", rein.Errorf(rein.CodeUnavailable, "there is no python3 in %s: install Python 3 with the packages of the system", strings.Join(folders, ", "))
}

// Options say what runs the code.
type Options struct {
	Find   func() (string, error) // the interpreter; nil: the package's Find
	Report func() sandbox.Report  // of sandbox.Detect
}

// Python makes the tool.
type Python struct {
	Options
	places chan struct{} // one token for each interpreter that works

	mu     sync.Mutex
	folder string // where calls have their scratch folders; empty: none is running
	calls  int
}

// New makes a Python. Without a Report the tool says that it cannot be used.
func New(o Options) *Python {
	if o.Find == nil {
		o.Find = Find
	}
	return &Python{Options: o, places: make(chan struct{}, atOnce)}
}

type args struct {
	Code string `json:"code" jsonschema:"the program; the value of its last expression is returned" min:"1" max:"262144"`
}

// Tool is the tool python.
func (p *Python) Tool() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: Name, Family: "python", Text: text, Effect: rein.Pure, Timeout: timeout, Tree: true}, func(ctx context.Context, inv rein.Invocation, a args) (rein.Done, error) {
		if p.Report == nil {
			return rein.Done{}, rein.Errorf(rein.CodeUnavailable, "Python cannot be run here")
		}
		path, err := p.Find()
		if err != nil {
			return rein.Done{}, err
		}
		scratch, err := p.scratch(inv.Key)
		defer p.clean(scratch)
		if err != nil {
			return rein.Done{}, err
		}
		return p.run(ctx, inv, path, scratch, a.Code)
	})
}

// scratch makes the empty folder of a call. What an earlier attempt left in it is gone.
func (p *Python) scratch(key string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	if p.folder == "" {
		dir, err := os.MkdirTemp("", "rein-python-")
		if err != nil {
			return "", err
		}
		p.folder = dir
	}
	dir := filepath.Join(p.folder, digest.Joined(16, key))
	return dir, errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700))
}

// clean removes the folder of a call, and with the last one the folder of all. What cannot be removed lies in the
// system's temporary folder.
func (p *Python) clean(dir string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if dir != "" {
		_ = os.RemoveAll(dir)
	}
	if p.calls--; p.calls == 0 && p.folder != "" {
		_ = os.RemoveAll(p.folder)
		p.folder = ""
	}
}

// run runs the code to its end and makes a result of it.
func (p *Python) run(ctx context.Context, inv rein.Invocation, path, scratch, code string) (rein.Done, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // which ends the interpreter and all that it started
	seat := &seat{places: p.places}
	if err := seat.take(ctx); err != nil {
		return rein.Done{}, err
	}
	defer seat.leave()
	logs := &logs{say: inv.Say}
	c, err := p.start(ctx, path, scratch, logs)
	if missing, ok := errors.AsType[*sandbox.MissingError](err); ok {
		return rein.Done{}, rein.Errorf(rein.CodeUnavailable, "Python runs only in the sandbox: %w", missing)
	}
	if err != nil {
		return rein.Done{}, rein.Errorf(rein.CodeUnavailable, "Python was not started: %w", err)
	}
	c.seat = seat
	last, err := c.serve(ctx, inv.Tree, code)
	cause := context.Cause(ctx)
	if err != nil && !errors.Is(err, errGone) {
		cancel()
	}
	result, waited := c.close()
	switch {
	case last != nil && (last.Error == "" || result.Ended == ""): // else what ended it comes before what it saw of that
		return last.done(logs)
	case cause != nil:
		return rein.Done{}, cause
	case errors.Is(err, errForged):
		return rein.Done{}, logs.after(err)
	}
	return rein.Done{}, logs.after(errors.New(ended(result, waited)))
}

// ended says how an interpreter ended that returned nothing.
func ended(r sandbox.Result, err error) string {
	words := map[string]string{
		sandbox.Memory: "it used more than 512 MiB of memory", sandbox.Output: "it wrote more than 1 MiB of output",
		sandbox.Written: "it wrote more than 256 MiB to its folder", sandbox.DiskFull: "the disk is full", sandbox.Canceled: "it was cancelled",
	}
	switch {
	case r.Ended != "" && words[r.Ended] != "":
		return "Python was ended: " + words[r.Ended]
	case r.Signal != 0:
		return fmt.Sprintf("Python was ended by signal %d, perhaps because it used too much memory or processor time", r.Signal)
	case err != nil:
		return "Python was ended: " + err.Error()
	}
	return fmt.Sprintf("Python exited with code %d before the code came to its end", r.ExitCode)
}

// A seat is one of the places for interpreters that work, which take memory. A call that waits for another run leaves
// it: that run may need one too.
type seat struct {
	places chan struct{}
	taken  bool
}

func (s *seat) take(ctx context.Context) error {
	select {
	case s.places <- struct{}{}:
		s.taken = true
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *seat) leave() {
	if s.taken {
		<-s.places
		s.taken = false
	}
}

// Returned is the Data of the tool.
type Returned struct {
	Value   json.RawMessage `json:"value,omitempty"` // of the last expression
	Repr    string          `json:"repr,omitempty"`  // in its place, if it has no JSON
	Printed string          `json:"printed,omitempty"`
}

// done makes the result of what the code came to.
func (f *frame) done(logs *logs) (rein.Done, error) {
	if f.Error != "" {
		return rein.Done{}, logs.after(errors.New(strings.TrimSpace(f.Error)))
	}
	data := Returned{Value: f.Value, Repr: f.Repr, Printed: logs.String()}
	var parts []string
	if data.Printed != "" {
		parts = append(parts, "Printed:\n"+strings.TrimRight(data.Printed, "\n"))
	}
	switch {
	case f.Repr != "":
		parts = append(parts, "Value ("+f.Note+"):\n"+f.Repr)
	case f.Value != nil:
		parts = append(parts, "Value:\n"+string(f.Value))
	case data.Printed == "":
		parts = append(parts, "It ended without a value and printed nothing. End the code with an expression to return its value.")
	}
	raw, err := json.Marshal(data)
	return rein.Done{Text: strings.Join(parts, "\n\n"), Data: raw}, err
}
