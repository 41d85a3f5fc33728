package feed_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"rein"
	rigs "rein/internal/rig"
	"rein/journal/feed"
	"rein/store"
)

// A rig is a feed of a real store, whose runs the test drives by hand.
type rig struct{ *rigs.Rig }

func newRig(t *testing.T) *rig {
	t.Helper()
	return &rig{rigs.Open(t, rigs.Options{})}
}

// start starts runs, each claimed by the test with epoch 1.
func (r *rig) start(ids ...rein.RunID) {
	r.Helper()
	for _, id := range ids {
		start := store.Start{Run: id, At: time.Now(), Claim: true, Start: rein.RunStart{Task: rein.Task{Flow: "answer"}}}
		if id.Parent() == "" {
			budget := rein.MaxBudget()
			start.Start.Task.Budget = &budget
		}
		if _, _, err := r.Store.Start(context.Background(), start); err != nil {
			r.Fatal(err)
		}
	}
}

func (r *rig) append(id rein.RunID, drafts ...store.Draft) {
	r.Helper()
	info, err := r.Store.Run(context.Background(), id)
	if err != nil {
		r.Fatal(err)
	}
	for i := range drafts {
		drafts[i].At = time.Now()
	}
	if _, err := r.Store.Append(context.Background(), store.Batch{Run: id, Epoch: 1, Seen: info.Command, Drafts: drafts}); err != nil {
		r.Fatal(err)
	}
}

func began(step rein.StepKey) store.Draft { return store.Draft{Kind: rein.StepStarted, Step: step} }

func done(step rein.StepKey, text string) store.Draft {
	return store.Draft{Kind: rein.StepDone, Step: step, Data: rein.StepEnd{Message: &rein.Message{Role: rein.Assistant, Text: text}}}
}

func ended() store.Draft {
	end := &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}}
	return store.Draft{Kind: rein.RunCompleted, Data: end, Status: rein.Status(rein.EndDone), Outcome: end}
}

func (r *rig) say(run rein.RunID, step rein.StepKey, attempt, offset int, text string) {
	r.Feed.OnDelta(rein.Delta{Run: run, Step: step, Attempt: attempt, Offset: offset, Text: text})
}

// log returns what the store has of a run.
func (r *rig) log(id rein.RunID) []string {
	r.Helper()
	var out []string
	for e, err := range r.Store.Events(context.Background(), id, 0) {
		if err != nil {
			r.Fatal(err)
		}
		out = append(out, show(feed.Line{Event: &e}))
	}
	return out
}

// show writes a line as one word.
func show(l feed.Line) string {
	switch {
	case l.Event != nil:
		return fmt.Sprintf("%s:%d %s %s", l.Event.Run, l.Event.Seq, l.Event.Kind, l.Event.Step)
	case l.Delta != nil:
		return fmt.Sprintf("%s %s %d@%d %s", l.Delta.Run, l.Delta.Step, l.Delta.Attempt, l.Delta.Offset, l.Delta.Text)
	}
	return "idle"
}

// A reader follows in a goroutine of its own and hands over one line at a time.
type reader struct {
	*rig
	lines  chan feed.Line
	err    chan error // what the feed ended with
	cancel context.CancelFunc
}

func (r *rig) follow(run rein.RunID, o feed.Options) *reader {
	ctx, cancel := context.WithCancel(context.Background())
	f := &reader{rig: r, lines: make(chan feed.Line), err: make(chan error, 1), cancel: cancel}
	go func() {
		var last error
		for line, err := range r.Feed.Follow(ctx, run, o) {
			if err != nil {
				last = err
				break
			}
			select {
			case f.lines <- line:
			case <-ctx.Done():
			}
		}
		f.err <- last
	}()
	r.Cleanup(cancel)
	return f
}

// patience is never waited for unless something is wrong.
const patience = 30 * time.Second

// next returns the next line.
func (f *reader) next() feed.Line {
	f.Helper()
	select {
	case line := <-f.lines:
		return line
	case err := <-f.err:
		f.Fatalf("the feed ended: %v", err)
	case <-time.After(patience):
		f.Fatal("no line came")
	}
	return feed.Line{}
}

func (f *reader) want(lines ...string) {
	f.Helper()
	for _, want := range lines {
		if got := show(f.next()); got != want {
			f.Fatalf("line is %q, want %q", got, want)
		}
	}
}

// wantEnd checks that nothing more comes than the end.
func (f *reader) wantEnd(code rein.Code) {
	f.Helper()
	select {
	case line := <-f.lines:
		f.Fatalf("line %q comes, want the end", show(line))
	case err := <-f.err:
		if rein.CodeOf(err) != code {
			f.Fatalf("the feed ended with %v, want code %q", err, code)
		}
	case <-time.After(patience):
		f.Fatal("the feed does not end")
	}
}
