package enginetest

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/work/pace"
	"rein/internal/labs"
	"rein/model/script"
)

// tries is about model calls that fail and may work later, or elsewhere.
//
// Covers: ENG-1 ENG-10 LAW-5 LAW-8 SD-19 SD-72 SD-73 SD-74
var tries = []test{
	{"a call that may work later is tried again", func(t *testing.T, world func(string) *World) {
		w := world("when\nfail overloaded \"503\" times=2\nsay hello")
		w.hurry()
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.WantEnd("r1", rein.EndDone, "hello")
		w.WantCalls(3, "")
		log := w.Events("r1")
		if n, m := count(log, rein.StepWaiting), count(log, rein.StepAttempt); n != 2 || m != 2 {
			t.Errorf("%d waits and %d attempts", n, m)
		}
		w.Verify()
	}},
	{"cut after every event of its tries", func(t *testing.T, world func(string) *World) {
		const play = "when\nfail rate_limited \"429\" times=1\nfail overloaded \"503\" times=1\nsay hello"
		reference := world(play)
		reference.hurry()
		want := reference.cut(task("once", "hi"), 0)
		events := reference.commits
		reference.stop()
		for n := 1; n < events; n++ {
			if !labs.Cell(n, 4) {
				continue
			}
			w := world(play)
			w.hurry()
			if got := w.cut(task("once", "hi"), n); got != want {
				w.Dump()
				t.Errorf("cut after event %d of %d: %s, want %s", n, events, got, want)
			}
			w.Verify()
			w.stop()
		}
	}},
	{"it is not tried for ever", func(t *testing.T, world func(string) *World) {
		w := world("when\nfail rate_limited \"429\"")
		w.hurry()
		w.Begin()
		w.Start("r1", task("once", "hi"))
		if end := w.End("r1"); end.Failure == nil || end.Failure.Code != rein.CodeRateLimited {
			t.Errorf("ended %+v", end)
		}
		if n := len(w.Model.Calls()); n < 2 || n > 6 {
			t.Errorf("%d calls", n)
		}
		if ledger, err := w.Store.Ledger(context.Background(), "r1"); err != nil || ledger.Used.Tokens > 4096+200 {
			t.Errorf("refused calls were charged: %+v %v", ledger.Used, err)
		}
		w.Verify()
	}},
	{"what would fail again is not tried again", func(t *testing.T, world func(string) *World) {
		for _, code := range []string{"provider", "unauthorized", "invalid", "too_long"} {
			w := world("when\nfail " + code + " \"no\"")
			w.Begin()
			w.Start("r1", task("once", "hi"))
			if end := w.End("r1"); end.Failure == nil || string(end.Failure.Code) != code {
				t.Errorf("%s: ended %+v", code, end)
			}
			w.WantCalls(1, "")
		}
	}},
	{"another model stands in, and it is recorded", func(t *testing.T, world func(string) *World) {
		w := world("when\nfail unauthorized \"no key\"")
		w.Tweak = standIns(t, "when\nfail provider \"400\"", "model third\nwhen\nsay from the third")
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.WantEnd("r1", rein.EndDone, "from the third")
		var end rein.StepEnd
		log := w.Events("r1")
		for _, e := range log {
			if e.Kind == rein.StepDone {
				end, _ = rein.Payload[rein.StepEnd](e)
			}
		}
		if end.Model != "third" || count(log, rein.StepWaiting) != 2 {
			t.Errorf("%s answered, after %d changes", end.Model, count(log, rein.StepWaiting))
		}
		w.Verify()
	}},
	{"models that stand in must exist", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		options := w.Options
		options.Worker.Fallbacks = map[string][]string{"": {"nobody"}}
		_, err := engine.New(options)
		options.Worker.Fallbacks = nil
		if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), "nobody") {
			t.Errorf("%v", err)
		}
	}},
	{"a long wait is rows, and outlives the process", func(t *testing.T, world func(string) *World) {
		w := world("when\nfail rate_limited \"429\" after=5m times=1\nsay hello")
		w.Grace = engine.NoGrace
		var ahead atomic.Int64
		w.Tweak = func(o *engine.Options) {
			o.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		}
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.UntilKind("r1", rein.RunParked)
		w.untilIdle()
		info, err := w.Store.Run(context.Background(), "r1")
		if err != nil || info.Status != rein.StatusWaiting || time.Until(info.WakeAt) < 4*time.Minute {
			t.Fatalf("parked: %+v %v", info, err)
		}
		w.WantCalls(1, "")
		w.stop()
		ahead.Store(int64(6 * time.Minute))
		w.Begin()
		w.WantEnd("r1", rein.EndDone, "hello")
		w.WantCalls(2, "")
		w.Verify()
	}},
	{"stop ends the wait", func(t *testing.T, world func(string) *World) {
		w := world("when\nfail rate_limited \"429\" after=5m")
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.UntilKind("r1", rein.StepWaiting)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		if end := w.End("r1"); end.End != rein.EndStopped {
			t.Errorf("ended %+v", end)
		}
		w.WantCalls(1, "")
		w.Verify()
	}},
	{"a call waits for its turn at the provider", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Grace = engine.NoGrace
		var ahead atomic.Int64
		now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		limiter := pace.New(pace.Limits{Requests: 1, Tokens: 1_000_000, Window: time.Hour}, now)
		w.Tweak = func(o *engine.Options) {
			o.Now, o.Worker.Pace = now, limiter
			o.Worker.Models[""] = accounted{o.Worker.Models[""]}
		}
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.WantEnd("r1", rein.EndDone, "hello")
		w.Start("r2", task("once", "hi"))
		w.UntilKind("r2", rein.RunParked)
		w.Start("r3", task("once", "hi"))
		w.UntilKind("r3", rein.StepWaiting)
		w.WantCalls(1, "")
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r3"})
		if end := w.End("r3"); end.End != rein.EndStopped {
			t.Errorf("r3 ended as %s", end.End)
		}
		w.stop()
		ahead.Store(int64(2 * time.Hour))
		w.Begin()
		w.WantEnd("r2", rein.EndDone, "hello")
		w.WantCalls(2, "")
		w.Verify()
	}},
	{"a call waits for those under way, and can be stopped meanwhile", func(t *testing.T, world func(string) *World) {
		w := world("when user~\"hang\"\nhang\n\n" + sayHello)
		limiter := pace.New(pace.Limits{Calls: 1}, nil)
		w.Grace = engine.NoGrace
		w.Tweak = func(o *engine.Options) {
			o.Worker.Pace, o.Worker.Models[""] = limiter, accounted{o.Worker.Models[""]}
		}
		w.Begin()
		w.Start("r1", task("once", "hang"))
		w.UntilKind("r1", rein.StepStarted)
		for _, id := range []rein.RunID{"r2", "r3"} {
			w.Start(id, task("once", "hi"))
			w.UntilKind(id, rein.StepWaiting)
		}
		w.WantCalls(1, "")
		if under, waiting := limiter.Calls("home", "owner"); under != 1 || waiting != 2 {
			t.Errorf("%d calls are under way and %d wait", under, waiting)
		}
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r3"})
		if end := w.End("r3"); end.End != rein.EndStopped {
			t.Errorf("r3 ended as %s", end.End)
		}
		w.Send(rein.Command{Kind: rein.CommandCancel, Run: "r1"})
		w.WantEnd("r2", rein.EndDone, "hello")
		w.End("r1")
		w.WantCalls(2, "")
		w.Verify()
	}},
	{"what is too long is summed up once", func(t *testing.T, world func(string) *World) {
		w := world("when phase=compact\nsay They talked.\n\nwhen system~\"Summary of\"\nsay short enough\n\nwhen\nfail too_long \"400 too many tokens\"")
		long := task("once", "the last question")
		for range 4 {
			long.Messages = append([]rein.Message{{Role: rein.User, Text: strings.Repeat("I say. ", 50)}, {Role: rein.Assistant, Text: strings.Repeat("You say. ", 50)}}, long.Messages...)
		}
		w.Begin()
		w.Start("r1", long)
		w.WantEnd("r1", rein.EndDone, "short enough")
		w.WantCalls(3, "")
		w.Verify()
	}},
	{"what surely does not fit the window is summed up before it is sent", func(t *testing.T, world func(string) *World) {
		w := world(smallWindow + "when phase=compact\nsay They talked.\n\nwhen system~\"Summary of\"\nsay short enough")
		w.Begin()
		w.Start("r1", longTalk())
		w.WantEnd("r1", rein.EndDone, "short enough")
		w.WantCalls(2, "")
		w.Verify()
	}},
	{"what does not fit the window of one model is sent to the next that it fits", func(t *testing.T, world func(string) *World) {
		w := world(smallWindow + "when\nsay it was sent")
		w.Tweak = standIns(t, "model as-narrow\n"+smallWindow+"when\nsay it was sent", "model wide\nwindow 100000\nwhen\nsay from the wide one")
		w.Begin()
		w.Start("r1", task("once", strings.Repeat("I say. ", 2000)))
		w.WantEnd("r1", rein.EndDone, "from the wide one")
		w.WantCalls(0, "")
		w.Verify()
	}},
	{"what fits no window fails clearly and costs nothing", func(t *testing.T, world func(string) *World) {
		w := world(smallWindow + "when\nsay it was sent")
		limiter := pace.New(pace.Limits{Requests: 1, Tokens: 100, Window: time.Hour}, nil)
		w.Tweak = func(o *engine.Options) { // it does not wait for a turn that it will not use
			o.Worker.Pace, o.Worker.Models[""] = limiter, accounted{o.Worker.Models[""]}
		}
		w.Begin()
		for _, id := range []rein.RunID{"r1", "r2"} {
			w.Start(id, task("once", strings.Repeat("I say. ", 2000)))
			end := w.End(id)
			if end.Failure == nil || end.Failure.Code != rein.CodeTooLong || !strings.Contains(end.Failure.Msg, "window") {
				t.Errorf("ended %+v", end)
			}
			if ledger, err := w.Store.Ledger(context.Background(), id); err != nil || ledger.Used.Tokens != 0 {
				t.Errorf("it was charged: %+v %v", ledger.Used, err)
			}
		}
		w.WantCalls(0, "")
		w.Verify()
	}},
	{"a closing call out of the reserve waits for its turn too", func(t *testing.T, world func(string) *World) {
		w := world(forEver)
		limiter := pace.New(pace.Limits{Requests: 1, Tokens: 1_000_000, Window: time.Hour}, nil)
		w.Tweak = func(o *engine.Options) {
			o.Worker.Pace, o.Worker.Models[""] = limiter, accounted{o.Worker.Models[""]}
		}
		w.Begin()
		// The first call has its turn and does not fit the budget; the closing one comes after it.
		w.Start("r1", budget(task("loop", strings.Repeat("far too much ", 400), "echo"), func(b *rein.Budget) { b.Tokens = 2000 }))
		w.UntilKind("r1", rein.StepWaiting)
		w.WantCalls(0, "")
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.End("r1")
		w.Verify()
	}},
	{"cut after every event of a prompt that does not fit", func(t *testing.T, world func(string) *World) {
		const play = smallWindow + "when phase=compact\nsay They talked.\n\nwhen system~\"Summary of\"\nsay short enough"
		reference := world(play)
		want := reference.cut(longTalk(), 0)
		events := reference.commits
		reference.stop()
		for n := 1; n < events; n++ {
			if !labs.Cell(n, 4) {
				continue
			}
			w := world(play)
			if got := w.cut(longTalk(), n); got != want {
				w.Dump()
				t.Errorf("cut after event %d of %d: %s, want %s", n, events, got, want)
			}
			w.Verify()
			w.stop()
		}
	}},
}

// smallWindow begins the script of a model with a small window.
const smallWindow = "window 200\nmax_output 100\n"

// longTalk is a task with a conversation that is longer than a small window.
func longTalk() rein.Task {
	long := task("once", "the last question")
	for range 4 {
		long.Messages = append([]rein.Message{{Role: rein.User, Text: strings.Repeat("I say. ", 20)}, {Role: rein.Assistant, Text: strings.Repeat("You say. ", 20)}}, long.Messages...)
	}
	return long
}

// accounted is a model of an account, which has limits.
type accounted struct{ rein.Model }

func (m accounted) Info() rein.ModelInfo {
	info := m.Model.Info()
	info.Account = "acme"
	return info
}

// hurry makes the clock of the engine run ahead, so that waits are short.
func (w *World) hurry() {
	var calls atomic.Int64
	w.Tweak = func(o *engine.Options) {
		o.Now = func() time.Time { return time.Now().Add(time.Duration(calls.Add(1)) * time.Minute) }
	}
}

// standIns adds models that are asked when the first one fails.
func standIns(t *testing.T, plays ...string) func(*engine.Options) {
	return func(o *engine.Options) {
		o.Worker.Fallbacks = map[string][]string{}
		for i, play := range plays {
			m, err := script.Parse("stand-in", []byte(play))
			if err != nil {
				t.Fatal(err)
			}
			name := string(rune('b' + i))
			o.Worker.Models[name] = m
			o.Worker.Fallbacks[""] = append(o.Worker.Fallbacks[""], name)
		}
	}
}
