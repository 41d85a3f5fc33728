package people_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/household/people"
)

var garden = people.Ground{Household: "home", User: "ann", Workspace: "garden", Root: "/garden", Session: "s1"}

// allow keeps what an ask offered.
func (r *rig) allow(at people.Ground, ask rein.AskID, scope rein.RuleScope, patterns ...string) {
	r.Helper()
	offers := rein.Offers{Session: patterns, Always: patterns}
	check(r, r.KeepRules(r.Context(), at, "command", rein.Ask{ID: ask, Offers: offers}, rein.Answer{Scope: scope, By: at.User}))
}

func (r *rig) held(at people.Ground) string {
	r.Helper()
	held, err := r.Granted(r.Context(), at, "command")
	check(r, err)
	slices.Sort(held.Always)
	return strings.Join(held.Session, ",") + ";" + strings.Join(held.Always, ",")
}

func (r *rig) listed(by rein.Identity, f people.RuleFilter) (patterns []string) {
	r.Helper()
	rules, _, err := r.ListRules(r.Context(), by, f)
	check(r, err)
	for _, rule := range rules {
		patterns = append(patterns, rule.User+": "+rule.Pattern)
	}
	return patterns
}

// A rule holds where it was made, and nowhere else.
func TestRulesHold(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.add("ann", rein.Member)
	r.allow(garden, "r1:1.ask", rein.ScopeSession, "git push")
	r.allow(garden, "r1:2.ask", rein.ScopeAlways, "go test ...", "go vet ...")
	if got := r.held(garden); got != "git push;go test ...,go vet ..." {
		t.Errorf("held %s", got)
	}
	for name, change := range map[string]func(*people.Ground){
		"household": func(g *people.Ground) { g.Household = "away" }, "user": func(g *people.Ground) { g.User = "bob" },
		"workspace": func(g *people.Ground) { g.Workspace = "field" }, "another folder of that name": func(g *people.Ground) { g.Root = "/field" },
	} {
		other := garden
		if change(&other); r.held(other) != ";" {
			t.Errorf("another %s: held %s", name, r.held(other))
		}
	}
	later := garden
	if later.Session = "s2"; r.held(later) != ";go test ...,go vet ..." {
		t.Errorf("another session: held %s", r.held(later))
	}
	if held, err := r.Granted(t.Context(), garden, "other"); err != nil || len(held.Always)+len(held.Session) > 0 {
		t.Errorf("another tool: %+v %v", held, err)
	}
	check(t, r.DisableUser(t.Context(), rein.Host(), "ann"))
	if r.held(garden) != ";" {
		t.Errorf("held %s for a user who is disabled", r.held(garden))
	}
}

// A rule that is revoked ends for the next call, together with those that allow the same, and does not come back when
// the approval that made it is heeded again.
func TestRevokedRule(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ann, bob := r.add("ann", rein.Member), r.add("bob", rein.Member)
	r.allow(garden, "r1:1.ask", rein.ScopeAlways, "go test ...", "go vet ...")
	r.allow(garden, "r2:1.ask", rein.ScopeAlways, "go test ...")
	rules, _, err := r.ListRules(t.Context(), ann, people.RuleFilter{})
	check(t, err)
	i := slices.IndexFunc(rules, func(x rein.Rule) bool { return x.Pattern == "go test ..." })
	if _, err := r.RevokeRule(t.Context(), bob, rules[i].ID); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("bob revokes it: %v", err)
	}
	viewer := r.add("eve", rein.Viewer)
	if _, err := r.RevokeRule(t.Context(), viewer, rules[i].ID); rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("a viewer revokes it: %v", err)
	}
	r.pass(1)
	for range 2 { // again changes nothing
		revoked, err := r.RevokeRule(t.Context(), rein.Host(), rules[i].ID)
		if err != nil || revoked.RevokedBy != "owner" || revoked.Revoked.IsZero() {
			t.Fatalf("%+v %v", revoked, err)
		}
	}
	r.allow(garden, "r1:1.ask", rein.ScopeAlways, "go test ...", "go vet ...")
	r.allow(garden, "r2:1.ask", rein.ScopeAlways, "go test ...")
	if got := r.held(garden); got != ";go vet ..." {
		t.Errorf("held %s", got)
	}
	if got := r.listed(ann, people.RuleFilter{Revoked: true}); len(got) != 3 {
		t.Errorf("listed %q", got)
	}
	changes, err := r.Changes(t.Context(), rein.Host(), 0, 0)
	check(t, err)
	if last := changes[len(changes)-1]; last.What != rein.RuleRevoked || last.On != "ann" || last.By != "owner" || !strings.HasPrefix(last.Detail, rules[i].ID) {
		t.Errorf("%+v", last)
	}
	r.sound()
}

// Everyone lists their own, an admin those of the household, page by page.
func TestListRules(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ann := r.add("ann", rein.Member)
	r.add("bob", rein.Member)
	var all []string
	for i := range 7 {
		at := garden
		if i%2 == 1 {
			at.User = "bob"
		}
		r.allow(at, rein.AskID(fmt.Sprintf("r%d:1.ask", i)), rein.ScopeAlways, fmt.Sprint("go ", i))
		all = append(all, fmt.Sprint(at.User, ": go ", i))
		r.pass(1000)
	}
	if got := r.listed(ann, people.RuleFilter{}); !slices.Equal(got, []string{all[0], all[2], all[4], all[6]}) {
		t.Errorf("ann sees %q", got)
	}
	if got := r.listed(ann, people.RuleFilter{User: "bob"}); len(got) > 0 {
		t.Errorf("ann sees %q", got)
	}
	away := rein.Identity{Household: "away", User: "ann", Role: rein.Owner, Scopes: rein.Scopes()}
	if got := r.listed(away, people.RuleFilter{}); len(got) > 0 {
		t.Errorf("another household sees %q", got)
	}
	var got []string
	filter := people.RuleFilter{Limit: 3}
	for more := true; more; {
		var page []rein.Rule
		var err error
		page, more, err = r.ListRules(t.Context(), rein.Host(), filter)
		check(t, err)
		for _, rule := range page {
			got = append(got, rule.User+": "+rule.Pattern)
		}
		filter.After = page[len(page)-1].ID
	}
	if !slices.Equal(got, all) {
		t.Errorf("pages %q", got)
	}
	if _, _, err := r.ListRules(t.Context(), ann, people.RuleFilter{After: "nothing"}); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("after nothing: %v", err)
	}
}

// A rule that was written, changed or let in again by hand is found by an audit.
//
// Attack: 70
func TestTamperedRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ sql, says string }{
		"added":     {`INSERT INTO rules SELECT 'aaaa', household, user_name, workspace, root, tool, scope, session, '...', ask, by_user, created, 0, '' FROM rules LIMIT 1`, "rules/aaaa was added"},
		"widened":   {`UPDATE rules SET pattern = 'rm ...' WHERE revoked = 0`, "was changed"},
		"let in":    {`UPDATE rules SET revoked = 0, revoked_by = ''`, "was changed"},
		"given on":  {`UPDATE rules SET user_name = 'bob'`, "was changed"},
		"forgotten": {`DELETE FROM rules`, "was removed"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.allow(garden, "r1:1.ask", rein.ScopeAlways, "go test ...", "go vet ...")
			rules, _, err := r.ListRules(t.Context(), rein.Host(), people.RuleFilter{})
			check(t, err)
			_, err = r.RevokeRule(t.Context(), rein.Host(), rules[0].ID)
			check(t, err)
			r.sound()
			check(t, r.store.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
				_, err := tx.ExecContext(ctx, c.sql)
				return err
			}))
			if v := r.verdict(); !strings.Contains(strings.Join(v.Wrong, "\n"), c.says) {
				t.Errorf("an audit finds %q", v.Wrong)
			}
		})
	}
}
