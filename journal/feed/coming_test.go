package feed_test

import (
	"context"
	"errors"
	"iter"
	"strconv"
	"testing"

	"rein"
	"rein/journal/feed"
	"rein/store"
)

// unread is a store whose logs and rows cannot be read.
type unread struct{ store.Reader }

var errUnread = errors.New("it is read")

func (unread) Run(context.Context, rein.RunID) (rein.RunInfo, error) {
	return rein.RunInfo{}, errUnread
}

func (unread) Events(context.Context, rein.RunID, int64) iter.Seq2[rein.Event, error] {
	return func(yield func(rein.Event, error) bool) { yield(rein.Event{}, errUnread) }
}

// linesOf follows to the end.
func linesOf(t *testing.T, lines iter.Seq2[feed.Line, error]) (got []string) {
	t.Helper()
	for line, err := range lines {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, show(line))
	}
	return got
}

func wantLines(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("lines are %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// TestComing follows runs from before they start: nothing is read back of a new one, unless it has too many events,
// and one that was there before comes from its beginning.
//
// Covers: LAW-1
func TestComing(t *testing.T) {
	r := newRig(t)
	blind := feed.New(unread{r.Store})
	defer blind.Close()
	c := blind.Coming("new", feed.Options{})
	defer c.Leave()
	r.start("new")
	r.append("new", began("1"), done("1", "x"))
	r.append("new", ended())
	wantLines(t, linesOf(t, c.Follow(t.Context(), true)), r.log("new"))

	r.start("old")
	old := r.Feed.Coming("old", feed.Options{After: "1"})
	defer old.Leave()
	r.append("old", began("1"), ended())
	wantLines(t, linesOf(t, old.Follow(t.Context(), false)), r.log("old"))

	long := r.Feed.Coming("long", feed.Options{Tree: true})
	defer long.Leave()
	r.start("long")
	for n := range 50 {
		step := rein.StepKey(strconv.Itoa(n + 1))
		r.append("long", began(step), done(step, "x"))
	}
	r.append("long", ended())
	wantLines(t, linesOf(t, long.Follow(t.Context(), true)), r.log("long"))
}

// TestComingLeaves follows a run that is not started after all.
func TestComingLeaves(t *testing.T) {
	r := newRig(t)
	c := r.Feed.Coming("r", feed.Options{})
	if followers, _ := r.Feed.Held(); followers != 1 {
		t.Errorf("%d follow it, want 1", followers)
	}
	c.Leave()
	if followers, _ := r.Feed.Held(); followers != 0 {
		t.Errorf("%d still follow it", followers)
	}
	var none *feed.Coming
	none.Leave()
}
