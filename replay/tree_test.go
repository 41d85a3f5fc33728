package replay_test

import (
	"context"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/internal/flowtest"
	"rein/replay"
	"rein/store"
	"rein/tool/tree"
)

// TestForksArePlayedAgain plays a run whose tools forked others: they are forked again, and everything is as it was.
//
// Covers: TREE-40 LAW-2
func TestForksArePlayedAgain(t *testing.T) {
	t.Parallel()
	agents, err := tree.Tools()
	if err != nil {
		t.Fatal(err)
	}
	w := flowtest.World(t, time.Minute, `
when run=r1 results=0
call fork {"prompt": "A"}
call fork {"prompt": "B"}
call wait {"handle": 2}
call wait {"handle": 1}
call wait {"handle": 9}
when run=r1
say over
when user=A
say a
when user=B
fail invalid "no such thing"
`)
	tweak := w.Tweak
	w.Tweak = func(o *engine.Options) {
		tweak(o)
		for _, t := range agents {
			o.Worker.Tools[t.Name] = t
		}
	}
	w.Begin()
	w.Start("r1", rein.Task{Flow: "operate", Tools: tree.Names(), Messages: []rein.Message{{Role: rein.User, Text: "go"}}})
	w.WantEnd("r1", rein.EndDone, "over")
	var log []rein.Event
	for info, err := range w.Store.Runs(context.Background(), store.Filter{Tree: "r1"}) {
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, w.Events(info.ID)...)
	}
	tape, err := replay.TapeOf(log, "r1", w.Options.Worker, rein.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if d := play(t, tape); d != nil {
		t.Error(d)
	}
}
