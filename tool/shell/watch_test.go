package shell_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"

	"rein"
	"rein/tool/shell"
)

// A watched counts what is recorded of commands.
type watched struct{ recorded atomic.Int32 }

func (*watched) Uncovered(context.Context, rein.Invocation) (string, error) { return ".git", nil }

func (w *watched) Begin(context.Context, rein.Invocation) (shell.Watch, error) { return w, nil }

func (w *watched) End(context.Context) (shell.Changes, error) {
	return shell.Changes{Record: func(context.Context) error {
		w.recorded.Add(1)
		return nil
	}}, nil
}

// What a command in the background changed is recorded when it ends: nobody else does, and what people write later would
// count as the command's. The approval says what an undo of it covers.
func TestBackgroundIsRecorded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	w := &watched{}
	r.options.Watch = w
	jobs := r.jobs(filepath.Join(t.TempDir(), "commands"))
	r.has(r.shown(map[string]any{"command": "true", "background": true}).Text, "When it has ended", "anybody else", "except: .git")
	r.has(r.shown(line("true")).Text, "What it changes in the workspace can be undone, except: .git.")
	r.begin("true")
	if err := jobs.Close(); err != nil {
		t.Fatal(err)
	}
	if n := w.recorded.Load(); n != 1 {
		t.Errorf("recorded %d times", n)
	}
}
