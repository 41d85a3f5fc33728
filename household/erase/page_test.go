package erase_test

import (
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/household/erase"
	"rein/household/feedback"
	"rein/household/page"
)

// The title that somebody gave a session goes with a run of it, which it may quote, with the session and with the user.
func TestMarksGoWithTheirSession(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]erase.Target{"run": {Run: "r1"}, "session": {Session: "s1"}, "user": {User: "ann"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.said("r1", "ann", "s1", "Said.")
			h.said("r2", "bob", "s2", "Said.")
			book := page.Book{Tables: h.store}
			for _, m := range []page.Mark{{User: "ann", Session: "s1", Title: "PLANTED title"}, {User: "bob", Session: "s2", Title: "KEPT title"}} {
				_, err := book.Change(t.Context(), "home", m.User, m.Session, page.Change{Title: &m.Title})
				h.check(err)
			}
			if len(h.everywhere("PLANTED")) == 0 {
				t.Fatal("it is not found before either")
			}
			done := h.erases(owner, target)
			if !slices.Contains(names(done), "session mark s1") || slices.Contains(names(done), "session mark s2") {
				t.Errorf("erased: %q", names(done))
			}
			if got := h.everywhere("PLANTED"); len(got) > 0 {
				t.Errorf("%q hold it", got)
			}
			if m, err := book.Mark(t.Context(), "home", "s2"); err != nil || m.Title != "KEPT title" {
				t.Errorf("bob has %+v, %v", m, err)
			}
		})
	}
}

// What people thought of a run goes with the run and with the user who thought it; what the web page keeps for a user goes
// with the user alone.
func TestFeedbackAndPagesGo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target erase.Target
		goes   []string
	}{
		"run":     {erase.Target{Run: "r1"}, []string{"feedback on run r1", "feedback on run r1"}},
		"session": {erase.Target{Session: "s1"}, []string{"feedback on run r1", "feedback on run r1"}},
		"user":    {erase.Target{User: "ann"}, []string{"what the web page keeps", "feedback on run r1", "feedback on run r1", "feedback on run r2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.said("r1", "ann", "s1", "Said.")
			h.said("r2", "bob", "s2", "Said.")
			thoughts, book := feedback.Book{Tables: h.store}, page.Book{Tables: h.store}
			for _, user := range []string{"ann", "bob"} {
				h.check(book.Keep(t.Context(), "home", user, []byte(`{"of":"PLANTED `+user+`"}`)))
				for _, run := range []rein.RunID{"r1", "r2"} {
					h.check(thoughts.Give(t.Context(), feedback.Feedback{Household: "home", Run: run, User: user, Rating: feedback.Up, Comment: "PLANTED " + user + " " + string(run)}))
				}
			}
			var got []string
			for _, name := range names(h.erases(owner, c.target)) {
				if kind, rest, _ := strings.Cut(name, " "); kind == "feedback" || kind == "page" {
					got = append(got, rest)
				}
			}
			if !slices.Equal(got, c.goes) {
				t.Errorf("listed are %q, want %q", got, c.goes)
			}
			of, err := thoughts.Of(t.Context(), "home", "r1")
			h.check(err)
			if len(of) != 0 {
				t.Errorf("there is still %+v", of)
			}
			for user, stays := range map[string]bool{"ann": c.target.User == "", "bob": true} {
				kept, err := book.Kept(t.Context(), "home", user)
				h.check(err)
				if stays != strings.Contains(string(kept.Data), "PLANTED "+user) {
					t.Errorf("the page keeps %s for %s", kept.Data, user)
				}
			}
			if of, err = thoughts.Of(t.Context(), "home", "r2"); err != nil || (len(of) == 2) != (c.target.User == "") {
				t.Errorf("of the other run there is %+v, %v", of, err)
			}
		})
	}
}
