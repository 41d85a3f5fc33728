package rein

import (
	"slices"
	"time"
)

// A Policy decides in advance which tools a run may use. It is fixed when the run starts; the policy of the
// process can later make it stricter, never looser.
type Policy struct {
	Allow []string `json:"allow,omitempty"` // tools that run without approval, although they want it
	Ask   []string `json:"ask,omitempty"`   // tools that need approval, although they do not want it
	Deny  []string `json:"deny,omitempty"`  // tools that the model is not offered and that are refused if called
	// Usual lists the tools that asked for approval when the run started, because they are made so. Unlike Ask it
	// does not bind a mode or what a person allowed in advance.
	Usual []string `json:"usual,omitempty"`
	// Timeout is how long an approval waits for a person; 0 means without a limit.
	Timeout  time.Duration `json:"timeout,omitempty"`
	OnExpiry Expiry        `json:"on_expiry,omitempty"`
}

// IsZero reports whether the policy says nothing.
func (p Policy) IsZero() bool {
	return len(p.Allow)+len(p.Ask)+len(p.Deny)+len(p.Usual) == 0 && p.Timeout == 0 && p.OnExpiry == ""
}

// Verdict is what a policy says of a call, from loose to strict.
type Verdict int

const (
	Allowed Verdict = iota
	MustAsk
	Denied
)

// Stricter returns the stricter of two policies: a tool is allowed only if neither asks for it, and
// denied if one denies it.
func (p Policy) Stricter(q Policy) Policy {
	asked := union(p.Ask, q.Ask)
	return Policy{
		Allow: slices.DeleteFunc(slices.Clone(p.Allow), func(name string) bool { return slices.Contains(asked, name) }),
		Ask:   asked,
		Deny:  union(p.Deny, q.Deny),
		Usual: union(p.Usual, q.Usual),

		Timeout: p.Timeout, OnExpiry: p.OnExpiry,
	}
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// Denies reports whether the policy denies the tool.
func (p Policy) Denies(t Tool) bool { return lists(p.Deny, t) }

// Asks reports whether the policy itself wants each call of the tool to be approved.
func (p Policy) Asks(t Tool) bool { return lists(p.Ask, t) }

// Allows reports whether the policy names the tool as one that runs without approval.
func (p Policy) Allows(t Tool) bool { return slices.Contains(p.Allow, t.Name) }

// Wants reports whether calls of the tool are approved as a rule: it is made so, or was when the run started.
func (p Policy) Wants(t Tool) bool { return t.Approval || t.Rules || lists(p.Usual, t) }

// lists reports whether a list that makes things stricter means the tool.
func lists(names []string, t Tool) bool {
	return slices.Contains(names, t.Name) || t.Like != "" && slices.Contains(names, t.Like)
}

// Judge says what the policy makes of a call of the tool.
func (p Policy) Judge(t Tool) Verdict {
	switch {
	case p.Denies(t):
		return Denied
	case p.Asks(t):
		return MustAsk
	case p.Wants(t) && !p.Allows(t):
		return MustAsk
	}
	return Allowed
}
