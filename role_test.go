package rein_test

import (
	"testing"

	"rein"
)

// A service approves one call at a time, and so do a child and a guest; adults may allow more.
func TestWhoAllowsMoreThanOneCall(t *testing.T) {
	for _, scope := range append(rein.RuleScopes(), "") {
		for _, role := range rein.UserRoles() {
			ask := rein.Ask{ID: "r1:1.ask", Kind: rein.AskApproval, Call: &rein.ToolCall{}, Family: "lists", Effect: rein.Pure}
			err := ask.Permits(rein.Answer{State: rein.AskApproved, Scope: scope}, "x", rein.DefaultRoles().Of(role), "x")
			want := role == rein.Viewer || scope.Lasts() && !role.IsAdult()
			if forbidden := rein.CodeOf(err) == rein.CodeForbidden; forbidden != want {
				t.Errorf("%s as %s: %v", scope, role, err)
			}
		}
	}
}
