package rein

import "slices"

// A Mode says how much of a session's work waits for a person. It never allows what a policy or a ruling denies, nor
// what a policy asks for by name. People set it; no model, tool or memory can.
type Mode string

const (
	ModePlan    Mode = "plan"    // only tools that change nothing; the run ends in a plan, which a person accepts or declines
	ModeAsk     Mode = "ask"     // what wants approval is asked; the default
	ModeEdits   Mode = "edits"   // calls that rein can undo are not asked; see Tool.Undoable
	ModeSandbox Mode = "sandbox" // nor are commands that get nothing from outside their sandbox; see Ruling.Contained
)

// Modes lists the modes from strict to loose.
func Modes() []Mode { return []Mode{ModePlan, ModeAsk, ModeEdits, ModeSandbox} }

// Check says what is wrong with the mode, if anything. An empty one is right: it is ModeAsk, as in tasks of older
// programs.
func (m Mode) Check() error {
	if m == "" || slices.Contains(Modes(), m) {
		return nil
	}
	return Errorf(CodeInvalid, "there is no mode %.40q; available: plan, ask, edits, sandbox", string(m))
}

// Or returns the mode, or the other one if it is empty.
func (m Mode) Or(other Mode) Mode {
	if m == "" {
		return other
	}
	return m
}

// IsLooser reports whether the mode lets more through than the other one.
func (m Mode) IsLooser(than Mode) bool { return m.rank() > than.rank() }

// Within returns the mode, or the loosest one that is allowed if it is looser. An empty loosest allows every mode.
func (m Mode) Within(loosest Mode) Mode {
	if loosest != "" && m.IsLooser(loosest) {
		return loosest
	}
	return m
}

// rank orders modes from strict to loose. One that does not exist is as strict as can be.
func (m Mode) rank() int { return slices.Index(Modes(), m.Or(ModeAsk)) }

// Changes reports whether a call of the tool may change something: then plan mode neither offers nor runs it.
func (t Tool) Changes() bool { return t.Effect != Pure || t.Undoable || t.Writes }
