package guard_test

import (
	"fmt"
	"testing"

	"rein"
	"rein/engine/guard"
)

// A cell is one row of the decision table, in plain words.
type cell struct {
	policy    string // "", allow, ask, deny or usual
	approval  bool
	rules     bool
	ruling    rein.Verdict
	contained bool
	granted   bool // a person allowed such calls in advance; a ruling that asks allows it then
	undoable  bool
	writes    bool
	internal  bool
	effect    rein.Effect
	guessed   bool
	mode      rein.Mode
	hazard    bool
}

// given is the cell as the engine sees it.
func (c cell) given() guard.Case {
	t := rein.Tool{Name: "t", Effect: c.effect, Approval: c.approval, Rules: c.rules, Undoable: c.undoable, Writes: c.writes, Internal: c.internal}
	g := guard.Case{Tool: t, Mode: c.mode, Guessed: c.guessed}
	if c.hazard {
		g.Hazard = "because"
	}
	switch names := []string{"other", "t"}; c.policy {
	case "allow":
		g.Policy.Allow = names
	case "ask":
		g.Policy.Ask, g.Policy.Allow = names, names // whoever asks is heard before whoever allows
	case "deny":
		g.Policy.Deny, g.Policy.Allow = names, names
	case "usual":
		g.Policy.Usual = names
	}
	if c.rules {
		g.Ruling = rein.Ruling{Verdict: c.ruling, Why: "because", Contained: c.contained}
		if c.granted && c.ruling == rein.MustAsk {
			g.Ruling.Verdict = rein.Allowed
		}
	}
	return g
}

// wanted states the rules a second time, as what must hold and not as what is tried first: what forbids a call, what
// makes somebody be asked whatever else is said, and what makes them be asked unless something else lets it pass.
func (c cell) wanted() rein.Verdict {
	changes := c.effect != rein.Pure || c.undoable || c.writes
	forbidden := c.policy == "deny" || c.rules && c.ruling == rein.Denied || c.mode == rein.ModePlan && changes && !c.internal
	allows := c.policy == "allow" && (!c.rules || c.contained)
	mustAsk := c.policy == "ask" || c.guessed && c.effect == rein.Unsafe || c.hazard && !allows
	wantsAsk := c.approval && !c.rules || c.policy == "usual" && !c.rules || c.rules && c.ruling == rein.MustAsk && !c.granted
	free := allows ||
		(c.mode == rein.ModeEdits || c.mode == rein.ModeSandbox) && c.undoable ||
		c.mode == rein.ModeSandbox && c.rules && c.contained
	switch {
	case forbidden:
		return rein.Denied
	case mustAsk || wantsAsk && !free:
		return rein.MustAsk
	}
	return rein.Allowed
}

// cells are all of them.
func cells(yield func(cell) bool) {
	flags := []bool{false, true}
	for _, policy := range []string{"", "allow", "ask", "deny", "usual"} {
		for _, mode := range append(rein.Modes(), "") {
			for _, effect := range []rein.Effect{rein.Pure, rein.Idempotent, rein.Checkable, rein.Unsafe} {
				for _, ruling := range []rein.Verdict{rein.Allowed, rein.MustAsk, rein.Denied} {
					for bits := range 1 << 9 {
						on := func(i int) bool { return flags[bits>>i&1] }
						c := cell{policy, on(0), on(1), ruling, on(2), on(3), on(4), on(5), on(6), effect, on(7), mode, on(8)}
						if !yield(c) {
							return
						}
					}
				}
			}
		}
	}
}

// Attack: 55
func TestDecisionTable(t *testing.T) {
	t.Parallel()
	n, seen := 0, map[string]int{}
	for c := range cells {
		n++
		got, want := guard.Decide(c.given()), c.wanted()
		if got.Verdict != want {
			t.Fatalf("%+v: the verdict is %d (%s), want %d", c, got.Verdict, got.By, want)
		}
		seen[fmt.Sprint(got.Verdict, " ", got.By)]++
		checkNamed(t, c, got)
	}
	if n != 5*5*4*3*512 {
		t.Errorf("the table has %d rows", n)
	}
	for _, named := range []string{
		"0 policy", "0 rule", "0 tool", "0 mode edits", "0 mode sandbox",
		"1 policy", "1 rule", "1 tool", "1 guess", "1 hazard",
		"2 policy", "2 rule", "2 mode plan",
	} {
		if seen[named] == 0 {
			t.Errorf("nothing is decided as %q: %v", named, seen)
		}
		delete(seen, named)
	}
	if len(seen) > 0 {
		t.Errorf("also decided: %v", seen)
	}
}

// checkNamed holds that what is named as the reason is one: without it, the call would fare otherwise.
func checkNamed(t *testing.T, c cell, d guard.Decision) {
	t.Helper()
	without := c
	switch d.By {
	case guard.ByMode(rein.ModeEdits), guard.ByMode(rein.ModeSandbox), guard.ByMode(rein.ModePlan):
		if d.By != "mode "+string(c.mode) {
			t.Fatalf("%+v: decided by %q", c, d.By)
		}
		without.mode = rein.ModeAsk
	case guard.ByGuess:
		without.guessed = false
		if without.wanted() == rein.MustAsk {
			return // it would be asked anyway
		}
	case guard.ByHazard:
		without.hazard = false
		if without.wanted() == rein.MustAsk {
			return
		}
	default:
		return
	}
	if without.wanted() == d.Verdict {
		t.Fatalf("%+v: decided by %q, but without that it is the same", c, d.By)
	}
}

// TestModesAreOrdered holds that each mode lets through at least what the stricter one before it does.
func TestModesAreOrdered(t *testing.T) {
	t.Parallel()
	for c := range cells {
		if c.mode == "" {
			continue
		}
		looser := c
		for _, m := range rein.Modes() {
			if m.IsLooser(c.mode) {
				looser.mode = m
				if guard.Decide(looser.given()).Verdict > guard.Decide(c.given()).Verdict {
					t.Fatalf("%+v: mode %s is stricter", c, m)
				}
			}
		}
	}
}
