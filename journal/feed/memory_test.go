package feed_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"rein"
	"rein/journal/feed"
	"rein/store"
)

// counted counts how many logs are read, and how many of their events.
type counted struct {
	store.Reader
	logs, events atomic.Int64
}

func (c *counted) Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error] {
	c.logs.Add(1)
	return func(yield func(rein.Event, error) bool) {
		for e, err := range c.Reader.Events(ctx, run, after) {
			c.events.Add(1)
			if !yield(e, err) {
				return
			}
		}
	}
}

func newCounted(t *testing.T) (*rig, *counted) {
	r := newRig(t)
	c := &counted{Reader: r.Store}
	r.Feed = feed.New(c)
	t.Cleanup(r.Feed.Close)
	return r, c
}

// TestLiveFollowersReadNoLog follows a run as it grows: after it has caught up, a follower that keeps up gets every event,
// whole and in order, and the log is not read again.
func TestLiveFollowersReadNoLog(t *testing.T) {
	r, source := newCounted(t)
	r.start("r")
	r.append("r", began("1"))
	f := r.follow("r", feed.Options{})
	f.want("r:1 run.started ", "r:2 step.started 1")
	read := source.logs.Load()
	for n := 1; n <= 40; n++ {
		r.append("r", done(rein.StepKey(fmt.Sprint(n)), strings.Repeat("long ", 100)), began(rein.StepKey(fmt.Sprint(n+1))))
		for _, want := range []int64{int64(2*n + 1), int64(2*n + 2)} {
			got := f.next()
			inLog, err := r.Store.Event(t.Context(), "r", want)
			if err != nil || got.Event == nil || got.Cursor != fmt.Sprint(want) || fmt.Sprint(*got.Event) != fmt.Sprint(inLog) {
				t.Fatalf("got %+v, and the log has %+v, %v", got, inLog, err)
			}
		}
	}
	r.append("r", ended())
	f.want("r:83 run.completed ")
	f.wantEnd("")
	if n := source.logs.Load() - read; n > 1 { // one that began before the first event came
		t.Errorf("the log was read %d times while the follower kept up", n)
	}
	rest := r.follow("r", feed.Options{After: "81"})
	rest.want("r:82 step.started 41", "r:83 run.completed ")
	rest.wantEnd("")
}

// TestSlowFollowersReadTheLog falls behind by more than a follower may leave in memory, by number and by size, and misses
// nothing.
func TestSlowFollowersReadTheLog(t *testing.T) {
	for name, c := range map[string]struct{ events, size int }{"many": {200, 10}, "large": {10, 100_000}, "few": {3, 10}} {
		r, source := newCounted(t)
		r.start("r")
		f := r.follow("r", feed.Options{})
		f.want("r:1 run.started ")
		r.append("r", began("0"))
		f.want("r:2 step.started 0")
		r.append("r", began("x")) // it is offered this, and does not take it
		before := source.events.Load()
		for n := range c.events {
			r.append("r", done(rein.StepKey(fmt.Sprint(n)), strings.Repeat("x", c.size)))
		}
		r.append("r", ended())
		f.want(r.log("r")[2:]...)
		f.wantEnd("")
		if name != "few" && source.events.Load() == before {
			t.Errorf("%s: all of it was kept in memory", name)
		}
	}
}
