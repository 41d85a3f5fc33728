package flow_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/internal/flowtest"
	"rein/internal/labs"
	"rein/store"
)

// Whatever people say to a run after any one of its events: it comes to an end, what it sends a model
// stays a valid transcript, it can be replayed, and everybody is told what became of what they said.
//
// Covers: LAW-4 LAW-6 TAB-B7
func TestDisturbed(t *testing.T) {
	for _, name := range sampled {
		for _, kind := range []rein.CommandKind{rein.CommandModify, rein.CommandMessage, rein.CommandStop, rein.CommandPause} {
			t.Run(name+"/"+string(kind), func(t *testing.T) {
				t.Parallel()
				for n := 1; !labs.Cell(n, 5) || disturb(t, sceneFile(name), kind, int64(n)); n++ {
					if t.Failed() {
						return
					}
				}
			})
		}
	}
}

// disturb plays a scene and sends its run a command after the nth event. It reports whether there
// were so many.
func disturb(t *testing.T, file string, kind rein.CommandKind, n int64) bool {
	scene := flowtest.ReadScene(t, file)
	w := staged(t, []time.Duration{time.Minute, engine.NoGrace}[n%2], scene)
	tweak := w.Tweak
	var d *disturbed
	w.Tweak = func(o *engine.Options) {
		tweak(o)
		d = &disturbed{Store: o.Store, at: n, stored: make(chan struct{}), command: rein.Command{Kind: kind, By: "ann", Text: "Something else.", Key: "disturbed"}}
		o.Store = d
	}
	w.Begin()
	d.send = w.Engine.Command
	where := fmt.Sprintf("%s after event %d", kind, n)
	next := 0
	start := func() {
		next++
		w.Start(rein.RunID(fmt.Sprintf("r%d", next)), scene.Tasks[next-1])
	}
	start()
	var resuming sync.WaitGroup
	w.Until(where+": the end of all runs", func(e rein.Event) bool {
		switch {
		case e.Kind == rein.CommandPause.EventKind() && e.Run.Depth() == 0:
			resuming.Go(func() { resumeAtRest(t, w, e.Run) })
			return false
		case e.Kind == rein.RunBlocked:
			t.Errorf("%s: run %s is blocked: %s", where, e.Run, e.Data)
			return true
		case e.Kind == rein.AskOpened:
			answerAsk(t, w.Engine, scene, e)
		case !e.Kind.Ends():
			return false
		default:
			wantOwnEnd(t, where, e)
		}
		if !allEnded(t, w.Store) {
			return false
		}
		if next < len(scene.Tasks) {
			start()
			return false
		}
		return true
	})
	resuming.Wait()
	w.Verify()
	if to := d.sent.Load(); to != nil {
		wantReceipt(t, w, where, *to, kind)
	}
	w.Kill()
	return d.came.Load() >= n
}

// resumeAtRest lets a paused run go on when nothing happens in its tree any more: what it waits for came
// meanwhile. What began after the pause was under way when it came.
func resumeAtRest(t *testing.T, w *enginetest.World, run rein.RunID) {
	for resting := false; !resting; {
		resting = true
		for info, err := range w.Store.Runs(context.Background(), store.Filter{Tree: run, Unfinished: true}) {
			if err != nil {
				t.Error(err)
				return
			}
			if !info.Paused && info.Ending == "" {
				t.Errorf("run %s is not paused", info.ID)
			}
			parked := info.Status == rein.StatusWaiting && (info.WakeAt.IsZero() || info.WakeAt.After(time.Now()))
			resting = resting && (parked || w.Engine.Waiting(info.ID))
		}
		runtime.Gosched()
	}
	if err := w.Engine.Resume(context.Background(), run, "ann"); err != nil {
		t.Errorf("resume %s: %v", run, err)
	}
}

func allEnded(t *testing.T, s store.Store) bool {
	for info, err := range s.Runs(context.Background(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if !info.Status.Ended() {
			return false
		}
	}
	return true
}

// disturbed sends a command once the nth event is written, before its driver can go on.
type disturbed struct {
	engine.Store
	at      int64
	came    atomic.Int64
	command rein.Command
	send    func(context.Context, rein.Command) (rein.Receipt, error)
	sent    atomic.Pointer[rein.RunID]
	stored  chan struct{}
}

func (d *disturbed) Append(ctx context.Context, b store.Batch) ([]rein.Event, error) {
	events, err := d.Store.Append(ctx, b)
	now := d.came.Add(int64(len(events)))
	if before := now - int64(len(events)); err == nil && before < d.at && d.at <= now {
		c := d.command
		c.Run = b.Run.Root()
		go d.send(context.Background(), c) // it may be too late for the run
		<-d.stored
	}
	return events, err
}

func (d *disturbed) Command(ctx context.Context, c rein.Command, at time.Time) (rein.Receipt, error) {
	receipt, err := d.Store.Command(ctx, c, at)
	if c.Key == d.command.Key {
		if err == nil {
			d.sent.Store(&c.Run)
		}
		close(d.stored)
	}
	return receipt, err
}

// wantOwnEnd says that no run may end because a flow broke.
func wantOwnEnd(t *testing.T, where string, e rein.Event) {
	var end rein.RunEnd
	if err := json.Unmarshal(e.Data, &end); err != nil {
		t.Fatal(err)
	}
	if end.Failure != nil && (end.Failure.Code == rein.CodeInternal || strings.Contains(end.Failure.Msg, "interrupted")) {
		t.Errorf("%s: run %s failed with %v", where, e.Run, *end.Failure)
	}
}

func answerAsk(t *testing.T, e *engine.Engine, scene *flowtest.Scene, ev rein.Event) {
	var ask rein.Ask
	if err := json.Unmarshal(ev.Data, &ask); err != nil {
		t.Fatal(err)
	}
	_, err := e.Command(context.Background(), scene.Answer(ask))
	switch rein.CodeOf(err) {
	case "", rein.CodeClosed, rein.CodeFinished:
	default:
		t.Errorf("answer %s: %v", ask.ID, err)
	}
}

// wantReceipt says what must have become of the command: it was heard, unless the flow had nothing more
// to do when it came.
func wantReceipt(t *testing.T, w *enginetest.World, where string, run rein.RunID, kind rein.CommandKind) {
	receipts, err := w.Store.Receipts(context.Background(), run)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(receipts, func(r rein.Receipt) bool { return r.Kind == kind })
	if i < 0 {
		t.Fatalf("%s: there is no receipt", where)
	}
	after := w.Events(run)[receipts[i].Command.Seq():]
	completed := after[len(after)-1].Kind == rein.RunCompleted
	began := slices.ContainsFunc(after, func(e rein.Event) bool { return e.Kind == rein.StepStarted })
	switch r := receipts[i]; {
	case r.State == rein.ReceiptPending:
		t.Errorf("%s: the receipt is %+v", where, r)
	case kind.Ends() != "" && completed:
		t.Errorf("%s: the run came to its own end", where)
	case r.State == rein.ReceiptNotApplied && completed && (began || kind == rein.CommandMessage):
		t.Errorf("%s: it was not heard, although the run went on to its own end", where)
	}
}
