package feed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/journal/feed"
)

// TestFollow catches up, goes on live and ends after the run's end.
//
// Covers: LAW-1
func TestFollow(t *testing.T) {
	r := newRig(t)
	r.start("r")
	r.append("r", began("1"))
	f := r.follow("r", feed.Options{})
	f.want("r:1 run.started ", "r:2 step.started 1")
	r.append("r", done("1", "x"), began("2"))
	f.want("r:3 step.done 1", "r:4 step.started 2")
	r.append("r", ended())
	f.want("r:5 run.completed ")
	f.wantEnd("")
	late := r.follow("r", feed.Options{})
	late.want(r.log("r")...)
	late.wantEnd("")
	r.follow("r", feed.Options{After: "5"}).wantEnd("") // it has everything
	rest := r.follow("r", feed.Options{After: "4"})
	rest.want("r:5 run.completed ")
	rest.wantEnd("")
}

func TestFollowErrors(t *testing.T) {
	r := newRig(t)
	r.start("r", "r.1", "r.1.1", "s")
	for _, c := range []struct {
		run   rein.RunID
		after string
		tree  bool
		code  rein.Code
		says  string
	}{
		{"none", "", false, rein.CodeNotFound, `"none"`},
		{"none", "", true, rein.CodeNotFound, `"none"`},
		{"", "", false, rein.CodeInvalid, "empty"},
		{"r/..", "", false, rein.CodeInvalid, "letters"},
		{"r", "x", false, rein.CodeInvalid, "cursor"},
		{"r", "-1", false, rein.CodeInvalid, "cursor"},
		{"r", "01", false, rein.CodeInvalid, "cursor"},
		{"r", "+1", false, rein.CodeInvalid, "cursor"},
		{"r", "1 ", false, rein.CodeInvalid, "cursor"},
		{"r", "99999999999999999999", false, rein.CodeInvalid, "cursor"},
		{"r", "2", false, rein.CodeInvalid, "after the end"},
		{"r", "1,1=1", false, rein.CodeInvalid, "whole tree"},
		{"r", "1,", true, rein.CodeInvalid, "cursor"},
		{"r", "1,1", true, rein.CodeInvalid, "cursor"},
		{"r", "1,1=", true, rein.CodeInvalid, "cursor"},
		{"r", "1,=1", true, rein.CodeInvalid, "cursor"},
		{"r", "1,1=1,1=1", true, rein.CodeInvalid, "cursor"},
		{"r", "1,../s=1", true, rein.CodeInvalid, "cursor"},
		{"r", "1,1=2", true, rein.CodeInvalid, "after the end of the log of run r.1"},
		{"r", "1,9=1", true, rein.CodeInvalid, "not below"},
		{"r", strings.Repeat("1", 1<<20), true, rein.CodeInvalid, "cursor"},
	} {
		o := feed.Options{After: c.after, Tree: c.tree}
		err := r.Feed.Check(t.Context(), c.run, o)
		if rein.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.says) || len(err.Error()) > 500 {
			t.Errorf("%s after %.20q: %.300v", c.run, c.after, err)
		}
		r.follow(c.run, o).wantEnd(c.code)
		if _, _, err := r.Feed.Page(t.Context(), c.run, o, 10); rein.CodeOf(err) != c.code {
			t.Errorf("page of %s after %.20q: %v", c.run, c.after, err)
		}
	}
}

// TestText follows what models write: who comes late first gets the text so far, what was missed
// comes as one piece, and nothing comes after the step is done.
func TestText(t *testing.T) {
	r := newRig(t)
	r.start("r")
	r.append("r", began("1"))
	f := r.follow("r", feed.Options{})
	f.want("r:1 run.started ", "r:2 step.started 1")
	r.say("r", "1", 1, 0, "Once ")
	f.want("r 1 1@0 Once ")
	r.say("r", "1", 1, 5, "upon ")
	late := r.follow("r", feed.Options{After: "2"})
	late.want("r 1 1@0 Once upon ")
	f.want("r 1 1@5 upon ")
	r.append("r", done("1", "Once upon a time"))
	f.want("r:3 step.done 1")
	late.want("r:3 step.done 1")
	r.append("r", began("2"))
	f.want("r:4 step.started 2")
	r.follow("r", feed.Options{After: "3"}).want("r:4 step.started 2") // and no text of step 1
}

func TestTextOfAnotherAttempt(t *testing.T) {
	r := newRig(t)
	r.start("r")
	f := r.follow("r", feed.Options{})
	f.want("r:1 run.started ")
	r.say("r", "1", 1, 0, "first")
	f.want("r 1 1@0 first")
	r.say("r", "1", 2, 0, "second")
	f.want("r 1 2@0 second")
	r.say("r", "1", 1, 5, " too late")
	r.say("r", "1", 2, 99, "after a gap")
	r.say("r", "1", 2, 6, " half")
	f.want("r 1 2@6  half")
	// A piece may end within a character.
	r.say("r", "1", 2, 11, "a\xe2\x82")
	f.want("r 1 2@11 a")
	r.say("r", "1", 2, 14, "\xac!")
	f.want("r 1 2@12 €!")
}

// TestLongText is shown up to a bound; the log has all of it.
func TestLongText(t *testing.T) {
	r := newRig(t)
	r.start("r")
	f := r.follow("r", feed.Options{})
	f.want("r:1 run.started ")
	const piece = 1 << 20
	for i := range 6 {
		r.say("r", "1", 1, i*piece, strings.Repeat("x", piece))
	}
	r.append("r", done("1", ""))
	shown := 0
	for line := f.next(); line.Event == nil; line = f.next() {
		shown += len(line.Delta.Text)
	}
	if shown > 4*piece {
		t.Errorf("%d bytes are shown", shown)
	}
}

// TestTree follows runs as they start, and the end of the root comes last.
func TestTree(t *testing.T) {
	r := newRig(t)
	r.start("r", "r.1")
	f := r.follow("r", feed.Options{Tree: true})
	f.want("r.1:1 run.started ", "r:1 run.started ")
	r.start("r.1.7", "r.2")
	f.want("r.1.7:1 run.started ", "r.2:1 run.started ")
	r.say("r.1.7", "1", 1, 0, "deep")
	f.want("r.1.7 1 1@0 deep")
	alone := r.follow("r.1", feed.Options{})
	alone.want("r.1:1 run.started ")
	below := r.follow("r.1", feed.Options{Tree: true})
	below.want("r.1.7:1 run.started ", "r.1:1 run.started ", "r.1.7 1 1@0 deep")
	for _, id := range []rein.RunID{"r.1.7", "r.1", "r.2", "r"} {
		r.append(id, ended())
	}
	var got []string
	for last := r.log("r")[len(r.log("r"))-1]; !slices.Contains(got, last); {
		got = append(got, show(f.next()))
	}
	f.wantEnd("")
	for _, id := range []rein.RunID{"r.1.7", "r.1", "r.2"} {
		for _, line := range r.log(id)[1:] {
			if !slices.Contains(got, line) {
				t.Errorf("%q of %s is not among %q", line, id, got)
			}
		}
	}
}

// TestCursors leaves at every line and goes on from its cursor: together it is the whole, once.
func TestCursors(t *testing.T) {
	r := newRig(t)
	r.start("r", "r.3", "r.3.1-2", "r.x_-")
	for _, id := range []rein.RunID{"r.3.1-2", "r.3", "r.x_-", "r"} {
		r.append(id, began("1"), done("1", "x"))
	}
	for _, id := range []rein.RunID{"r.3.1-2", "r.3", "r.x_-", "r"} {
		r.append(id, ended())
	}
	whole := r.collect(t, "r", feed.Options{Tree: true}, -1)
	if want := len(r.log("r")) + len(r.log("r.3")) + len(r.log("r.3.1-2")) + len(r.log("r.x_-")); len(whole) != want {
		t.Fatalf("%d lines, want %d", len(whole), want)
	}
	for n := range whole {
		o := feed.Options{Tree: true}
		first := r.collect(t, "r", o, n+1)
		o.After = first[n].Cursor
		all := append(first, r.collect(t, "r", o, -1)...)
		seen := map[string]bool{}
		for _, line := range all {
			seen[show(line)] = true
		}
		if len(all) != len(whole) || len(seen) != len(whole) || show(all[len(all)-1]) != show(whole[len(whole)-1]) {
			t.Errorf("after line %d (%s): %d lines, %d of them different, want %d", n, o.After, len(all), len(seen), len(whole))
		}
	}
	pages, o := []feed.Line{}, feed.Options{Tree: true}
	for more := true; more; {
		var page []feed.Line
		var err error
		if page, more, err = r.Feed.Page(t.Context(), "r", o, 3); err != nil || len(page) > 3 {
			t.Fatalf("page of %d lines, %v", len(page), err)
		}
		pages = append(pages, page...)
		o.After = pages[len(pages)-1].Cursor
	}
	if len(pages) != len(whole) {
		t.Errorf("the pages have %d lines, want %d", len(pages), len(whole))
	}
}

// collect follows for so many lines, or to the end.
func (r *rig) collect(t *testing.T, run rein.RunID, o feed.Options, most int) (lines []feed.Line) {
	t.Helper()
	for line, err := range r.Feed.Follow(t.Context(), run, o) {
		if err != nil {
			t.Fatal(err)
		}
		if lines = append(lines, line); len(lines) == most {
			break
		}
	}
	return lines
}

// TestClose ends followers after what is durable, with an error that says why.
func TestClose(t *testing.T) {
	r := newRig(t)
	r.start("r")
	quick := r.follow("r", feed.Options{})
	quick.want("r:1 run.started ")
	slow := r.follow("r", feed.Options{})
	r.append("r", began("1"))
	r.Feed.Close()
	r.Feed.Close()
	quick.want("r:2 step.started 1")
	quick.wantEnd(rein.CodeUnavailable)
	slow.want("r:1 run.started ", "r:2 step.started 1")
	slow.wantEnd(rein.CodeUnavailable)
	late := r.follow("r", feed.Options{})
	late.want("r:1 run.started ", "r:2 step.started 1")
	late.wantEnd(rein.CodeUnavailable)
	r.say("r", "1", 1, 0, "nobody hears it")
}

func TestContextEnds(t *testing.T) {
	r := newRig(t)
	r.start("r")
	f := r.follow("r", feed.Options{})
	f.want("r:1 run.started ")
	f.cancel()
	if err := <-f.err; !errors.Is(err, context.Canceled) {
		t.Errorf("the feed ended with %v", err)
	}
}

// TestIdle yields an empty line whenever nothing has come for long, and only then.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.start("r")
		f := r.follow("r", feed.Options{Idle: 15 * time.Second})
		f.want("r:1 run.started ")
		began := time.Now()
		f.want("idle", "idle")
		if waited := time.Since(began); waited != 30*time.Second {
			t.Errorf("two idle lines in %s", waited)
		}
		time.Sleep(10 * time.Second) // of the bubble's time
		r.say("r", "1", 1, 0, "x")
		f.want("r 1 1@0 x")
		said := time.Now()
		f.want("idle")
		if waited := time.Since(said); waited != 15*time.Second {
			t.Errorf("an idle line %s after a piece of text", waited)
		}
		r.append("r", ended())
		f.want("r:2 run.completed ")
		f.wantEnd("")
	})
}

// TestNothingIsKept checks that what has ended, or has gone, takes no room.
func TestNothingIsKept(t *testing.T) {
	r := newRig(t)
	r.start("r", "s")
	f := r.follow("r", feed.Options{})
	f.want("r:1 run.started ")
	r.say("r", "1", 1, 0, "x")
	r.say("r", "2.repair", 1, 0, "y")
	r.say("s", "1", 1, 0, "z")
	if followers, texts := r.Feed.Held(); followers != 1 || texts != 3 {
		t.Errorf("%d followers and %d texts are held, want 1 and 3", followers, texts)
	}
	f.cancel()
	<-f.err
	r.append("r", done("1", "x"))
	if followers, texts := r.Feed.Held(); followers != 0 || texts != 2 {
		t.Errorf("%d followers and %d texts are held, want 0 and 2", followers, texts)
	}
	r.append("r", ended())
	r.append("s", ended())
	if _, texts := r.Feed.Held(); texts != 0 {
		t.Errorf("%d texts are held of runs that have ended", texts)
	}
}

// TestMore says of each line whether the next is ready: whoever sends lines on waits with the last only.
func TestMore(t *testing.T) {
	r := newRig(t)
	r.start("r")
	r.append("r", began("1"))
	r.Feed.OnDelta(rein.Delta{Run: "r", Step: "1", Attempt: 1, Text: "Hello"})
	lines := 0
	for line, err := range r.Feed.Follow(t.Context(), "r", feed.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		lines++
		if want := lines != 3 && lines != 5; line.More != want {
			t.Errorf("line %d: more is %v", lines, line.More)
		}
		if lines == 3 { // it has caught up
			r.append("r", done("1", "Hello"), ended())
		}
	}
	if lines != 5 {
		t.Errorf("%d lines came", lines)
	}
	for line := range r.Feed.Follow(t.Context(), "r", feed.Options{}) {
		if lines++; !line.More {
			t.Error("nothing follows the first line")
		}
		break
	}
	if lines != 6 {
		t.Errorf("%d lines came to one who leaves after the first", lines-5)
	}
}

// A text that is withdrawn begins again and has no words: a follower that was shown it hears of it at once, and one who
// comes later is shown nothing.
//
// Covers: NEU-21
func TestWithdrawnText(t *testing.T) {
	r := newRig(t)
	r.start("r")
	r.append("r", began("1"))
	r.say("r", "1", 1, 0, "I will.")
	seen := ""
	for line, err := range r.Feed.Follow(t.Context(), "r", feed.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if d := line.Delta; d != nil {
			seen += fmt.Sprintf("%d:%d:%s|", d.Attempt, d.Offset, d.Text)
			if d.Attempt == 1 {
				r.say("r", "1", 2, 0, "")
			} else {
				break
			}
		}
	}
	if seen != "1:0:I will.|2:0:|" {
		t.Errorf("shown was %q", seen)
	}
	for line, err := range r.Feed.Follow(t.Context(), "r", feed.Options{Idle: time.Nanosecond}) {
		if err != nil || line.Delta != nil {
			t.Fatalf("one who comes later: %+v, %v", line, err)
		}
		if line.Event == nil { // it has caught up
			break
		}
	}
}
