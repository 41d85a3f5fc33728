package live

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/api"
)

func listener(every time.Duration) (*Hub, *Listener) {
	h := New(nil, Options{Every: every})
	l := &Listener{hub: h, who: rein.Identity{Household: "home", User: "ann", Role: rein.Member, Scopes: rein.Scopes()}, some: make(chan struct{}, 1)}
	h.listeners[l] = struct{}{}
	return h, l
}

// A listener who is slow hears all that changed at once, and no more often than it may.
func TestSlowListenersHearAllAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, l := listener(time.Second)
		begin := time.Now()
		for i := range 10 {
			h.Run(rein.RunInfo{ID: rein.RunID(fmt.Sprintf("r%d.1", i%3)), Household: "home", User: "ann"})
			h.Run(rein.RunInfo{ID: "other", Household: "home", User: "bob"})
		}
		hint, err := l.Next(t.Context(), time.Hour)
		if err != nil || !slices.Equal(hint.Runs, []rein.RunID{"r0", "r1", "r2"}) || time.Since(begin) != 0 {
			t.Fatalf("after %s: %+v, %v", time.Since(begin), hint, err)
		}
		h.Session("home", "ann", "s")
		hint, err = l.Next(t.Context(), time.Hour)
		if err != nil || !slices.Equal(hint.Sessions, []string{"s"}) || time.Since(begin) != time.Second {
			t.Fatalf("after %s: %+v, %v", time.Since(begin), hint, err)
		}
		if hint, err = l.Next(t.Context(), time.Hour); err != nil || hint.Hello || len(hint.Runs) > 0 || time.Since(begin) != time.Hour+time.Second {
			t.Fatalf("after %s: %+v, %v", time.Since(begin), hint, err)
		}
	})
}

// A listener who does not listen holds little: from some amount on it begins again.
func TestMemoryOfListenersIsBounded(t *testing.T) {
	h, l := listener(1)
	for i := range 3 * maxHeld {
		h.Run(rein.RunInfo{ID: rein.RunID(fmt.Sprintf("r%d", i)), Household: "home", User: "ann"})
		if len(l.runs) > maxHeld {
			t.Fatalf("it holds %d runs", len(l.runs))
		}
	}
	if hint, err := l.Next(t.Context(), time.Hour); err != nil || !hint.Hello || len(hint.Runs) > 0 {
		t.Errorf("it hears %+v, %v", hint, err)
	}
}

// What a household has outside of runs is heard by those who see it: what is one user's by that user and by whoever sees the
// whole household, what is everyone's by everyone, and nothing by other households.
//
// Covers: NEU-2
func TestTopicsOfHouseholds(t *testing.T) {
	h := New(nil, Options{Every: 1})
	listeners := map[string]*Listener{}
	for name, who := range map[string]rein.Identity{
		"ann": {Household: "home", User: "ann", Role: rein.Member}, "bob": {Household: "home", User: "bob", Role: rein.Member},
		"boss": {Household: "home", User: "boss", Role: rein.Owner}, "far": {Household: "far", User: "ann", Role: rein.Owner},
	} {
		who.Scopes = rein.Scopes()
		listeners[name] = &Listener{hub: h, who: who, some: make(chan struct{}, 1)}
		h.listeners[listeners[name]] = struct{}{}
	}
	for _, c := range []struct {
		user  string
		topic api.Topic
		heard []string
	}{{"ann", api.TopicAgenda, []string{"ann", "boss"}}, {"", api.TopicLists, []string{"ann", "bob", "boss"}}} {
		h.Household("home", c.user, c.topic)
		h.Household("home", c.user, c.topic)
		for name, l := range listeners {
			want := []api.Topic(nil)
			if slices.Contains(c.heard, name) {
				want = []api.Topic{c.topic}
			}
			if hint := l.take(); !slices.Equal(hint.Household, want) || hint.Hello {
				t.Errorf("%s of %q: %s hears %+v", c.topic, c.user, name, hint)
			}
		}
	}
}
