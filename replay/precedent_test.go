package replay_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"rein"
	"rein/engine/enginetest/flows"
	"rein/replay"
)

// A person was asked because of what another run of the session did. That run is not on the tape, and
// the fork is another run: both go by what was recorded.
//
// Covers: LAW-2 LAW-3
func TestPrecedentsAreRecorded(t *testing.T) {
	for _, c := range []struct {
		said string
		paid int64
	}{{rein.ItHappened, 1}, {rein.RunAgain, 2}, {rein.SkipIt, 1}} {
		t.Run(c.said, func(t *testing.T) {
			t.Parallel()
			w, ctx := newWorld(t), context.Background()
			task := rein.Task{Flow: "paying", Session: "s", Tools: []string{"pay", "look"}, Policy: rein.Policy{Allow: []string{"pay"}}}
			w.unsure.Store(true)
			w.run(t, "one", task)
			w.unsure.Store(false)
			if _, err := w.engine.Start(ctx, "two", task); err != nil {
				t.Fatal(err)
			}
			w.answer(t, w.ask(t, "two", "1.unknown"), rein.Answer{State: rein.AskAnswered, Text: c.said})
			if _, err := w.engine.Wait(ctx, "two"); err != nil {
				t.Fatal(err)
			}
			tape, err := replay.Record(ctx, w.store, "two", w.worker, rein.Policy{})
			if err != nil {
				t.Fatal(err)
			}
			all := flows.All()
			all["paying"] = rein.Flow{Do: paying}
			d, err := replay.Play(ctx, tape, replay.Options{Flows: all, Folder: t.TempDir(), Patience: 20 * time.Second})
			if err != nil || d != nil {
				t.Errorf("played again it is different: %v %v", d, err)
			}
			fork, err := replay.Fork(tape, "2", nil, []string{"pay"})
			if err != nil {
				t.Fatal(err)
			}
			w.run(t, "fork", fork)
			if ask, err := w.store.Ask(ctx, "fork:1.unknown"); err != nil || ask.Answer.Text != c.said {
				t.Errorf("in the fork the ask is %+v %v", ask, err)
			}
			if w.paid.Load() != c.paid {
				t.Errorf("paid %d times, want %d", w.paid.Load(), c.paid)
			}
		})
	}
}

// paying pays, and looks.
func paying(run rein.Run, _ rein.Task) (rein.Outcome, error) {
	for _, c := range []rein.ToolCall{{ID: "a", Name: "pay", Args: json.RawMessage(`{"n":1}`)}, {ID: "b", Name: "look"}} {
		if _, err := run.CallTool(c); err != nil {
			return rein.Outcome{}, err
		}
	}
	return rein.Outcome{}, nil
}
