package people_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/household/people"
)

func names(users []rein.UserInfo) string {
	var all []string
	for _, u := range users {
		text := u.Name + " " + string(u.Role)
		if !u.Disabled.IsZero() {
			text += " disabled"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func (r *rig) users(by rein.Identity) string {
	r.Helper()
	all, err := r.ListUsers(r.Context(), by)
	check(r, err)
	return names(all)
}

func TestBeginTwice(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Owner)
	check(t, r.DisableUser(t.Context(), rein.Host(), "owner"))
	check(t, r.Begin(t.Context()))
	if got := r.users(rein.Host()); got != "ann owner, owner owner disabled" {
		t.Error(got)
	}
}

// Covers: NEU-2
func TestWhoSeesWhom(t *testing.T) {
	r := newRig(t)
	ann, bob, eve, bot := r.add("ann", rein.Owner), r.add("bob", rein.Member), r.add("eve", rein.Viewer), r.add("bot", rein.Service)
	_, err := r.AddHousehold(t.Context(), rein.Host(), "other", "zoe")
	check(t, err)
	all := "ann owner, bob member, bot service, eve viewer, owner owner"
	zoe := rein.Identity{Household: "other", User: "zoe", Role: rein.Owner, Scopes: rein.Scopes(), Via: "browser:z"}
	adminOnly := ann
	adminOnly.Scopes = []rein.Scope{rein.ScopeAdmin}
	nothing := ann
	nothing.Scopes = nil
	for _, c := range []struct {
		by   rein.Identity
		want string
	}{{ann, all}, {adminOnly, all}, {eve, all}, {bob, "bob member"}, {bot, "bot service"}, {zoe, "zoe owner"}, {nothing, ""}, {rein.Identity{}, ""}} {
		if got := r.users(c.by); got != c.want {
			t.Errorf("%s sees %q, want %q", c.by.User, got, c.want)
		}
	}
}

// TestOnlyAdminsChangePeople tries every change as everyone who may not make it.
//
// Covers: NEU-2
func TestOnlyAdminsChangePeople(t *testing.T) {
	r := newRig(t)
	bob := r.add("bob", rein.Member)
	_, id := r.token("bob")
	_, err := r.AddHousehold(t.Context(), rein.Host(), "other", "zoe")
	check(t, err)
	weak := rein.Host()
	weak.Scopes = []rein.Scope{rein.ScopeRead, rein.ScopeAct, rein.ScopeAnswer}
	ctx := t.Context()
	changes := map[string]func(by rein.Identity) error{
		"add":        func(by rein.Identity) error { _, err := r.AddUser(ctx, by, "new", rein.Member); return err },
		"role":       func(by rein.Identity) error { return r.SetRole(ctx, by, "bob", rein.Owner) },
		"disable":    func(by rein.Identity) error { return r.DisableUser(ctx, by, "bob") },
		"enable":     func(by rein.Identity) error { return r.EnableUser(ctx, by, "bob") },
		"link":       func(by rein.Identity) error { _, err := r.NewLoginLink(ctx, by, "bob"); return err },
		"changes":    func(by rein.Identity) error { _, err := r.Changes(ctx, by, 0, 0); return err },
		"everywhere": func(by rein.Identity) error { return r.LogoutEverywhere(ctx, by, "owner") },
		"token": func(by rein.Identity) error {
			_, _, err := r.NewToken(ctx, by, people.TokenRequest{User: "owner", Label: "x"})
			return err
		},
	}
	before := r.users(rein.Host())
	for name, change := range changes {
		for _, by := range []rein.Identity{bob, {Household: "home", User: "eve", Role: rein.Viewer, Scopes: rein.Scopes()}, {}} {
			refused(t, change(by), rein.CodeForbidden)
		}
		if name != "everywhere" { // of oneself it is allowed
			refused(t, change(weak), rein.CodeForbidden)
		}
	}
	zoe := rein.Identity{Household: "other", User: "zoe", Role: rein.Owner, Scopes: rein.Scopes(), Via: "browser:z"}
	for _, name := range []string{"role", "disable", "enable", "link", "everywhere", "token"} {
		refused(t, changes[name](zoe), rein.CodeNotFound)
	}
	refused(t, r.RevokeToken(ctx, zoe, id), rein.CodeNotFound, id)
	_, err = r.AddHousehold(ctx, zoe, "third", "zoe")
	refused(t, err, rein.CodeForbidden)
	if after := r.users(rein.Host()); after != before {
		t.Errorf("users are %q, and were %q", after, before)
	}
}

func TestLastOwner(t *testing.T) {
	r := newRig(t)
	host := rein.Host()
	refused(t, r.DisableUser(t.Context(), host, "owner"), rein.CodeConflict, "last owner")
	refused(t, r.SetRole(t.Context(), host, "owner", rein.Member), rein.CodeConflict, "last owner")
	r.add("ann", rein.Owner)
	check(t, r.DisableUser(t.Context(), host, "ann"))
	refused(t, r.DisableUser(t.Context(), host, "owner"), rein.CodeConflict) // a disabled owner is none
	check(t, r.EnableUser(t.Context(), host, "ann"))
	check(t, r.SetRole(t.Context(), host, "owner", rein.Viewer))
	refused(t, r.SetRole(t.Context(), host, "ann", rein.Service), rein.CodeConflict)
	if got := r.users(host); got != "ann owner, owner viewer" {
		t.Error(got)
	}
}

func TestBadUsers(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"", "Ann", "ann ", "-ann", ".", "..", "änn", "a/b", "a\x00", strings.Repeat("a", 65)} {
		_, err := r.AddUser(t.Context(), rein.Host(), name, rein.Member)
		refused(t, err, rein.CodeInvalid)
		_, err = r.AddHousehold(t.Context(), rein.Host(), name, "ann")
		refused(t, err, rein.CodeInvalid)
	}
	_, err := r.AddUser(t.Context(), rein.Host(), "ann", "king")
	refused(t, err, rein.CodeInvalid, "king", "viewer")
	refused(t, r.SetRole(t.Context(), rein.Host(), "owner", ""), rein.CodeInvalid)
	_, err = r.AddUser(t.Context(), rein.Host(), "owner", rein.Member)
	refused(t, err, rein.CodeConflict)
	_, err = r.AddHousehold(t.Context(), rein.Host(), "home", "ann")
	refused(t, err, rein.CodeConflict)
	refused(t, r.SetRole(t.Context(), rein.Host(), "nobody", rein.Member), rein.CodeNotFound, "nobody")
	for i := range 499 {
		r.exec(`INSERT INTO users VALUES ('home', ?, 'member', 0, 0)`, fmt.Sprint("u", i))
	}
	_, err = r.AddUser(t.Context(), rein.Host(), "ann", rein.Member)
	refused(t, err, rein.CodeLimit, "500")
}

func TestChanges(t *testing.T) {
	r := newRig(t)
	ctx, host := t.Context(), rein.Host()
	r.add("ann", rein.Member)
	check(t, r.SetRole(ctx, host, "ann", rein.Member)) // no change
	check(t, r.SetRole(ctx, host, "ann", rein.Owner))
	secret, id := r.token("ann", rein.ScopeRead)
	check(t, r.RevokeToken(ctx, host, id))
	check(t, r.RevokeToken(ctx, host, id)) // no change
	link := r.link("ann")
	cookie, ann, err := r.UseLoginLink(ctx, link, "")
	check(t, err)
	check(t, r.Logout(ctx, ann))
	check(t, r.Logout(ctx, ann)) // no change
	check(t, r.DisableUser(ctx, host, "ann"))
	check(t, r.EnableUser(ctx, host, "ann"))
	_, err = r.AddHousehold(ctx, host, "other", "zoe")
	check(t, err)

	all, err := r.Changes(ctx, host, 0, 0)
	check(t, err)
	var got []string
	for _, c := range all {
		got = append(got, fmt.Sprintf("%s: %s %s", c.By, c.What, c.On))
		for _, s := range []string{secret, link, cookie} {
			if strings.Contains(c.Detail+c.Via, s[len(s)-26:]) {
				t.Errorf("%+v holds a secret", c)
			}
		}
		if !c.At.Equal(noon) {
			t.Errorf("at %s", c.At)
		}
	}
	want := []string{
		"owner: user added owner", "owner: user added ann", "owner: role set ann", "owner: token made ann", "owner: token revoked ann",
		"owner: login link made ann", "ann: logged in ann", "ann: logged out ann", "owner: user disabled ann", "owner: user enabled ann",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if d := all[2].Detail; d != "member to owner" {
		t.Error(d)
	}
	if d := all[3].Detail; d != id+" for read until "+noon.Add(people.DefaultTokenLife).Format(time.RFC3339) {
		t.Error(d)
	}
	page, err := r.Changes(ctx, host, all[1].N, 2)
	check(t, err)
	if diff := cmp.Diff(all[2:4], page); diff != "" {
		t.Error(diff)
	}
}
