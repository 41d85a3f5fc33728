package enginetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest/flows"
)

// budget returns a task with a changed default budget.
func budget(t rein.Task, change func(*rein.Budget)) rein.Task {
	b := rein.DefaultBudget()
	change(&b)
	t.Budget = &b
	return t
}

// forEver calls a tool every turn and closes when it must.
const forEver = `
when closing=yes
say That is all.

when
call echo {}
`

// Covers: LAW-8 ENG-4 ENG-30 ENG-31 ENG-60
var budgets = []test{
	{"bad budgets are refused", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		for _, change := range []func(*rein.Budget){
			func(b *rein.Budget) { b.Tokens = 0 },
			func(b *rein.Budget) { b.Rounds = -1 },
			func(b *rein.Budget) { b.Micros = 1 << 60 },
			func(b *rein.Budget) { b.Runs = 0 },
			func(b *rein.Budget) { b.Depth = -1 },
			func(b *rein.Budget) { b.Depth = 1000 },
			func(b *rein.Budget) { b.DrivenMS = 0 },
			func(b *rein.Budget) { b.ToolCalls = 1 << 40 },
		} {
			w.refused(rein.CodeInvalid, "r1", budget(task("once", "hi"), change))
		}
	}},
	{"a spent budget still ends in an answer", func(t *testing.T, world func(string) *World) {
		for name, change := range map[string]func(*rein.Budget){
			"tokens":     func(b *rein.Budget) { b.Tokens = 2000 },
			"tool calls": func(b *rein.Budget) { b.ToolCalls = 3 },
			"rounds":     func(b *rein.Budget) { b.Rounds = 3 },
			"time":       func(b *rein.Budget) { b.DrivenMS = 900 },
			"money":      func(b *rein.Budget) { b.Micros = 1600 },
		} {
			w := world("price in=1.00 out=2.00\n" + forEver)
			w.Begin()
			loop := with(task("loop", "go", "echo"), flows.Settings{Rounds: 1000})
			w.Start("r1", budget(loop, change))
			if end := w.End("r1"); end.End != rein.EndLimit || end.Text != "That is all." {
				t.Errorf("%s: ended as %+v %v", name, end, end.Failure)
			}
			w.WantWithinCap("r1")
			w.Verify()
			w.stop()
		}
	}},
	{"a budget is not reset by a restart", func(t *testing.T, world func(string) *World) {
		w := world(forEver)
		w.Begin()
		w.Start("r1", budget(with(task("loop", "go", "echo"), flows.Settings{Rounds: 1000}), func(b *rein.Budget) { b.ToolCalls = 6 }))
		calls := 0
		w.Until("three calls", func(e rein.Event) bool {
			if e.Kind == rein.StepDone {
				calls++
			}
			return calls == 6
		})
		w.Kill()
		w.Begin()
		w.WantEnd("r1", rein.EndLimit, "That is all.")
		ledger, err := w.Store.Ledger(context.Background(), "r1")
		if err != nil || ledger.Used.ToolCalls > 6 {
			t.Errorf("%+v %v", ledger, err)
		}
		w.Verify()
	}},
	{"children that race a small cap never pass it", func(t *testing.T, world func(string) *World) {
		w := world(forEver)
		w.Begin()
		child := with(task("loop", "go", "echo"), flows.Settings{Rounds: 1000})
		children := make([]rein.Task, 12)
		for i := range children {
			children[i] = child
		}
		crowd := with(task("crowd", "go", "echo"), flows.Settings{Children: children})
		w.Start("r1", budget(crowd, func(b *rein.Budget) { b.Tokens, b.Runs = 60_000, 20 }))
		if end := w.End("r1"); end.End != rein.EndDone || !strings.Contains(end.Text, "limit") {
			t.Errorf("ended as %+v", end)
		}
		w.WantWithinCap("r1")
		w.Verify()
	}},
	{"what is not used is given back", func(t *testing.T, world func(string) *World) {
		w := world("when\nsay hello\nusage in=7 out=2")
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.End("r1")
		ledger, err := w.Store.Ledger(context.Background(), "r1")
		want := rein.Amount{Rounds: 1, Tokens: 9, Runs: 1}
		ledger.Used.DrivenMS = 0
		if err != nil || ledger.Used != want {
			t.Errorf("used %+v %v, want %+v", ledger.Used, err, want)
		}
	}},
	{"what the log says of calls adds up to the ledger, whatever their providers report", func(t *testing.T, world func(string) *World) {
		for name, c := range map[string]struct{ script, flow string }{
			"no usage":               {"when\nsay hello\nusage none", "once"},
			"refused, then no usage": {"when\nfail rate_limited times=1\nsay hello\nusage none", "once"},
			"failed, then a reply":   {"when\nfail overloaded times=1\nsay hello\nusage in=7 out=2", "once"},
			"a repair is refused":    {"when phase=repair\nfail rate_limited\nturn 1\ncall look {\"n\":\"one\"}\nturn 2\nsay hello", "loop"},
			"a repair fails":         {"when phase=repair\nfail provider \"503\"\nturn 1\ncall look {\"n\":\"one\"}\nturn 2\nsay hello", "loop"},
			"a repair has no usage":  {"when phase=repair\nsay {\"n\": 1}\nusage none\nturn 1\ncall look {\"n\":\"one\"}\nturn 2\nsay hello", "loop"},
		} {
			w := world("price in=1.00 out=2.00\n" + c.script)
			w.Begin()
			w.Start("r1", task(c.flow, "hi", "look"))
			w.WantEnd("r1", rein.EndDone, "hello")
			ledger, err := w.Store.Ledger(context.Background(), "r1")
			if err != nil {
				t.Fatal(err)
			}
			said := w.said("r1")
			if n := said.Input + said.Output; n != ledger.Used.Tokens || said.Micros != ledger.Used.Micros {
				t.Errorf("%s: the log says %d tokens for %d, and the ledger %d for %d", name, n, said.Micros, ledger.Used.Tokens, ledger.Used.Micros)
			}
			w.Verify()
		}
	}},
	{"a provider that takes more than its bound is an overrun", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall echo {}\nusage in=900000 out=2000000\n\nwhen closing=yes\nsay That is all.\n\nturn 2\nsay no")
		w.Begin()
		w.Start("r1", task("loop", "go", "echo"))
		w.WantEnd("r1", rein.EndLimit, "That is all.")
		if end := w.stepEnd("r1", "1"); !end.Overrun {
			t.Errorf("step 1 is %+v", end)
		}
		ledger, err := w.Store.Ledger(context.Background(), "r1")
		if err != nil || ledger.Overrun.Tokens < 2_000_000 || ledger.Used.Minus(ledger.Overrun).Tokens > ledger.Cap.Tokens {
			t.Errorf("ledger %+v %v", ledger, err)
		}
		w.Verify()
	}},
	{"waiting for people is free", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		at := time.Now()
		w.Tweak = func(o *engine.Options) { o.Now = func() time.Time { return at } }
		w.Begin()
		w.Start("r1", budget(askTask(rein.Question{}), func(b *rein.Budget) { b.DrivenMS = 1 }))
		ask := w.UntilAsk("r1", 1)
		w.stop()
		at = at.Add(100 * time.Hour)
		w.Begin()
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "answered blue by ann")
	}},
}

// WantWithinCap wants the tree's ledger to be within its cap.
func (w *World) WantWithinCap(root rein.RunID) {
	w.Helper()
	ledger, err := w.Store.Ledger(context.Background(), root)
	if err != nil {
		w.Fatal(err)
	}
	if dim := ledger.Used.Minus(ledger.Overrun).Over(ledger.Cap.Amount, ledger.Used); dim != "" {
		w.Errorf("%s is over its cap: %+v", dim, ledger)
	}
}

// said adds up what the log says that calls took.
func (w *World) said(run rein.RunID) (sum rein.Usage) {
	w.Helper()
	add := func(u *rein.Usage) {
		if u != nil {
			sum.Input, sum.Output, sum.Micros = sum.Input+u.Input, sum.Output+u.Output, sum.Micros+u.Micros
		}
	}
	for _, e := range w.Events(run) {
		switch e.Kind {
		case rein.StepDone, rein.SubDone:
			end, err := rein.Payload[rein.StepEnd](e)
			if err != nil {
				w.Fatal(err)
			}
			add(end.Usage)
		case rein.StepWaiting:
			wait, err := rein.Payload[rein.Waiting](e)
			if err != nil {
				w.Fatal(err)
			}
			add(wait.Usage)
		}
	}
	return sum
}
