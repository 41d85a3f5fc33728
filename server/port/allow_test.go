package port_test

import (
	"testing"

	"rein"
	"rein/server/port"
)

// A service approves one call at a time; people may allow more.
func TestServiceAllowsOnce(t *testing.T) {
	for _, scope := range append(rein.RuleScopes(), "") {
		for _, role := range rein.UserRoles() {
			err := port.MayAllow(rein.Identity{User: "x", Role: role}, rein.Answer{State: rein.AskApproved, Scope: scope})
			if forbidden := rein.CodeOf(err) == rein.CodeForbidden; forbidden != (scope.Lasts() && role == rein.Service) {
				t.Errorf("%s as %s: %v", scope, role, err)
			}
		}
	}
}
