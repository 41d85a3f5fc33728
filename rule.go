package rein

import (
	"slices"
	"strings"
	"time"
)

// A Rule is what a person allowed beyond one call, when they approved that call. It holds for calls of one tool,
// by runs of one user in one workspace, until somebody revokes it. It never loosens what a policy denies or asks for.
type Rule struct {
	ID        string    `json:"id"`
	Household string    `json:"household"`
	User      string    `json:"user"`      // whose runs it holds for
	Workspace string    `json:"workspace"` // where it holds
	Root      string    `json:"root"`      // the folder of the workspace: the rule does not hold if the name gets another one
	Tool      string    `json:"tool"`
	Scope     RuleScope `json:"scope"`
	Session   string    `json:"session,omitempty"` // the only session that it holds for, if the scope is session
	Pattern   string    `json:"pattern"`           // what is allowed, as the person saw it
	Ask       AskID     `json:"ask"`               // the approval that made it
	By        string    `json:"by"`                // who approved
	Created   time.Time `json:"created"`
	Revoked   time.Time `json:"revoked,omitzero"`
	RevokedBy string    `json:"revoked_by,omitempty"`
}

// RuleScope says how far an approval goes.
type RuleScope string

const (
	ScopeOnce    RuleScope = "once"    // this one call; also the empty scope
	ScopeSession RuleScope = "session" // exactly the same again in this session
	ScopeAlways  RuleScope = "always"  // what fits the patterns shown, for this user in this workspace
)

// RuleScopes lists the scopes, the narrowest first.
func RuleScopes() []RuleScope { return []RuleScope{ScopeOnce, ScopeSession, ScopeAlways} }

// Lasts reports whether the scope goes beyond one call.
func (s RuleScope) Lasts() bool { return s != "" && s != ScopeOnce }

// Offers is what a person can allow beyond one call, as they see it: exact spellings for the session, and patterns for
// good. A scope without any is not offered.
type Offers struct {
	Session []string `json:"session,omitempty"`
	Always  []string `json:"always,omitempty"`
}

// IsZero reports whether nothing is offered.
func (o Offers) IsZero() bool { return len(o.Session)+len(o.Always) == 0 }

// Of returns what a scope allows.
func (o Offers) Of(s RuleScope) []string {
	switch s {
	case ScopeSession:
		return o.Session
	case ScopeAlways:
		return o.Always
	}
	return nil
}

// Scopes lists the scopes that an answer may have, the narrowest first.
func (o Offers) Scopes() (scopes []RuleScope) {
	for _, s := range RuleScopes() {
		if !s.Lasts() || len(o.Of(s)) > 0 {
			scopes = append(scopes, s)
		}
	}
	return scopes
}

// offers says what is wrong with the scope of an answer, if anything. Nobody allows what they were not shown: an ask
// that shows nothing for a scope does not take it, and neither does an edited call, because the ask shows what would be
// allowed of the call before the edit.
func (a Ask) offers(answer Answer) error {
	switch s := answer.Scope; {
	case s != "" && !slices.Contains(RuleScopes(), s):
		return Errorf(CodeInvalid, "ask %s: scope %.40q does not exist; available: %s", a.ID, string(s), list(a.Offers.Scopes()))
	case !s.Lasts():
		return nil
	case answer.State == AskEdited:
		return Errorf(CodeInvalid, "ask %s: the scope %q is for the call as it was shown, and the arguments were edited: leave the scope out", a.ID, string(s))
	case answer.State != AskApproved:
		return Errorf(CodeInvalid, "ask %s: the scope %q is for an approval, and the answer is %q: leave the scope out", a.ID, string(s), answer.State)
	case len(a.Offers.Of(s)) == 0:
		return Errorf(CodeInvalid, "ask %s does not offer the scope %q; available: %s", a.ID, string(s), list(a.Offers.Scopes()))
	}
	return nil
}

func list(scopes []RuleScope) string {
	names := make([]string, len(scopes))
	for i, s := range scopes {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}
