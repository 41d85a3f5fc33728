package server_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
)

// A hearer hears what changes, over real clients.
type hearer struct {
	*testing.T
	who   string
	hints chan api.Hint
	err   chan error
	stop  context.CancelFunc
}

func hear(t *testing.T, c *client.Client, who string) *hearer {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	h := &hearer{T: t, who: who, hints: make(chan api.Hint), err: make(chan error, 1), stop: cancel}
	t.Cleanup(cancel)
	go func() {
		defer close(h.err)
		for hint, err := range c.Live(ctx) {
			if err != nil {
				h.err <- err
				return
			}
			select {
			case h.hints <- hint:
			case <-ctx.Done():
				return
			}
		}
	}()
	if first := h.next(); !first.Hello {
		t.Fatalf("%s hears %+v first", who, first)
	}
	return h
}

func (h *hearer) next() api.Hint {
	h.Helper()
	select {
	case hint := <-h.hints:
		return hint
	case err := <-h.err:
		h.Fatalf("%s hears no more: %v", h.who, err)
	case <-time.After(patience):
		h.Fatalf("%s hears nothing", h.who)
	}
	return api.Hint{}
}

// until reads hints up to one of which the condition holds, and returns all of them as one.
func (h *hearer) until(what string, is func(all api.Hint) bool) (all api.Hint) {
	h.Helper()
	h.Logf("%s waits for %s", h.who, what)
	for !is(all) {
		hint := h.next()
		all.Hello, all.Asks = all.Hello || hint.Hello, all.Asks || hint.Asks
		all.Runs, all.Sessions = append(all.Runs, hint.Runs...), append(all.Sessions, hint.Sessions...)
	}
	return all
}

func (h *hearer) untilSession(id string) api.Hint {
	h.Helper()
	return h.until("session "+id, func(all api.Hint) bool { return slices.Contains(all.Sessions, id) })
}

func (h *hearer) untilAsks() api.Hint {
	h.Helper()
	return h.until("asks", func(all api.Hint) bool { return all.Asks })
}

// TestLiveIsPrivate lets several people hear what happens: each of their own, and who sees the whole household of all of it.
func TestLiveIsPrivate(t *testing.T) {
	r := newRig(t)
	users := map[string]*hearer{"owner": hear(t, r.Client, "owner")}
	for _, who := range []string{"ann", "bob", "stranger"} {
		users[who] = hear(t, r.as(who), who)
	}
	asks := task("ask", "")
	asks.Session = "anns"
	_, err := r.as("ann").Start(t.Context(), "a", asks)
	check(t, err)
	heard := map[string]api.Hint{}
	for _, who := range []string{"ann", "owner"} {
		heard[who] = users[who].untilAsks()
	}
	ask, err := r.as("ann").Ask(t.Context(), "a:1.ask")
	check(t, err)
	_, err = r.as("ann").Answer(t.Context(), ask.ID, api.Answer{Answer: rein.Answer{State: rein.AskAnswered, Text: "yes", Shown: ask.Shown}})
	check(t, err)
	for _, who := range []string{"ann", "owner"} {
		users[who].untilAsks()
	}
	follow(t, r.as("ann"), "a", followAll).wantEnd()
	title := "garden"
	_, err = r.as("ann").ChangeSession(t.Context(), "anns", api.ChangedSession{Title: &title})
	check(t, err)
	// What others hear next is their own, so nothing came in between.
	for _, who := range []string{"bob", "stranger"} {
		own := task("chat", "hi")
		own.Session = who + "s"
		_, err := r.as(who).Start(t.Context(), rein.RunID(who), own)
		check(t, err)
		heard[who] = users[who].untilSession(who + "s")
	}
	for who, hint := range heard {
		sees := who == "ann" || who == "owner"
		if slices.Contains(hint.Runs, "a") != sees || slices.Contains(hint.Sessions, "anns") != sees || hint.Asks != sees {
			t.Errorf("%s hears %+v", who, hint)
		}
	}
	if all := users["owner"].untilSession("bobs"); slices.Contains(all.Runs, "stranger") {
		t.Errorf("the owner hears of another household: %+v", all)
	}
}

// TestLiveHearsArrangements hears of titles, pins, archives, feedback and erasures, which no log has.
func TestLiveHearsArrangements(t *testing.T) {
	r := newRig(t)
	ann := r.as("ann")
	first := task("chat", "hi")
	first.Session = "s"
	_, err := ann.Start(t.Context(), "a", first)
	check(t, err)
	follow(t, ann, "a", followAll).wantEnd()
	h, title, yes := hear(t, ann, "ann"), "garden", true
	for _, change := range []api.ChangedSession{{Title: &title}, {Pinned: &yes}, {Archived: &yes}} {
		_, err := ann.ChangeSession(t.Context(), "s", change)
		check(t, err)
		if hint := h.untilSession("s"); len(hint.Runs) > 0 || hint.Asks {
			t.Errorf("too much: %+v", hint)
		}
	}
	_, err = ann.GiveFeedback(t.Context(), "a", api.NewFeedback{Rating: string(api.RatingUp)})
	check(t, err)
	h.until("feedback", func(all api.Hint) bool { return slices.Contains(all.Runs, "a") })
}

// TestLiveBeginsAgain cuts the server off and starts it again: the client comes back, and begins with a hello.
func TestLiveBeginsAgain(t *testing.T) {
	r := newRig(t)
	h := hear(t, r.Client, "owner")
	r.stop()
	r.begin()
	h.until("another hello", func(all api.Hint) bool { return all.Hello })
	r.start("a", task("chat", "hi"))
	h.until("the run", func(all api.Hint) bool { return slices.Contains(all.Runs, "a") })
}
