package enginetest

import (
	"context"
	"testing"

	"rein"
	"rein/engine/enginetest/flows"
)

// Covers: LAW-8 ENG-30 ENG-31
var races = []test{
	{"sub-agents that race for little money do not overspend it", func(t *testing.T, world func(string) *World) {
		w := world("price in=3.00 out=15.00\nwhen turn=1..6\nsay thinking about it\ncall echo {}\nusage in=60 out=100\n\nwhen\nsay done\nusage in=60 out=100")
		const most = 64
		var children []rein.Task
		for range most {
			children = append(children, task("loop", "go", "echo"))
		}
		tree := with(task("crowd", "go", "echo"), flows.Settings{Children: children})
		money := int64(400_000) // of which 64 sub-agents would like far more
		w.Begin()
		w.Start("r1", budget(tree, func(b *rein.Budget) { b.Micros, b.Runs, b.Depth = money, most+1, 1 }))
		w.End("r1")
		ledger, err := w.Store.Ledger(context.Background(), "r1")
		if err != nil || ledger.Used.Micros > money || ledger.Overrun != (rein.Amount{}) {
			t.Errorf("used %+v, overrun %+v, of %d (%v)", ledger.Used, ledger.Overrun, money, err)
		}
		if n := len(w.Model.Calls()); n < 10 || n > most*7 {
			t.Errorf("%d model calls were made: the race is none", n)
		}
		w.Verify()
	}},
}
