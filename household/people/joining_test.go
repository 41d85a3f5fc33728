package people_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/household/people"
)

func (r *rig) invite(role rein.UserRole, name string) (text string, made rein.Invite) {
	r.Helper()
	text, made, err := r.NewInvite(r.Context(), rein.Host(), people.InviteRequest{Role: role, User: name})
	check(r, err)
	return text, made
}

// An invitation makes one user, with the role of the invitation, whose browser is logged in then.
//
// Attack: 93
func TestInvitation(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	text, made := r.invite("adult", "")
	if made.Role != rein.Member || made.Household != "home" || made.By != "owner" || !made.Expires.Equal(noon.Add(people.InviteLife)) {
		t.Errorf("the invitation: %+v", made)
	}
	for name, want := range map[string]rein.Code{"owner": rein.CodeConflict, "": rein.CodeInvalid, "A B": rein.CodeInvalid, "system": rein.CodeInvalid} {
		if _, _, err := r.UseInvite(t.Context(), text, name, ""); rein.CodeOf(err) != want {
			t.Errorf("a name like %q: %v", name, err)
		}
	}
	cookie, who, err := r.UseInvite(t.Context(), text, "Marie", "Firefox on Android")
	check(t, err)
	if who.User != "marie" || who.Role != rein.Member || who.Household != "home" {
		t.Errorf("the new user: %+v", who)
	}
	if again, err := r.IdentifyBrowser(t.Context(), cookie); err != nil || again.User != "marie" {
		t.Errorf("their browser: %+v %v", again, err)
	}
	devices, err := r.Devices(t.Context(), who, "")
	check(t, err)
	if len(devices) != 1 || devices[0].Label != "Firefox on Android" || devices[0].CameBy != rein.ByInvite || !devices[0].This {
		t.Errorf("devices %+v", devices)
	}
	_, _, err = r.UseInvite(t.Context(), text, "again", "")
	refused(t, err, rein.CodeUnauthenticated, "used before")
	_, err = r.Invitation(t.Context(), text)
	refused(t, err, rein.CodeUnauthenticated)
	changes, err := r.Changes(t.Context(), rein.Host(), 0, 0)
	check(t, err)
	var told []string
	for _, c := range changes {
		told = append(told, string(c.What)+" "+c.On)
	}
	if got := strings.Join(told, ", "); !strings.HasSuffix(got, "invited , joined marie, logged in marie") {
		t.Errorf("changes: %s", got)
	}
	r.verified()
}

// verified wants the records of people to be what the program wrote.
func (r *rig) verified() {
	r.Helper()
	v, err := people.Verify(r.Context(), r.store)
	check(r, err)
	if len(v.Wrong) > 0 {
		r.Errorf("verify: %v", v.Wrong)
	}
}

// An invitation is refused when it is late, revoked, not known, or sent by somebody who could not invite now; and nobody is
// invited to a role that an invitation cannot give, or by somebody who may not invite.
//
// Attack: 93
func TestInvitationEnds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ann := r.add("ann", rein.Owner)
	late, _ := r.invite(rein.Child, "kim")
	gone, made := r.invite(rein.Child, "kim")
	check(t, r.RevokeInvite(t.Context(), rein.Host(), made.ID))
	refused(t, r.RevokeInvite(t.Context(), rein.Host(), made.ID), rein.CodeNotFound)
	hers, _, err := r.NewInvite(t.Context(), ann, people.InviteRequest{Role: rein.Child})
	check(t, err)
	check(t, r.SetRole(t.Context(), rein.Host(), "ann", rein.Member))
	for what, text := range map[string]string{"revoked": gone, "of a former owner": hers, "unknown": "reinjoin_aaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbb", "of another kind": strings.Replace(late, "reinjoin", "rein", 1), "none": ""} {
		if _, _, err := r.UseInvite(t.Context(), text, "x", ""); rein.CodeOf(err) != rein.CodeUnauthenticated {
			t.Errorf("an invitation that is %s: %v", what, err)
		}
	}
	r.pass(people.InviteLife)
	_, _, err = r.UseInvite(t.Context(), late, "", "")
	refused(t, err, rein.CodeUnauthenticated, "expired")
	for _, role := range []rein.UserRole{rein.Owner, rein.Service, "king", ""} {
		_, _, err := r.NewInvite(t.Context(), rein.Host(), people.InviteRequest{Role: role})
		refused(t, err, rein.CodeInvalid)
	}
	_, _, err = r.NewInvite(t.Context(), r.add("bob", rein.Member), people.InviteRequest{Role: rein.Child})
	refused(t, err, rein.CodeForbidden)
	_, err = r.Invites(t.Context(), r.add("kid", rein.Child))
	refused(t, err, rein.CodeForbidden)
	for range 50 { // as many as there may be, and then one more
		if _, _, err = r.NewInvite(t.Context(), rein.Host(), people.InviteRequest{Role: rein.Guest}); err != nil {
			break
		}
	}
	_, _, err = r.NewInvite(t.Context(), rein.Host(), people.InviteRequest{Role: rein.Guest})
	refused(t, err, rein.CodeLimit)
	r.verified()
}

// Of many who use one invitation at once, one joins.
func TestInvitationUsedAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	text, _ := r.invite(rein.Guest, "")
	joined, all := make(chan string, 20), sync.WaitGroup{}
	for i := range 20 {
		all.Go(func() {
			if _, who, err := r.UseInvite(t.Context(), text, "guest"+string(rune('a'+i)), ""); err == nil {
				joined <- who.User
			}
		})
	}
	all.Wait()
	if len(joined) != 1 {
		t.Errorf("%d joined with one invitation", len(joined))
	}
	r.verified()
}

// A code logs one device in, however it is typed, within its time.
//
// Attack: 93
func TestPairing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	kim := r.add("kim", rein.Child)
	code, made, err := r.NewPairing(t.Context(), kim, "")
	check(t, err)
	if len(code) != 9 || code[4] != '-' || made.User != "kim" || !made.Expires.Equal(noon.Add(10*time.Minute)) {
		t.Errorf("the code %q %+v", code, made)
	}
	_, who, err := r.UsePairing(t.Context(), " "+strings.ToLower(strings.ReplaceAll(code, "-", " ")), "Safari on iPhone")
	check(t, err)
	if who.User != "kim" || who.Role != rein.Child {
		t.Errorf("paired as %+v", who)
	}
	_, _, err = r.UsePairing(t.Context(), code, "")
	refused(t, err, rein.CodeUnauthenticated)
	late, _, err := r.NewPairing(t.Context(), rein.Host(), "kim")
	check(t, err)
	r.pass(10 * time.Minute)
	_, _, err = r.UsePairing(t.Context(), late, "")
	refused(t, err, rein.CodeUnauthenticated)
	over, _, err := r.NewPairing(t.Context(), kim, "")
	check(t, err)
	check(t, r.LogoutEverywhere(t.Context(), rein.Host(), "kim"))
	_, _, err = r.UsePairing(t.Context(), over, "")
	refused(t, err, rein.CodeUnauthenticated)
	r.verified()
}

// Nobody gets a code for more than their own credential is good for, and codes cannot be guessed: few are tried in a while.
//
// Attack: 93
func TestPairingIsNotForEveryone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	kim := r.add("kim", rein.Child)
	reader := kim
	reader.Scopes, reader.Via = []rein.Scope{rein.ScopeRead}, "token:x"
	_, _, err := r.NewPairing(t.Context(), reader, "")
	refused(t, err, rein.CodeForbidden)
	bare := kim
	bare.Bare = true
	_, _, err = r.NewPairing(t.Context(), bare, "")
	refused(t, err, rein.CodeForbidden)
	_, _, err = r.NewPairing(t.Context(), kim, "owner")
	refused(t, err, rein.CodeForbidden)
	_, _, err = r.NewPairing(t.Context(), rein.Host(), "nobody")
	refused(t, err, rein.CodeNotFound)
	r.add("bot", rein.Service)
	_, _, err = r.NewPairing(t.Context(), rein.Host(), "bot")
	refused(t, err, rein.CodeInvalid)

	code, _, err := r.NewPairing(t.Context(), kim, "")
	check(t, err)
	for range 30 {
		_, _, err = r.UsePairing(t.Context(), "2222-2222", "")
		refused(t, err, rein.CodeUnauthenticated)
	}
	for range 3 { // what cannot be a code costs nobody a try
		_, _, err = r.UsePairing(t.Context(), "not a code, and far too long to be one of ours", "")
		refused(t, err, rein.CodeUnauthenticated)
	}
	_, _, err = r.UsePairing(t.Context(), code, "")
	refused(t, err, rein.CodeRateLimited, "login link")
	r.pass(10 * time.Minute)
	fresh, _, err := r.NewPairing(t.Context(), kim, "")
	check(t, err)
	_, _, err = r.UsePairing(t.Context(), fresh, "")
	check(t, err)
}

// Everybody sees and ends their own devices, and an admin those of the household; another's do not exist.
func TestDevices(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ann, bob := r.add("ann", rein.Member), r.add("bob", rein.Member)
	cookie, who := r.browser("ann")
	id := strings.TrimPrefix(who.Via, "browser:")
	_, err := r.Devices(t.Context(), bob, "ann")
	refused(t, err, rein.CodeForbidden)
	refused(t, r.RevokeDevice(t.Context(), bob, id), rein.CodeNotFound)
	elsewhere := rein.Identity{Household: "away", User: "eve", Role: rein.Owner, Scopes: rein.Scopes(), Via: "browser:y"}
	refused(t, r.RevokeDevice(t.Context(), elsewhere, id), rein.CodeNotFound)
	var told []string
	defer r.Watch(func(_, user string) { told = append(told, user) })()
	check(t, r.RevokeDevice(t.Context(), ann, id))
	if _, err := r.IdentifyBrowser(t.Context(), cookie); rein.CodeOf(err) != rein.CodeUnauthenticated || len(told) != 1 || told[0] != "ann" {
		t.Errorf("after it was revoked: %v, told %v", err, told)
	}
	if left, err := r.Devices(t.Context(), rein.Host(), "ann"); err != nil || len(left) != 0 {
		t.Errorf("left are %+v %v", left, err)
	}
	r.verified()
}

// The rights of a user are those of the role that they have now; a user who is disabled or whom the household does not know
// has none.
func TestRightsFollowTheRole(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.add("kim", rein.Child)
	role := func(name string) rein.UserRole {
		t.Helper()
		rights, err := r.Rights(t.Context(), "home", name)
		check(t, err)
		return rights.Role
	}
	if got := role("kim"); got != rein.Child {
		t.Errorf("kim is %q", got)
	}
	check(t, r.SetRole(t.Context(), rein.Host(), "kim", "adult"))
	if got := role("kim"); got != rein.Member {
		t.Errorf("then kim is %q", got)
	}
	check(t, r.DisableUser(t.Context(), rein.Host(), "kim"))
	if got := role("kim") + role("nobody"); got != "" {
		t.Errorf("somebody who is not there is %q", got)
	}
	if rights, err := r.Rights(t.Context(), "a program's own", "x"); err != nil || rights.Role != rein.Owner {
		t.Errorf("in a household without users, somebody is %q %v", rights.Role, err)
	}
	if adults, err := r.Adults(t.Context(), "home"); err != nil || len(adults) != 1 || adults[0] != "owner" {
		t.Errorf("adults %v %v", adults, err)
	}
}

// Only who can open the data folder looks after households.
func TestHouseholds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	_, err := r.AddHousehold(t.Context(), rein.Host(), "smith", "jan")
	check(t, err)
	link, err := r.NewHouseholdLink(t.Context(), rein.Host(), "smith", "jan")
	check(t, err)
	_, jan, err := r.UseLoginLink(t.Context(), link, "")
	check(t, err)
	if jan.Household != "smith" || jan.Role != rein.Owner {
		t.Errorf("the owner is %+v", jan)
	}
	all, err := r.Households(t.Context(), rein.Host())
	check(t, err)
	if len(all) != 2 || all[1].Name != "smith" || all[1].Users != 1 || all[1].Owners[0] != "jan" {
		t.Errorf("households %+v", all)
	}
	_, err = r.Households(t.Context(), jan)
	refused(t, err, rein.CodeForbidden)
	_, err = r.NewHouseholdLink(t.Context(), jan, "home", "owner")
	refused(t, err, rein.CodeForbidden)
	text, _, err := r.NewInvite(t.Context(), jan, people.InviteRequest{Role: rein.Child, User: "kim"})
	check(t, err)
	if invite, err := r.Invitation(t.Context(), text); err != nil || invite.Household != "smith" {
		t.Errorf("the invitation is of %+v %v", invite, err)
	}
	if others, err := r.Invites(t.Context(), rein.Host()); err != nil || len(others) != 0 {
		t.Errorf("another household sees %+v %v", others, err)
	}
}
