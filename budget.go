package rein

import (
	"fmt"
	"slices"
	"time"
)

// An Amount is a part of a budget. In the Spend of an event it has a sign: a reservation is positive, and a
// settlement is what was used minus what was reserved.
type Amount struct {
	Rounds    int64 `json:"rounds,omitempty"`
	ToolCalls int64 `json:"tool_calls,omitempty"`
	Tokens    int64 `json:"tokens,omitempty"`
	Micros    int64 `json:"micros,omitempty"`    // millionths of the currency unit
	DrivenMS  int64 `json:"driven_ms,omitempty"` // time in model and tool calls; waiting for people is free
	Runs      int64 `json:"runs,omitempty"`      // the root and all runs below it
}

// Dimensions names the parts of an Amount, in the order of Parts.
var Dimensions = [...]string{"rounds", "tool_calls", "tokens", "micros", "driven_ms", "runs"}

// IsQuota reports whether what ran out is a limit of a user or household, not of the tree.
func IsQuota(dim string) bool {
	return dim != "" && dim != DimRepeats && !slices.Contains(Dimensions[:], dim)
}

// DimRepeats is the Dim of a CodeBudget error if nothing ran out but the patience with a model that makes
// the same call again and again. As with a spent budget the run may only close.
const DimRepeats = "repeats"

// Parts returns the amount as a vector.
func (a Amount) Parts() [len(Dimensions)]int64 {
	return [...]int64{a.Rounds, a.ToolCalls, a.Tokens, a.Micros, a.DrivenMS, a.Runs}
}

// AmountOf is the inverse of Parts.
func AmountOf(p [len(Dimensions)]int64) Amount {
	return Amount{Rounds: p[0], ToolCalls: p[1], Tokens: p[2], Micros: p[3], DrivenMS: p[4], Runs: p[5]}
}

// Plus returns a + b.
func (a Amount) Plus(b Amount) Amount {
	p, q := a.Parts(), b.Parts()
	for i := range p {
		p[i] += q[i]
	}
	return AmountOf(p)
}

// Minus returns a - b.
func (a Amount) Minus(b Amount) Amount {
	p, q := a.Parts(), b.Parts()
	for i := range p {
		p[i] -= q[i]
	}
	return AmountOf(p)
}

// Positive returns the amount with its negative parts set to zero.
func (a Amount) Positive() Amount {
	p := a.Parts()
	for i := range p {
		p[i] = max(p[i], 0)
	}
	return AmountOf(p)
}

// Over returns the name of the first part of a that exceeds the cap, or "". Parts that do not grow
// (growth ≤ 0) are not looked at, so that a step that needs no tokens may run when they are spent.
func (a Amount) Over(cap, growth Amount) string {
	p, c, g := a.Parts(), cap.Parts(), growth.Parts()
	for i := range p {
		if g[i] > 0 && p[i] > c[i] {
			return Dimensions[i]
		}
	}
	return ""
}

// A Budget limits what a tree of runs may use, and how deep the tree may become.
type Budget struct {
	Amount
	Depth int `json:"depth"` // 0: no children
}

// DefaultBudget is what a run gets that brings none.
func DefaultBudget() Budget {
	return Budget{
		Amount: Amount{
			Rounds: 200, ToolCalls: 400, Tokens: 2_000_000, Micros: 5_000_000,
			DrivenMS: time.Hour.Milliseconds(), Runs: 32,
		},
		Depth: 2,
	}
}

// MaxBudget is the most that a caller may ask for, unless the engine is given another ceiling.
func MaxBudget() Budget {
	return Budget{
		Amount: Amount{
			Rounds: 100_000, ToolCalls: 100_000, Tokens: 1_000_000_000, Micros: 10_000_000_000,
			DrivenMS: 30 * 24 * time.Hour.Milliseconds(), Runs: 10_000,
		},
		Depth: 16,
	}
}

// Check says what is wrong with a budget, if anything. Every part must be given: a part that is
// zero could only mean "nothing at all", which no run can work with.
func (b Budget) Check(ceiling Budget) error {
	p, c := b.Parts(), ceiling.Parts()
	for i, name := range Dimensions {
		if p[i] < 1 || p[i] > c[i] {
			return Errorf(CodeInvalid, "budget %s is %d; it must be from 1 to %d", name, p[i], c[i])
		}
	}
	if b.Depth < 0 || b.Depth > ceiling.Depth {
		return Errorf(CodeInvalid, "budget depth is %d; it must be from 0 to %d", b.Depth, ceiling.Depth)
	}
	return nil
}

// A Ledger is the account of one tree of runs: the sum of the Spend of all its events.
type Ledger struct {
	Root    RunID  `json:"root"`
	Cap     Budget `json:"cap"`
	Used    Amount `json:"used"`             // used and reserved
	Overrun Amount `json:"overrun,omitzero"` // the part of used that providers reported beyond what was reserved
}

// Reserve says whether the amount still fits, as an error with CodeBudget that names what ran out.
func (l Ledger) Reserve(a Amount) error {
	if dim := l.Used.Plus(a).Over(l.Cap.Amount, a); dim != "" {
		return &Error{Code: CodeBudget, Dim: dim, Msg: fmt.Sprintf("budget of run %s is spent: no %s left for this step", l.Root, dim)}
	}
	return nil
}
