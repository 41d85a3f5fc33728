package engine_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/engine/enginetest/flows"
	"rein/engine/work"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// limited are the parts with limits for each user.
func limited(user rein.Quota) enginetest.Parts {
	p := parts
	p.Open = func(t *testing.T, dir string, onCommit func([]rein.Event)) (enginetest.Store, error) {
		return sqlite.Open(t.Context(), filepath.Join(dir, "rein.db"), sqlite.Options{OnCommit: onCommit, Limits: store.Limits{User: user}})
	}
	return p
}

// forEver calls a tool every turn and closes when it must.
const forEver = "price in=1.00 out=2.00\nwhen closing=yes\nsay That is all.\n\nwhen user=hi\nsay hello\n\nwhen\ncall echo {}\n"

func settingsOf(t *testing.T, s flows.Settings) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Meeting a limit of the day ends a run as a spent budget does: with an answer, and the limit's name. So
// it does however often the process is killed, and the next day it goes on.
//
// Covers: LAW-8
func TestDayEndsARunWithAnAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		most  rein.Quota
		words string
	}{
		"day_micros": {rein.Quota{Micros: 30_000}, "day's money of user owner"},
		"day_tokens": {rein.Quota{Tokens: 15_000}, "day's tokens of user owner"},
		"bytes":      {rein.Quota{Bytes: 20_000}, "user owner keeps"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := enginetest.Prepare(t, limited(c.most), engine.NoGrace, forEver)
			var ahead atomic.Int64
			w.Tweak = func(o *engine.Options) {
				o.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
			}
			w.Begin()
			task := rein.Task{
				Flow: "loop", Tools: []string{"echo"}, Messages: []rein.Message{{Role: rein.User, Text: "go"}},
				Settings: settingsOf(t, flows.Settings{Rounds: 1000}),
			}
			w.Start("r1", task)
			w.UntilKind("r1", rein.StepDone)
			w.Kill()
			w.Begin()
			end := w.End("r1")
			if end.End != rein.EndLimit || end.Text != "That is all." || end.Failure == nil || end.Failure.Dim != name ||
				!strings.Contains(end.Failure.Msg, c.words) || name != "bytes" && !strings.Contains(end.Failure.Msg, "00:00 UTC") {
				t.Errorf("ended as %+v %+v", end, end.Failure)
			}
			w.Verify()
			if name == "bytes" {
				return
			}
			ahead.Store(int64(24 * time.Hour))
			w.Start("r2", rein.Task{Flow: "once", Messages: []rein.Message{{Role: rein.User, Text: "hi"}}})
			if end := w.End("r2"); end.End != rein.EndDone {
				t.Errorf("the next day it ends as %+v %+v", end, end.Failure)
			}
			w.Verify()
		})
	}
}

// A next run that a limit refuses is nothing to the run that completes: whoever sent the message learns
// from its receipt why there is no answer.
func TestRefusedNextRun(t *testing.T) {
	w := enginetest.Prepare(t, limited(rein.Quota{Frames: 2}), time.Minute, "when attempt=1\nhang\n\nwhen\nsay hello")
	w.Tweak = func(o *engine.Options) { o.Store = onlyRun{o.Store, t, "r1"} }
	w.Begin()
	w.Start("r1", rein.Task{Flow: "once", Messages: []rein.Message{{Role: rein.User, Text: "hi"}}})
	w.UntilKind("r1", rein.StepStarted)
	sent := w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", By: "owner", Text: "and then?"})
	w.Kill() // and the second attempt answers
	w.Begin()
	w.WantEnd("r1", rein.EndDone, "hello")
	receipts, err := w.Store.Receipts(t.Context(), "r1")
	if err != nil || len(receipts) != 1 || receipts[0].Command != sent.Command || receipts[0].State != rein.ReceiptNotApplied ||
		!strings.Contains(receipts[0].Reason, "2 is the most") {
		t.Errorf("receipts are %+v, %v", receipts, err)
	}
	w.Verify()
	w.Restart() // what was driven has written by now; and nothing is left that somebody would drive
	if due, _, err := w.Store.Due(t.Context(), time.Now(), 0); err != nil || len(due) > 0 {
		t.Errorf("due are %v, %v", due, err)
	}
}

// onlyRun wants nobody to drive another run than one.
type onlyRun struct {
	engine.Store
	t   *testing.T
	run rein.RunID
}

func (o onlyRun) Append(ctx context.Context, b store.Batch) ([]rein.Event, error) {
	if b.Run != o.run {
		o.t.Errorf("run %s is driven", b.Run)
	}
	return o.Store.Append(ctx, b)
}

// A parent whose children may not all start goes on without those that may not.
func TestRefusedChildren(t *testing.T) {
	w := enginetest.Prepare(t, limited(rein.Quota{Driven: 3}), time.Minute, "when\nsay hello")
	w.Begin()
	child := rein.Task{Flow: "ask"}
	w.Start("r1", rein.Task{Flow: "crowd", Settings: settingsOf(t, flows.Settings{Children: []rein.Task{child, child, child, child, child}})})
	opened, refused := 0, 0
	w.Until("two to ask and three to be refused", func(e rein.Event) bool {
		switch {
		case e.Kind == rein.AskOpened:
			opened++
		case e.Kind == rein.StepDone && strings.Contains(string(e.Data), "3 is the most"):
			refused++
		}
		return opened == 2 && refused == 3
	})
	asks, err := w.Store.Asks(t.Context(), store.AskFilter{})
	if err != nil || len(asks) != 2 {
		t.Fatalf("asks are %+v, %v", asks, err)
	}
	for _, ask := range asks {
		w.Answer(ask, rein.AskAnswered, "blue")
	}
	end := w.End("r1")
	if end.End != rein.EndDone || strings.Count(end.Text, "refused") != 3 {
		t.Errorf("ended as %+v %+v", end, end.Failure)
	}
	w.Verify()
}

// A budget beyond the ceiling is refused in every dimension, and the next run of a session gets no more
// than a ceiling that was lowered meanwhile.
//
// Attack: 74
func TestCeilings(t *testing.T) {
	ceiling := rein.DefaultBudget()
	for i, name := range rein.Dimensions {
		p := ceiling.Parts()
		p[i]++
		wantCeiling(t, ceiling, rein.Budget{Amount: rein.AmountOf(p), Depth: ceiling.Depth}, name)
	}
	wantCeiling(t, ceiling, rein.Budget{Amount: ceiling.Amount, Depth: ceiling.Depth + 1}, "depth")

	w := enginetest.Prepare(t, parts, time.Minute, "when user=hi attempt=1\nhang\n\nwhen\nsay hello")
	w.Begin()
	w.Start("r1", rein.Task{Flow: "once", Messages: []rein.Message{{Role: rein.User, Text: "hi"}}})
	w.UntilKind("r1", rein.StepStarted)
	w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", By: "owner", Text: "and then?"})
	w.Kill()
	ceiling.Tokens, ceiling.Depth = 10_000, 0
	w.Tweak = func(o *engine.Options) { o.Ceiling = func() rein.Budget { return ceiling } }
	w.Begin()
	w.End("r1")
	receipts, err := w.Store.Receipts(t.Context(), "r1")
	if err != nil || len(receipts) != 1 || receipts[0].Started == "" {
		t.Fatalf("receipts are %+v, %v", receipts, err)
	}
	w.End(receipts[0].Started)
	if ledger, err := w.Store.Ledger(t.Context(), receipts[0].Started); err != nil || ledger.Cap.Tokens != 10_000 || ledger.Cap.Depth != 0 {
		t.Errorf("the next run has %+v, %v", ledger.Cap, err)
	}
}

func wantCeiling(t *testing.T, ceiling, asked rein.Budget, name string) {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e, err := engine.New(engine.Options{Store: s, Flows: flows.All(), Dispatch: &local.Dispatcher{}, Ceiling: func() rein.Budget { return ceiling }, Worker: worker()})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Start(context.Background(), "r1", rein.Task{Flow: "once", Budget: &asked})
	if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), name) {
		t.Errorf("%s beyond the ceiling: %v", name, err)
	}
}

func worker() *work.Worker { return &work.Worker{Models: map[string]rein.Model{"": chance{}}} }
