package python_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/sandbox/sandboxtest"
	"rein/tool/python"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

// A desk is the tool as a worker uses it, with a tree that answers what it is told to.
type desk struct {
	*testing.T
	tool rein.Tool

	mu    sync.Mutex
	calls []string
	said  strings.Builder
	block chan struct{} // if it is not nil, waits wait for it
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	if _, err := python.Find(); err != nil {
		t.Skip(err)
	}
	sandboxtest.Need(t)
	made, err := python.New(python.Options{Report: sandboxtest.Report}).Tool()
	if err != nil {
		t.Fatal(err)
	}
	return &desk{T: t, tool: made}
}

func (d *desk) run(ctx context.Context, code string) (rein.Done, error) {
	args, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		d.Fatal(err)
	}
	return d.tool.Do(ctx, rein.Invocation{Run: "r1", Step: "2", Key: "r1:2", Args: args, Tree: d, Say: d.say})
}

func (d *desk) say(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said.WriteString(text)
}

func (d *desk) note(format string, args ...any) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls = append(d.calls, fmt.Sprintf(format, args...))
	return len(d.calls)
}

func (d *desk) Fork(_ context.Context, prompt string) (rein.Forked, error) {
	if prompt == "too many" {
		return rein.Forked{}, rein.Errorf(rein.CodeLimit, "one run too many")
	}
	n := d.note("fork %s", prompt)
	return rein.Forked{Handle: n, Run: "r1.2-fork"}, nil
}

func (d *desk) Wait(ctx context.Context, handle int) (rein.Outcome, error) {
	d.note("wait %d", handle)
	if d.block != nil {
		close(d.block)
		<-ctx.Done()
		return rein.Outcome{}, context.Cause(ctx)
	}
	switch handle {
	case 1:
		return rein.Outcome{End: rein.EndDone, Text: "one"}, nil
	case 2:
		return rein.Outcome{End: rein.EndDeleted}, nil
	}
	return rein.Outcome{}, rein.Errorf(rein.CodeNotFound, "there is no handle %d", handle)
}

func (d *desk) Send(context.Context, rein.RunID, string) (rein.Receipt, error) {
	return rein.Receipt{}, errors.New("nobody sends")
}

// TestPython is what code can return.
//
// Covers: TREE-40 TREE-41
func TestPython(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ code, text, data, wrong string }{
		"value":       {code: "x = 6\nx * 7", text: "Value:\n42", data: `{"value":42}`},
		"nothing":     {code: "x = 6", text: "without a value", data: `{}`},
		"none":        {code: "None", text: "Value:\nnull", data: `{"value":null}`},
		"list":        {code: `{"a": [1, "é", None, 1.5]}`, data: `{"value":{"a":[1,"é",null,1.5]}}`},
		"printed":     {code: "print('hello')\nimport sys\nprint('there', file=sys.stderr)\n1", text: "Printed:\nhello\nthere\n\nValue:\n1"},
		"no JSON":     {code: "{1, 2}", text: "a value of type set cannot be written as JSON", data: `{"repr":"{1, 2}"}`},
		"not a value": {code: "float('nan')", data: `{"repr":"nan"}`},
		"exception":   {code: "def f():\n    return 1 / 0\nprint('before')\nf()", wrong: "line 2, in f\n    return 1 / 0\n           ~~^~~\nZeroDivisionError: division by zero\n\nPrinted before that:\nbefore"},
		"syntax":      {code: "x = = 1", wrong: "SyntaxError"},
		"exit":        {code: "import sys\nsys.exit('no more')", wrong: "SystemExit: no more"},
		"quick exit":  {code: "import os\nos._exit(7)", wrong: "Python exited with code 7"},
		"interrupt":   {code: "raise KeyboardInterrupt()", wrong: "KeyboardInterrupt"},
		"deep":        {code: "def f(): return f()\nf()", wrong: "RecursionError"},
		"fork":        {code: "a, b = fork('A'), fork('B')\nr = [wait(a), wait(b)]\n[r, r[0].end, r[1].end, r[0].ok, r[1].ok, wait(a) == r[0]]", data: `{"value":[["one","[the agent ended as deleted, without a word]"],"done","deleted",true,false,true]}`},
		"unknown":     {code: "wait(9)", wrong: "ForkError: there is no handle 9"},
		"refused":     {code: "try:\n    fork('too many')\nexcept ForkError as e:\n    code = e.code\ncode", data: `{"value":"limit"}`},
		"no text":     {code: "fork(3)", wrong: "TypeError: fork: the prompt must be a text, not int"},
		"no number":   {code: "wait('1')", wrong: "TypeError: wait: the handle must be a number that fork returned, not str"},
		"sets":        {code: "list({'a', 'b', 'c', 'd'}) == list({'a', 'b', 'c', 'd'})", data: `{"value":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			done, err := newDesk(t).run(t.Context(), c.code)
			if c.wrong != "" {
				if err == nil || !strings.Contains(plainError(err), plain(c.wrong)) {
					t.Fatalf("it gave %q, %v", done.Text, err)
				}
				return
			}
			if err != nil || !strings.Contains(done.Text, c.text) || c.data != "" && string(done.Data) != c.data {
				t.Errorf("it gave %q, %s, %v", done.Text, done.Data, err)
			}
		})
	}
}

// plain leaves out the marks under a line of a traceback, which versions of Python set differently.
func plain(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if strings.Trim(line, " ~^\n") != "" {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines, "\n")
}

func plainError(err error) string { return plain(err.Error()) }

// TestLimits wants code that takes too much to be ended, and to hear why.
//
// Covers: TREE-41
func TestLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ code, wrong string }{
		"memory": {"x = bytearray(2 << 30)", "MemoryError"},
		"output": {"import sys\nwhile True: sys.stdout.write('x' * 65536)", "more than 1 MiB of output"},
		"value":  {"'x' * (1 << 20)", ""},
		"file":   {"f = open('big', 'wb')\nfor _ in range(80): f.write(b'x' * (1 << 20))", "File too large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			done, err := newDesk(t).run(t.Context(), c.code)
			switch {
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
				t.Errorf("it gave %.200q, %.500v", done.Text, err)
			case c.wrong == "" && (err != nil || len(done.Text) > 300<<10 || !strings.Contains(done.Text, "its beginning is shown")):
				t.Errorf("it gave %d bytes, %v", len(done.Text), err)
			}
		})
	}
}

// TestPrintsAreShown shows what is printed while the code runs, and keeps the beginning and the end.
//
// Covers: TREE-41
func TestPrintsAreShown(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	done, err := d.run(t.Context(), "print('first')\nfor i in range(20000): print('line', i)\nprint('last')")
	if err != nil || !strings.Contains(done.Text, "first") || !strings.Contains(done.Text, "last") || !strings.Contains(done.Text, "bytes left out") {
		t.Errorf("it gave %.300q, %v", done.Text, err)
	}
	if said := d.said.String(); !strings.Contains(said, "line 19999") {
		t.Errorf("%d bytes were shown", len(said))
	}
}

// TestCancelled ends the interpreter when its call is cancelled, while it works and while it waits.
//
// Covers: TREE-41 TREE-35
func TestCancelled(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{"working": "print('on')\nwhile True: pass", "waiting": "print('on')\nwait(1)"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			if name == "waiting" {
				d.block = make(chan struct{})
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			on, over := make(chan struct{}), make(chan error, 1)
			args, _ := json.Marshal(map[string]string{"code": code})
			var once sync.Once
			go func() {
				_, err := d.tool.Do(ctx, rein.Invocation{Key: "k", Args: args, Tree: d, Say: func(string) { once.Do(func() { close(on) }) }})
				over <- err
			}()
			<-on
			if d.block != nil {
				<-d.block
			}
			cancel(rein.ErrStopped)
			select {
			case err := <-over:
				if !errors.Is(err, rein.ErrStopped) {
					t.Errorf("it ended with %v", err)
				}
			case <-time.After(time.Minute):
				t.Fatal("it goes on")
			}
		})
	}
}

// TestScratchIsEmpty wants nothing to be left of the call before.
func TestScratchIsEmpty(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const code = "import os\nbefore = os.listdir('.')\nopen('left', 'w').write('x')\n[before, os.listdir('.')]"
	for range 2 {
		if done, err := d.run(t.Context(), code); err != nil || string(done.Data) != `{"value":[[],["left"]]}` {
			t.Errorf("it gave %s, %v", done.Data, err)
		}
	}
}
