package replay_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"rein"
	"rein/replay"
	"rein/replay/cassette"
	"rein/store"
)

// beside looks; then it pays in one branch, and asks and looks in the other.
func beside(run rein.Run, _ rein.Task) (rein.Outcome, error) {
	if _, err := run.CallTool(rein.ToolCall{ID: "c", Name: "look"}); err != nil {
		return rein.Outcome{}, err
	}
	return rein.Outcome{}, run.Parallel(
		func(run rein.Run) error {
			_, err := run.CallTool(rein.ToolCall{ID: "a", Name: "pay", Args: json.RawMessage(`{"n":1}`)})
			return err
		},
		func(run rein.Run) error {
			if _, err := run.AskUser(rein.Question{Text: "Look?"}); err != nil {
				return err
			}
			_, err := run.CallTool(rein.ToolCall{ID: "b", Name: "look"})
			return err
		},
	)
}

// until waits for an event of a run.
func (w *world) until(t *testing.T, run rein.RunID, place cassette.Place) {
	t.Helper()
	more := make(chan struct{}, 1)
	stop := w.store.Watch(func([]store.Mark) {
		select {
		case more <- struct{}{}:
		default:
		}
	})
	defer stop()
	timeout := time.After(20 * time.Second)
	for {
		var log []string
		for e, err := range w.store.Events(context.Background(), run, 0) {
			if err == nil && cassette.PlaceOf(e) == place {
				return
			}
			log = append(log, string(e.Kind)+" "+string(e.Step))
		}
		select {
		case <-more:
		case <-timeout:
			t.Fatalf("run %s has no %v, but %q", run, place, log)
		}
	}
}

// ask waits until an ask waits for a person.
func (w *world) ask(t *testing.T, run rein.RunID, sub rein.StepKey) rein.Ask {
	t.Helper()
	w.until(t, run, cassette.Place{Run: run, Kind: rein.AskOpened, Step: sub})
	ask, err := w.store.Ask(context.Background(), rein.NewAskID(run, sub))
	if err != nil {
		t.Fatal(err)
	}
	return ask
}

func (w *world) answer(t *testing.T, ask rein.Ask, answer rein.Answer) {
	t.Helper()
	if _, err := w.engine.Command(context.Background(), ask.Reply(answer)); err != nil {
		t.Fatal(err)
	}
}

// A person agreed to a call that had not ended where the fork parts. It would be made in the fork, so
// they are asked there.
func TestForkAsksAgainForWhatHadNotEnded(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	w.held.Store(true)
	if _, err := w.engine.Start(ctx, "run-one", rein.Task{Flow: "beside", Tools: []string{"look", "pay"}}); err != nil {
		t.Fatal(err)
	}
	w.answer(t, w.ask(t, "run-one", "2.1.1.ask"), rein.Answer{State: rein.AskApproved})
	w.until(t, "run-one", cassette.Place{Run: "run-one", Kind: rein.StepIntent, Step: "2.1.1.intent"})
	w.answer(t, w.ask(t, "run-one", "2.2.1.ask"), rein.Answer{State: rein.AskAnswered, Text: "yes"})
	w.until(t, "run-one", cassette.Place{Run: "run-one", Kind: rein.StepDone, Step: "2.2.2"})
	w.held.Store(false)
	close(w.free)
	if _, err := w.engine.Wait(ctx, "run-one"); err != nil {
		t.Fatal(err)
	}
	tape, err := replay.Record(ctx, w.store, "run-one", w.worker, rein.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := replay.Fork(tape, "2.2.2", nil, []string{"pay"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.engine.Start(ctx, "fork", task); err != nil {
		t.Fatal(err)
	}
	w.until(t, "fork", cassette.Place{Run: "fork", Kind: rein.StepDone, Step: "2.2.2"}) // what was said in the other branch comes by itself
	ask := w.ask(t, "fork", "2.1.1.ask")
	if ask.State != rein.AskPending {
		t.Fatalf("nobody was asked in the fork: the ask is %s by %q", ask.State, ask.Answer.By)
	}
	w.answer(t, ask, rein.Answer{State: rein.AskRejected})
	if _, err := w.engine.Wait(ctx, "fork"); err != nil {
		t.Fatal(err)
	}
	if w.paid.Load() != 1 {
		t.Errorf("paid %d times", w.paid.Load())
	}
}

// signing looks, has a letter signed, and looks again.
func signing(run rein.Run, _ rein.Task) (rein.Outcome, error) {
	for _, tool := range []string{"look", "sign", "look"} {
		if _, err := run.CallTool(rein.ToolCall{ID: tool, Name: tool}); err != nil {
			return rein.Outcome{}, err
		}
	}
	return rein.Outcome{}, nil
}

// What pinned a call is the same in a fork that does not make it again, and when it is played; after its
// step a fork shows and pins what there is now.
func TestForkKeepsPins(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	start := func(id rein.RunID, task rein.Task) {
		t.Helper()
		if _, err := w.engine.Start(ctx, id, task); err != nil {
			t.Fatal(err)
		}
	}
	start("run-one", rein.Task{Flow: "signing", Tools: []string{"look", "sign"}})
	first := w.ask(t, "run-one", "2.ask")
	w.letter.Store("second")
	w.answer(t, first, rein.Answer{State: rein.AskApproved, By: "owner"})
	w.answer(t, w.ask(t, "run-one", "2.ask2"), rein.Answer{State: rein.AskApproved, By: "owner"})
	if _, err := w.engine.Wait(ctx, "run-one"); err != nil {
		t.Fatal(err)
	}
	w.letter.Store("third")
	tape, err := replay.Record(ctx, w.store, "run-one", w.worker, rein.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := replay.Play(ctx, tape, replay.Options{Flows: map[string]rein.Flow{"signing": {Do: signing}}}); d != nil || err != nil {
		t.Errorf("played again: %v %v", d, err)
	}
	for id, c := range map[rein.RunID]struct {
		at    rein.StepKey
		allow []string
		asks  bool
		want  string
	}{
		"after":   {"3", []string{"sign"}, false, `{"shown":"second"}`},
		"stubbed": {"3", nil, false, `{"shown":"second"}`},
		"at":      {"2", []string{"sign"}, true, `{"shown":"third"}`},
	} {
		task, err := replay.Fork(tape, c.at, nil, c.allow)
		if err != nil {
			t.Fatal(err)
		}
		signed := w.signed.Load()
		start(id, task)
		if c.asks {
			w.answer(t, w.ask(t, id, "2.ask"), rein.Answer{State: rein.AskApproved})
			signed++
		}
		if _, err := w.engine.Wait(ctx, id); err != nil {
			t.Fatal(err)
		}
		if got := w.sent(t, id); got != c.want || w.signed.Load() != signed {
			t.Errorf("%s: sent %s, signed %d, want %s and %d", id, got, w.signed.Load(), c.want, signed)
		}
	}
}

// sent is what a run sent with intent.
func (w *world) sent(t *testing.T, run rein.RunID) string {
	t.Helper()
	for e, err := range w.store.Events(context.Background(), run, 0) {
		if err != nil || e.Kind != rein.StepIntent {
			continue
		}
		if intent, err := rein.Payload[rein.Intent](e); err == nil {
			return string(intent.Args)
		}
	}
	return ""
}
