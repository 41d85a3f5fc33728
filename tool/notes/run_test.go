package notes_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/model/script"
)

// serve runs an engine over the rig's store until stop is called.
func (r *rig) serve(model *script.Model, tools map[string]rein.Tool) (*engine.Engine, func()) {
	r.t.Helper()
	e, err := engine.New(engine.Options{
		Store: r.store, Flows: flow.All(), Dispatch: &local.Dispatcher{}, DrainGrace: engine.NoGrace,
		Worker: &work.Worker{Models: map[string]rein.Model{"": model}, Tools: tools, Reach: reachOf(r.t, r.dir)},
	})
	check(r.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()
	return e, func() {
		cancel()
		check(r.t, <-served)
	}
}

func (r *rig) start(e *engine.Engine, id rein.RunID, session string) {
	r.t.Helper()
	_, err := e.Start(r.t.Context(), id, rein.Task{
		Flow: "operate", Household: "home", User: "ann", Session: session, Tools: r.names,
		Messages: []rein.Message{{Role: rein.User, Text: "Write it."}},
	})
	check(r.t, err)
}

// ask waits until a run asks, and returns what it asks.
func (r *rig) ask() rein.Ask {
	r.t.Helper()
	select {
	case ask := <-r.asks:
		return ask
	case <-time.After(30 * time.Second):
		r.t.Fatal("nothing was asked")
		return rein.Ask{}
	}
}

// waitFor waits until an event of the kind was written, of all that nobody has waited for.
func (r *rig) waitFor(kind rein.Kind) {
	r.t.Helper()
	timeout := time.After(30 * time.Second)
	for {
		select {
		case got := <-r.kinds:
			if got == kind {
				return
			}
		case <-timeout:
			r.t.Fatalf("no %s was written", kind)
		}
	}
}

func (r *rig) approve(e *engine.Engine, id rein.RunID, ask rein.Ask) {
	r.t.Helper()
	_, err := e.Command(r.t.Context(), ask.Reply(rein.Answer{State: rein.AskApproved, By: "ann"}))
	check(r.t, err)
}

func (r *rig) wait(e *engine.Engine, id rein.RunID) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 30*time.Second)
	defer cancel()
	_, err := e.Wait(ctx, id)
	check(r.t, err)
}

// results returns what each call of a run came to.
func (r *rig) results(id rein.RunID) string {
	r.t.Helper()
	var told []string
	for ev, err := range r.store.Events(r.t.Context(), id, 0) {
		check(r.t, err)
		if ev.Kind != rein.StepDone {
			continue
		}
		if end, err := rein.Payload[rein.StepEnd](ev); err == nil && end.Result != nil {
			told = append(told, string(end.Result.Status)+" "+end.Result.Text)
		}
	}
	return strings.Join(told, "\n")
}

const story = `
when results=0
call append_note {"path": "a.md", "text": "two"}
call write_note {"path": "new/b.md", "content": "b\n"}

when results=2
call commit_staged_changes {}

when
say Done.
`

// In a run, staging asks nobody; the commit shows the diff and waits; then the notes are on the disk,
// nothing is staged any more, and the ID in the result undoes it in another session of the user.
//
// Covers: HUM-34
func TestCommitInARun(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "one\n")
	model, err := script.Parse("m", []byte(story))
	check(t, err)
	e, stop := r.serve(model, r.tools)
	r.start(e, "r1", "s1")
	ask := r.ask()
	for _, want := range []string{"Allow commit_staged_changes?", "2 notes would be written", "+++ a.md\n@@ -1,1 +1,2 @@\n one\n+two\n", "+++ new/b.md"} {
		if !strings.Contains(ask.Text, want) {
			t.Errorf("shown is %s\nwant %q", ask.Text, want)
		}
	}
	if r.disk("a.md") != "one\n" || len(r.files()) != 1 {
		t.Error("the disk was touched before anybody agreed")
	}
	r.approve(e, "r1", ask)
	r.wait(e, "r1")
	if r.disk("a.md") != "one\ntwo\n" || r.disk("new/b.md") != "b\n" {
		t.Errorf("%q; %s", r.files(), r.results("r1"))
	}
	if got := r.must("staged_changes", `{}`); !strings.Contains(got, "Nothing is staged.") {
		t.Error(got)
	}
	var done struct{ ID string }
	for line := range strings.Lines(r.results("r1")) {
		if text, ok := strings.CutPrefix(line, "ok "); ok && strings.Contains(text, `"id":`) {
			check(t, json.Unmarshal([]byte(text), &done))
		}
	}
	stop()

	model, err = script.Parse("m", []byte("when results=0\ncall undo_commit {\"id\": "+quoted(done.ID)+"}\n\nwhen\nsay Done.\n"))
	check(t, err)
	e, stop = r.serve(model, r.tools)
	defer stop()
	r.start(e, "r2", "s2")
	ask = r.ask()
	if !strings.Contains(ask.Text, "-two\n") || !strings.Contains(ask.Text, "- new/b.md: removed") {
		t.Errorf("shown is %s", ask.Text)
	}
	r.approve(e, "r2", ask)
	r.wait(e, "r2")
	if r.disk("a.md") != "one\n" || len(r.files()) != 1 {
		t.Errorf("%q; %s", r.files(), r.results("r2"))
	}
}

// The process ends after the notes were written and before that was recorded. The next one finds that
// it happened, asks nobody again, writes nothing again, and settles what was staged.
//
// Covers: HUM-34
func TestCommitIsCheckedAfterACrash(t *testing.T) {
	for _, happened := range []bool{true, false} {
		r := newRig(t)
		r.write("a.md", "one\n")
		model, err := script.Parse("m", []byte(story))
		check(t, err)
		cut := maps.Clone(r.tools)
		reached := make(chan struct{})
		tool := cut["commit_staged_changes"]
		do := tool.Do
		tool.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			if happened {
				if _, err := do(ctx, inv); err != nil {
					t.Error(err)
				}
			}
			close(reached)
			<-ctx.Done()
			return rein.Done{}, ctx.Err()
		}
		cut[tool.Name] = tool
		e, stop := r.serve(model, cut)
		r.start(e, "r1", "s1")
		r.approve(e, "r1", r.ask())
		<-reached
		stop()
		if happened {
			check(t, os.Remove(filepath.Join(r.dir, "new/b.md"))) // the user deletes it meanwhile
		}
		e, stop = r.serve(model, r.tools)
		r.wait(e, "r1")
		stop()
		if !strings.Contains(r.results("r1"), `ok {"ok":true,"id":"r1:`) || r.disk("a.md") != "one\ntwo\n" {
			t.Errorf("happened %v: %s", happened, r.results("r1"))
		}
		if _, err := os.Stat(filepath.Join(r.dir, "new/b.md")); (err == nil) == happened {
			t.Errorf("happened %v: it was written again: %v", happened, err)
		}
		if got := r.must("staged_changes", `{}`); !strings.Contains(got, "Nothing is staged.") {
			t.Error(got)
		}
	}
}

// What is committed is what was named: other changes are refused, and the person is told.
func TestCommitOnlyThese(t *testing.T) {
	r := newRig(t)
	r.must("write_note", `{"path":"a.md","content":"a"}`)
	var staged struct{ Changes string }
	check(t, json.Unmarshal([]byte(r.must("staged_changes", `{}`)), &staged))
	r.must("write_note", `{"path":"b.md","content":"b"}`)
	args := `{"changes":` + quoted(staged.Changes) + `,"household":"home","user":"ann","session":"s1"}`
	if got, err := r.shown("commit_staged_changes", args); rein.CodeOf(err) != rein.CodeConflict || got != "" {
		t.Errorf("%q %v", got, err)
	}
	if _, err := r.call("commit_staged_changes", args); rein.CodeOf(err) != rein.CodeConflict || len(r.files()) > 0 {
		t.Errorf("%v %q", err, r.files())
	}
	r.must("discard_staged_changes", `{"paths":["b.md"]}`)
	if got, err := r.shown("commit_staged_changes", args); err != nil || !strings.Contains(got, "+++ a.md") {
		t.Errorf("%q %v", got, err)
	}
	r.must("commit_staged_changes", args)
	if r.disk("a.md") != "a" {
		t.Error("nothing was written")
	}
	if got, err := r.shown("commit_staged_changes", `{}`); rein.CodeOf(err) != rein.CodeInvalid || got != "" {
		t.Errorf("nothing is staged: %q %v", got, err)
	}
}

// Nobody is shown what is another's, and a call that does not say what was shown writes nothing.
func TestShownToItsOwner(t *testing.T) {
	r := newRig(t)
	r.must("write_note", `{"path":"a.md","content":"a"}`)
	inv := r.invocation(`{"household":"home","user":"ann","session":"s1"}`)
	inv.Task = &rein.Task{Household: "home", User: "bob", Session: "s1"}
	if shown, err := r.tools["commit_staged_changes"].Show(t.Context(), inv); err == nil {
		t.Errorf("bob is shown %q", shown.Text)
	}
	for _, args := range []string{``, `{}`, `{"shown":""}`, `{"shown":"0000"}`} {
		if _, err := r.tools["commit_staged_changes"].Do(t.Context(), r.invocation(args)); err == nil || len(r.files()) > 0 {
			t.Errorf("%s: written as %q, %v", args, r.files(), err)
		}
	}
}
