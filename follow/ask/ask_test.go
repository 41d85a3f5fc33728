package ask_test

import (
	"bytes"
	"context"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/follow/ask"
	rigs "rein/internal/rig"
	"rein/store"
)

const patience = 30 * time.Second

// inquire asks what the task says and ends with what came of it.
func inquire(run rein.Run, task rein.Task) (rein.Outcome, error) {
	answer, err := run.AskUser(rein.Question{Text: task.Messages[0].Text, For: task.Messages[0].Note})
	return rein.Outcome{Text: string(answer.State) + " " + answer.Text}, err
}

// silent is a model that nobody calls.
type silent struct{ rein.Model }

func (silent) Info() rein.ModelInfo { return rein.ModelInfo{Name: "silent"} }

// A rig is an engine whose runs ask one question each.
type rig struct {
	*rigs.Rig
	ctx context.Context
	log *syncBuffer
}

func newRig(t *testing.T) *rig {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	r := rigs.Open(t, rigs.Options{})
	r.Begin(engine.Options{Grace: engine.NoGrace, Flows: map[string]rein.Flow{"inquire": {Do: inquire}}, Worker: rigs.Worker(silent{}, nil)})
	return &rig{r, ctx, &syncBuffer{}}
}

// serve starts a handler; stop ends it.
func (r *rig) serve(h ask.Handler, o ask.Options) (stop func()) {
	ctx, cancel := context.WithCancel(r.ctx)
	o.Log = slog.New(slog.NewTextHandler(r.log, nil))
	served := make(chan error, 1)
	go func() { served <- ask.Serve(ctx, r.Store, r.Engine, h, o) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-served; err != nil {
			r.Error(err)
		}
	})
	r.Cleanup(stop)
	return stop
}

func (r *rig) start(id rein.RunID, question, to string) {
	r.Helper()
	task := rein.Task{Flow: "inquire", Messages: []rein.Message{{Role: rein.User, Text: question, Note: to}}}
	if _, err := r.Engine.Start(r.ctx, id, task); err != nil {
		r.Fatal(err)
	}
}

// untilOpen waits until so many questions are open.
func (r *rig) untilOpen(n int) {
	r.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; runtime.Gosched() {
		open, err := r.Store.Asks(r.ctx, store.AskFilter{Pending: true})
		if err == nil && len(open) == n {
			return
		}
		if err != nil || time.Now().After(deadline) {
			r.Fatalf("open: %v %v", open, err)
		}
	}
}

func (r *rig) wantEnd(id rein.RunID, want string) {
	r.Helper()
	end, err := r.Engine.Wait(r.ctx, id)
	if got := string(end.End) + " " + end.Text; err != nil || got != want {
		r.Errorf("run %s ended as %q (%v), want %q", id, got, err, want)
	}
}

// A run's question holds up no other: the first is answered last.
//
// Covers: TREE-51 TREE-52
func TestTwoRunsAskAtOnce(t *testing.T) {
	r := newRig(t)
	second := make(chan struct{})
	r.serve(func(ctx context.Context, run rein.RunID, q rein.Ask) (string, bool) {
		if run == "a" {
			select {
			case <-second:
			case <-ctx.Done():
				return "", false
			}
		}
		return q.Text + " for " + string(run), true
	}, ask.Options{By: "program"})
	r.start("a", "first", "")
	r.start("b", "second", "")
	r.wantEnd("b", "done answered second for b")
	close(second)
	r.wantEnd("a", "done answered first for a")
}

// Covers: TREE-51 TREE-52
func TestEndsOfAHandler(t *testing.T) {
	for name, c := range map[string]struct {
		handler ask.Handler
		want    string
		logged  string
	}{
		"an answer": {func(context.Context, rein.RunID, rein.Ask) (string, bool) { return "blue", true }, "done answered blue", ""},
		"a decline": {func(context.Context, rein.RunID, rein.Ask) (string, bool) { return "not today", false }, "done declined not today", ""},
		"a panic":   {func(context.Context, rein.RunID, rein.Ask) (string, bool) { panic("oh no") }, "done declined ", "oh no"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.start("a", "Which colour?", "") // it asks before there is anyone to answer
			stop := r.serve(c.handler, ask.Options{})
			r.wantEnd("a", c.want)
			stop()
			if log := r.log.String(); c.logged == "" && log != "" || !strings.Contains(log, c.logged) {
				t.Errorf("logged: %s", log)
			}
		})
	}
}

// Without a handler a question stays open, also one whose handler is shut down, and one that is for
// somebody else.
//
// Covers: TREE-51
func TestWhatStaysOpen(t *testing.T) {
	r := newRig(t)
	begun := make(chan struct{})
	stop := r.serve(func(ctx context.Context, run rein.RunID, _ rein.Ask) (string, bool) {
		if run == "hers" {
			t.Error("ann's question was put to bob")
		}
		close(begun)
		<-ctx.Done() // shut down
		return "", false
	}, ask.Options{By: "bob"})
	r.start("hers", "Yours?", "ann")
	r.start("a", "Which colour?", "")
	<-begun
	r.untilOpen(2) // hers is asked whenever its run gets to it
	stop()
	r.untilOpen(2)
	r.serve(func(context.Context, rein.RunID, rein.Ask) (string, bool) { return "red", true }, ask.Options{By: "ann"})
	r.wantEnd("a", "done answered red")
	r.wantEnd("hers", "done answered red")
}

// Somebody else is faster: the handler's context ends, what it says is not sent, and nothing is wrong.
//
// Covers: TREE-52
func TestAnsweredByAnother(t *testing.T) {
	r := newRig(t)
	begun, over := make(chan rein.Ask, 1), make(chan struct{})
	r.serve(func(ctx context.Context, _ rein.RunID, q rein.Ask) (string, bool) {
		begun <- q
		<-ctx.Done()
		close(over)
		return "late", true
	}, ask.Options{Tree: "a"})
	r.start("other", "Not of this tree?", "")
	r.start("a", "Which colour?", "")
	q := <-begun
	_, err := r.Engine.Command(r.ctx, q.Reply(rein.Answer{State: rein.AskAnswered, Text: "green", By: "ann"}))
	if err != nil {
		t.Fatal(err)
	}
	r.wantEnd("a", "done answered green")
	select {
	case <-over:
	case <-r.ctx.Done():
		t.Error("the handler was not told")
	}
	if log := r.log.String(); log != "" {
		t.Errorf("logged: %s", log)
	}
}

func TestNoHandler(t *testing.T) {
	if err := ask.Serve(t.Context(), nil, nil, nil, ask.Options{}); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
}

// Each question is put to the handler once, however many come and go meanwhile.
//
// Covers: TREE-52
func TestEachQuestionOnce(t *testing.T) {
	r := newRig(t)
	var mu sync.Mutex
	asked := map[rein.RunID]int{}
	r.serve(func(_ context.Context, run rein.RunID, _ rein.Ask) (string, bool) {
		mu.Lock()
		defer mu.Unlock()
		asked[run]++
		return "yes", true
	}, ask.Options{})
	runs := []rein.RunID{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	for _, id := range runs {
		r.start(id, "Well?", "")
	}
	for _, id := range runs {
		r.wantEnd(id, "done answered yes")
	}
	mu.Lock()
	defer mu.Unlock()
	for _, id := range runs {
		if asked[id] != 1 {
			t.Errorf("run %s was asked about %d times", id, asked[id])
		}
	}
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
