package engine_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A talker says a word every ten seconds until it is done; then it answers, or is silent for ever.
type talker struct {
	info   rein.ModelInfo
	words  int
	silent bool // it never ends
	think  bool // what comes from its provider is not shown
}

func (m *talker) Info() rein.ModelInfo { return m.info }

func (m *talker) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	var said strings.Builder
	for range m.words {
		select {
		case <-ctx.Done():
			return rein.ModelReply{}, ctx.Err()
		case <-time.After(10 * time.Second):
		}
		if m.think {
			r.Alive()
			continue
		}
		said.WriteString("word ")
		show("word ")
	}
	if m.silent {
		<-ctx.Done()
		return rein.ModelReply{}, ctx.Err()
	}
	return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Text: "done " + said.String()}, Usage: &rein.Usage{Input: 1, Output: 1}}, nil
}

// timedWorld is an engine on a file, in a bubble of time.
type timedWorld struct {
	*testing.T
	store  *sqlite.Store
	engine *engine.Engine
	stop   func()
}

func newTimedWorld(t *testing.T) *timedWorld {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &timedWorld{T: t, store: s}
}

func (w *timedWorld) serve(m rein.Model) {
	e, err := engine.New(engine.Options{
		Store: w.store, Flows: flow.All(), Dispatch: &local.Dispatcher{}, DrainGrace: time.Second,
		Worker: &work.Worker{Models: map[string]rein.Model{"": m}},
	})
	if err != nil {
		w.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.Context())
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()
	w.engine, w.stop = e, func() {
		cancel()
		if err := <-served; err != nil {
			w.Error(err)
		}
	}
}

func (w *timedWorld) start(minutes int64) {
	budget := rein.DefaultBudget()
	if minutes > 0 {
		budget.DrivenMS = minutes * time.Minute.Milliseconds()
	}
	if _, err := w.engine.Start(w.Context(), "r", rein.Task{Flow: "chat", Budget: &budget, Messages: []rein.Message{{Role: rein.User, Text: "hello"}}}); err != nil {
		w.Fatal(err)
	}
}

// end waits for the run's end and returns its last step, how often it got more time, and what it used.
func (w *timedWorld) end() (last rein.StepEnd, renewed int, used time.Duration) {
	if _, err := w.engine.Wait(w.Context(), "r"); err != nil {
		w.Fatal(err)
	}
	w.stop()
	for e, err := range w.store.Events(w.Context(), "r", 0) {
		if err != nil {
			w.Fatal(err)
		}
		switch e.Kind {
		case rein.StepRenewed:
			renewed++
		case rein.StepDone:
			if last, err = rein.Payload[rein.StepEnd](e); err != nil {
				w.Fatal(err)
			}
		}
	}
	ledger, err := w.store.Ledger(w.Context(), "r")
	if err != nil || (ledger.Overrun != rein.Amount{}) || ledger.Used.DrivenMS > ledger.Cap.DrivenMS {
		w.Errorf("the ledger is %+v, %v", ledger, err)
	}
	if wrong, err := w.store.Verify(w.Context(), "r"); err != nil || len(wrong.Wrong) > 0 {
		w.Errorf("the audit says %+v, %v", wrong, err)
	}
	if err := w.store.Close(); err != nil {
		w.Error(err)
	}
	return last, renewed, time.Duration(ledger.Used.DrivenMS) * time.Millisecond
}

// A call may take long as long as its provider is heard. Its time is reserved piece by piece, and it costs
// what it took.
//
// Covers: LAW-8 ENG-10
func TestLongCalls(t *testing.T) {
	const soon, later = 10 * time.Second, 20 * time.Second
	for name, c := range map[string]struct {
		model   talker
		minutes int64 // of the budget
		took    time.Duration
		renewed int
		partial int // words that were kept
		why     string
	}{
		"short":              {model: talker{words: 3}, took: 30 * time.Second},
		"ten minutes":        {model: talker{words: 59}, took: 590 * time.Second, renewed: 4},
		"unseen":             {model: talker{words: 59, think: true}, took: 590 * time.Second, renewed: 4},
		"silent":             {model: talker{silent: true}, took: 2 * time.Minute, why: "nothing came"},
		"silent after words": {model: talker{words: 14, silent: true}, took: 260 * time.Second, renewed: 2, partial: 14, why: "nothing came"},
		"without end":        {model: talker{words: 1000, silent: true}, took: 30 * time.Minute, renewed: 14, partial: 180, why: "did not end"},
		"of its own":         {model: talker{words: 1000, info: rein.ModelInfo{Silence: later, Whole: 55 * time.Second}}, took: 55 * time.Second, renewed: 2, partial: 5, why: "did not end"},
		"impatient":          {model: talker{words: 3, info: rein.ModelInfo{Silence: soon - time.Millisecond}}, took: soon - time.Millisecond, why: "nothing came"},
		"no more budget":     {model: talker{words: 1000}, minutes: 5, took: 5*time.Minute - 18750*time.Millisecond, renewed: 2, partial: 28, why: "budget"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newTimedWorld(t)
				w.serve(&c.model)
				w.start(c.minutes)
				last, renewed, used := w.end()
				if used != c.took || renewed != c.renewed {
					t.Errorf("it took %s and was renewed %d times, want %s and %d", used, renewed, c.took, c.renewed)
				}
				if n := strings.Count(last.Partial, "word"); n < c.partial-1 || n > c.partial {
					t.Errorf("%d words of it are kept, want %d", n, c.partial)
				}
				switch {
				case c.why == "" && (last.Message == nil || !strings.HasPrefix(last.Message.Text, "done")):
					t.Errorf("it ended as %+v", last)
				case c.why != "" && (last.Failure == nil || last.Failure.Code != rein.CodeTimeout || !strings.Contains(last.Failure.Msg, c.why)):
					t.Errorf("it failed as %+v, want %q", last.Failure, c.why)
				}
			})
		})
	}
}

// A process that ends in the middle of a long call leaves what was reserved until then: two slices.
//
// Covers: LAW-8
func TestCutLongCallCostsItsSlices(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTimedWorld(t)
		w.serve(&talker{words: 1000})
		w.start(0)
		time.Sleep(130 * time.Second)
		w.stop()
		w.serve(&talker{words: 13})
		last, renewed, used := w.end()
		if want := (240 + 130) * time.Second; last.Message == nil || renewed != 2 || used != want {
			t.Errorf("it ended as %+v, renewed %d times, and took %s, want %s", last, renewed, used, want)
		}
	})
}
