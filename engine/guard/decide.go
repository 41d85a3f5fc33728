package guard

import (
	"fmt"

	"rein"
)

// A Case is a call that is about to be made, with all that decides whether somebody must agree to it.
type Case struct {
	Tool    rein.Tool
	Policy  rein.Policy
	Ruling  rein.Ruling // of a tool that Rules
	Mode    rein.Mode
	Guessed bool   // rein guessed the call from what the model wrote
	Hazard  string // why no mode lets the call through; see rein.Shown
}

// A Decision is what becomes of a call, and what decided that.
type Decision struct {
	Verdict rein.Verdict
	By      string // see the constants; for a call that a mode lets through, "mode " and its name
	Why     string // of a call that is denied, for the model and for people
}

// What decides about a call; see rein.Intent.
const (
	ByAsk    = "ask"    // a person agreed to it
	ByPolicy = "policy" // its tool is named there
	ByRule   = "rule"   // the tool ruled on it, with what people allowed in advance
	ByTool   = "tool"   // its tool asks, or asks nobody
	ByGuess  = "guess"  // rein guessed it, and it cannot be undone
	ByHazard = "hazard" // the tool says that a person has to look at it
)

// ByMode names a mode as what decided.
func ByMode(m rein.Mode) string { return "mode " + string(m.Or(rein.ModeAsk)) }

// Decide judges a call. The first that applies counts, so a mode never lets through what a policy or a ruling denies
// or what a policy asks for by name. A policy that allows a tool that Rules means calls that are contained: whoever
// allowed all of them in advance did not see which one wants the network or a path outside.
func Decide(c Case) Decision {
	switch {
	case c.Policy.Denies(c.Tool):
		return Decision{rein.Denied, ByPolicy, ""}
	case c.Tool.Rules && c.Ruling.Verdict == rein.Denied:
		return Decision{rein.Denied, ByRule, c.Ruling.Why}
	case BarredByPlan(c.Tool, c.Mode):
		return Decision{rein.Denied, ByMode(c.Mode), PlanRefuses(c.Tool)}
	case c.Policy.Asks(c.Tool):
		return Decision{rein.MustAsk, ByPolicy, ""}
	case c.Guessed && c.Tool.Effect == rein.Unsafe:
		return Decision{rein.MustAsk, ByGuess, ""}
	case c.Policy.Allows(c.Tool) && (!c.Tool.Rules || c.Ruling.Contained):
		return Decision{rein.Allowed, ByPolicy, ""}
	case c.Hazard != "":
		return Decision{rein.MustAsk, ByHazard, ""}
	case c.Tool.Rules && c.Ruling.Verdict == rein.Allowed:
		return Decision{rein.Allowed, ByRule, ""}
	case !c.Tool.Rules && !c.Policy.Wants(c.Tool):
		return Decision{rein.Allowed, ByTool, ""}
	case c.letThrough():
		return Decision{rein.Allowed, ByMode(c.Mode), ""}
	case c.Tool.Rules:
		return Decision{rein.MustAsk, ByRule, ""}
	}
	return Decision{rein.MustAsk, ByTool, ""}
}

// letThrough reports whether the mode allows what would usually be asked.
func (c Case) letThrough() bool {
	switch c.Mode {
	case rein.ModeEdits:
		return c.Tool.Undoable
	case rein.ModeSandbox:
		return c.Tool.Undoable || c.Tool.Rules && c.Ruling.Contained
	}
	return false
}

// BarredByPlan reports whether the tool is neither offered nor run in this mode. What flows read for themselves is.
func BarredByPlan(t rein.Tool, m rein.Mode) bool {
	return m == rein.ModePlan && t.Changes() && !t.Internal
}

// PlanRefuses says why a call is not made in plan mode.
func PlanRefuses(t rein.Tool) string {
	return fmt.Sprintf("the session is in plan mode, and %s changes something: write the step into your plan", t.Name)
}
