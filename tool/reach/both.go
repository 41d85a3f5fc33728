package reach

import "rein"

// Both is what two policies allow: what was frozen when a run started, and what holds now.
func Both(a, b rein.Reach) rein.Reach { return both{a, b} }

type both struct{ a, b rein.Reach }

// Path implements rein.Reach. What one of them hides is hidden.
func (t both) Path(path string) error {
	a, b := t.a.Path(path), t.b.Path(path)
	if a == nil || b != nil && rein.CodeOf(b) == rein.CodeNotFound {
		return b
	}
	return a
}

// Session implements rein.Reach.
func (t both) Session(household, user, session string) error {
	if err := t.a.Session(household, user, session); err != nil {
		return err
	}
	return t.b.Session(household, user, session)
}

// None refuses every file for a reason, and lets a run use those of its session.
func None(task *rein.Task, why error) rein.Reach {
	empty, _ := New(Options{}) // which cannot fail
	return none{empty.For(task), why}
}

type none struct {
	rein.Reach
	why error
}

func (n none) Path(string) error { return n.why }
