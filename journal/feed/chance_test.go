package feed_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/journal/feed"
)

// TestChance lets runs of a tree write events and text at the same time, while followers come and go
// and read as slowly as they like. Each must have every event once and in order, the end of the root
// last, and of every text a beginning without gaps that came before the step was done.
//
// Covers: LAW-1
func TestChance(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.start("r")
			var writing, reading sync.WaitGroup
			for i := range 6 {
				reading.Go(func() { r.watch(t, rand.New(rand.NewPCG(seed, uint64(i)))) })
			}
			for i := range 4 {
				writing.Go(func() { r.play(rein.RunID(fmt.Sprintf("r.%d", i)), 12) })
			}
			writing.Go(func() { r.steps("r", 12) })
			writing.Wait()
			r.append("r", ended())
			reading.Wait()
		})
	}
}

// play is a child's life, with a child of its own.
func (r *rig) play(id rein.RunID, steps int) {
	r.start(id)
	r.steps(id, steps)
	if id.Depth() < 2 {
		r.play(id+".1", steps)
	}
	r.append(id, ended())
}

func (r *rig) steps(id rein.RunID, steps int) {
	for n := range steps {
		step := rein.StepKey(fmt.Sprint(n + 1))
		r.append(id, began(step))
		for i := range 10 {
			r.say(id, step, 1, 2*i, fmt.Sprintf("%d,", i))
		}
		r.append(id, done(step, "0,1,2,3,4,5,6,7,8,9,"))
	}
}

// watch follows the tree over several connections, each cut off after a random number of lines.
func (r *rig) watch(t *testing.T, random *rand.Rand) {
	w := watcher{T: t, seq: map[rein.RunID]int64{}, texts: map[string]string{}, open: map[string]bool{}}
	o := feed.Options{Tree: true}
	for !w.over {
		clear(w.texts) // a new connection begins texts again
		left := random.IntN(40)
		for line, err := range r.Feed.Follow(t.Context(), "r", o) {
			if err != nil {
				t.Error(err)
				return
			}
			w.take(line)
			if line.Cursor != "" {
				o.After = line.Cursor
			}
			if left--; left == 0 || t.Failed() {
				break
			}
		}
		if t.Failed() {
			return
		}
	}
	for id, seq := range w.seq {
		if want := int64(len(r.log(id))); seq != want {
			t.Errorf("run %s: %d events, want %d", id, seq, want)
		}
	}
	if len(w.seq) != 9 {
		t.Errorf("%d runs, want 9", len(w.seq))
	}
}

type watcher struct {
	*testing.T
	seq   map[rein.RunID]int64
	texts map[string]string
	open  map[string]bool
	over  bool
}

func (w *watcher) take(line feed.Line) {
	if w.over {
		w.Errorf("%s comes after the end", show(line))
	}
	if d := line.Delta; d != nil {
		key := string(d.Run) + " " + string(d.Step)
		if !w.open[key] {
			w.Errorf("text of step %s comes outside it", key)
		}
		if len(w.texts[key]) != d.Offset || !strings.HasPrefix("0,1,2,3,4,5,6,7,8,9,", w.texts[key]+d.Text) {
			w.Errorf("text of step %s is %q, then %q at %d", key, w.texts[key], d.Text, d.Offset)
		}
		w.texts[key] += d.Text
		return
	}
	e := line.Event
	if e.Seq != w.seq[e.Run]+1 {
		w.Errorf("event %d of %s comes after %d", e.Seq, e.Run, w.seq[e.Run])
	}
	w.seq[e.Run] = e.Seq
	w.open[string(e.Run)+" "+string(e.Step)] = e.Kind == rein.StepStarted
	w.over = e.Run == "r" && e.Kind.Ends()
}
