package people_test

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/household/people"
)

// Covers: NEU-2
func TestTokenSaysWho(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Member)
	text, id := r.token("ann", rein.ScopeAnswer, rein.ScopeRead)
	got, err := r.Identify(t.Context(), text)
	check(t, err)
	want := rein.Identity{Household: "home", User: "ann", Role: rein.Member, Scopes: []rein.Scope{rein.ScopeRead, rein.ScopeAnswer}, Via: "token:" + id}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(text, "rein_"+id+"_") {
		t.Errorf("the token does not show what it is")
	}
	all, _ := r.token("ann")
	if got, err = r.Identify(t.Context(), all); err != nil || !slices.Equal(got.Scopes, rein.Member.Scopes()) {
		t.Errorf("%v: %v", got.Scopes, err)
	}
}

func TestTokensRefused(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Member)
	good, id := r.token("ann")
	other, _ := r.token("ann")
	link, cookie := r.link("ann"), ""
	cookie, _ = r.browser("ann")
	for name, text := range map[string]string{
		"empty": "", "other secret": good[:len(good)-26] + other[len(other)-26:], "upper case": strings.ToUpper(good),
		"unknown": "rein_aaaaaaaaaaaa_" + strings.Repeat("a", 26), "shorter": good[:len(good)-1], "longer": good + "a",
		"link": link, "cookie": cookie, "SQL": "rein_' OR 1=1 -- _" + strings.Repeat("a", 26), "as a link": "reinlink" + good[4:],
		"only ID": id, "NUL": good[:20] + "\x00" + good[21:],
	} {
		t.Run(name, func(t *testing.T) {
			who, err := r.Identify(t.Context(), text)
			refused(t, err, rein.CodeUnauthenticated)
			if diff := cmp.Diff(rein.Identity{}, who); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, err := r.Identify(t.Context(), good); err != nil {
		t.Error(err)
	}
}

func TestTokenEnds(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Owner)
	ctx, host := t.Context(), rein.Host()
	is := func(text string, words ...string) {
		t.Helper()
		_, err := r.Identify(ctx, text)
		if len(words) > 0 {
			refused(t, err, rein.CodeUnauthenticated, words...)
		} else if err != nil {
			t.Error(err)
		}
	}
	revoked, id := r.token("ann")
	is(revoked)
	check(t, r.RevokeToken(ctx, host, id))
	is(revoked, "token was ended", "2026-03-01")

	disabled, _ := r.token("ann")
	check(t, r.DisableUser(ctx, host, "ann"))
	is(disabled, "ann is disabled")
	_, _, err := r.NewToken(ctx, host, people.TokenRequest{User: "ann", Label: "x"})
	refused(t, err, rein.CodeConflict, "disabled")
	check(t, r.EnableUser(ctx, host, "ann"))
	is(disabled, "was ended") // enabling someone brings no old secret back

	short, _, err := r.NewToken(ctx, host, people.TokenRequest{User: "ann", Label: "x", Life: time.Hour})
	check(t, err)
	r.pass(time.Hour - time.Microsecond)
	is(short)
	r.pass(time.Microsecond)
	is(short, "expired", "2026-03-01T13:00:00Z")
}

func TestRoleHoldsAtOnce(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Owner)
	text, _ := r.token("ann")
	cookie, _ := r.browser("ann")
	for _, role := range []rein.UserRole{rein.Viewer, rein.Member, rein.Owner} {
		check(t, r.SetRole(t.Context(), rein.Host(), "ann", role))
		byToken, err := r.Identify(t.Context(), text)
		check(t, err)
		byCookie, err := r.IdentifyBrowser(t.Context(), cookie)
		check(t, err)
		for _, who := range []rein.Identity{byToken, byCookie} {
			if who.Role != role || !slices.Equal(who.Scopes, role.Scopes()) {
				t.Errorf("as %s: %+v", role, who)
			}
		}
	}
	check(t, r.SetRole(t.Context(), rein.Host(), "ann", rein.Service))
	_, err := r.IdentifyBrowser(t.Context(), cookie)
	refused(t, err, rein.CodeUnauthenticated)
}

// Attack: 10
func TestNewTokenRefused(t *testing.T) {
	r := newRig(t)
	host, ann, bob := rein.Host(), r.add("ann", rein.Owner), r.add("bob", rein.Member)
	byToken := bob
	byToken.Via = "token:x"
	adminOnly := ann
	adminOnly.Scopes = []rein.Scope{rein.ScopeAdmin}
	long := people.MaxTokenLife + 1
	for name, c := range map[string]struct {
		by   rein.Identity
		want people.TokenRequest
		code rein.Code
		word string
	}{
		"beyond the role":        {host, people.TokenRequest{User: "bob", Label: "x", Scopes: []rein.Scope{rein.ScopeAdmin}}, rein.CodeInvalid, "too much"},
		"beyond one's own":       {adminOnly, people.TokenRequest{User: "bob", Label: "x"}, rein.CodeForbidden, "read"},
		"no such scope":          {host, people.TokenRequest{User: "bob", Label: "x", Scopes: []rein.Scope{"all"}}, rein.CodeInvalid, "answer"},
		"no label":               {host, people.TokenRequest{User: "bob"}, rein.CodeInvalid, "label"},
		"label of lines":         {host, people.TokenRequest{User: "bob", Label: "a\nb"}, rein.CodeInvalid, "label"},
		"long label":             {host, people.TokenRequest{User: "bob", Label: strings.Repeat("a", 101)}, rein.CodeInvalid, "label"},
		"too long":               {host, people.TokenRequest{User: "bob", Label: "x", Life: long}, rein.CodeInvalid, "366"},
		"too short":              {host, people.TokenRequest{User: "bob", Label: "x", Life: -time.Hour}, rein.CodeInvalid, "minute"},
		"nobody":                 {host, people.TokenRequest{User: "carl", Label: "x"}, rein.CodeNotFound, "carl"},
		"by a token":             {byToken, people.TokenRequest{Label: "x"}, rein.CodeForbidden, "admin"},
		"a member for another":   {bob, people.TokenRequest{User: "ann", Label: "x"}, rein.CodeForbidden, "admin"},
		"a member beyond a role": {bob, people.TokenRequest{Label: "x", Scopes: []rein.Scope{rein.ScopeAdmin}}, rein.CodeInvalid, "too much"},
	} {
		t.Run(name, func(t *testing.T) {
			text, _, err := r.NewToken(t.Context(), c.by, c.want)
			refused(t, err, c.code, c.word)
			if text != "" {
				t.Error("a token came all the same")
			}
		})
	}
	if _, _, err := r.NewToken(t.Context(), bob, people.TokenRequest{Label: "x"}); err != nil {
		t.Errorf("for oneself, by a browser: %v", err)
	}
}

// Covers: NEU-2
func TestListAndRevokeTokens(t *testing.T) {
	r := newRig(t)
	ann, bob := r.add("ann", rein.Owner), r.add("bob", rein.Member)
	_, err := r.AddHousehold(t.Context(), rein.Host(), "other", "ann")
	check(t, err)
	zoe := rein.Identity{Household: "other", User: "ann", Role: rein.Owner, Scopes: rein.Scopes(), Via: "browser:z"}
	_, anns := r.token("ann")
	_, bobs := r.token("bob")
	for _, c := range []struct {
		by   rein.Identity
		want []string
	}{{ann, []string{anns, bobs}}, {bob, []string{bobs}}, {zoe, nil}, {rein.Identity{}, nil}} {
		all, err := r.ListTokens(t.Context(), c.by)
		check(t, err)
		var ids []string
		for _, token := range all {
			ids = append(ids, token.ID)
		}
		slices.Sort(ids)
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, ids); diff != "" {
			t.Error(diff)
		}
	}
	refused(t, r.RevokeToken(t.Context(), bob, anns), rein.CodeNotFound)
	refused(t, r.RevokeToken(t.Context(), ann, "none"), rein.CodeNotFound, "none")
	check(t, r.RevokeToken(t.Context(), bob, bobs))
	r.pass(91 * 24 * time.Hour)
	if all, err := r.ListTokens(t.Context(), ann); err != nil || len(all) != 1 {
		t.Errorf("of tokens that ended long ago there are %d: %v", len(all), err)
	}
}

func TestTooManyTokens(t *testing.T) {
	r := newRig(t)
	var id string
	for range 100 {
		_, id = r.token("owner")
	}
	want := people.TokenRequest{Label: "x"}
	_, _, err := r.NewToken(t.Context(), rein.Host(), want)
	refused(t, err, rein.CodeLimit, "revoke one")
	check(t, r.RevokeToken(t.Context(), rein.Host(), id))
	_, _, err = r.NewToken(t.Context(), rein.Host(), want)
	check(t, err)
}

func TestHasTokens(t *testing.T) {
	r := newRig(t)
	has := func(want bool) {
		t.Helper()
		if got, err := r.HasTokens(t.Context()); err != nil || got != want {
			t.Errorf("has tokens: %v, %v", got, err)
		}
	}
	has(false)
	_, id := r.token("owner")
	has(true)
	check(t, r.RevokeToken(t.Context(), rein.Host(), id))
	has(false)
	r.token("owner")
	r.pass(people.DefaultTokenLife)
	has(false)
}

func TestUseIsNotedOnceAMinute(t *testing.T) {
	r := newRig(t)
	text, _ := r.token("owner")
	counted := &counting{inner: r.store}
	r.Tables = counted
	used := func() time.Time {
		all, err := r.ListTokens(t.Context(), rein.Host())
		check(t, err)
		return all[0].LastUsed
	}
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if _, err := r.Identify(context.Background(), text); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if n := counted.writes(); n != 1 || !used().Equal(noon) {
		t.Errorf("20 uses at once made %d writes; last used %s", n, used())
	}
	r.pass(time.Minute - 1000)
	_, err := r.Identify(t.Context(), text)
	check(t, err)
	if n := counted.writes(); n != 1 {
		t.Errorf("%d writes within a minute", n)
	}
	r.pass(1000)
	_, err = r.Identify(t.Context(), text)
	check(t, err)
	if n := counted.writes(); n != 2 || !used().Equal(noon.Add(time.Minute)) {
		t.Errorf("%d writes, last used %s", n, used())
	}
	r.pass(time.Hour)
	counted.fail = true
	if _, err := r.Identify(t.Context(), text); err != nil {
		t.Errorf("who could not be noted is refused: %v", err)
	}
}

// TestNoSecretIsKept looks for every secret in the bytes of the data folder.
func TestNoSecretIsKept(t *testing.T) {
	r := newRig(t)
	token, id := r.token("owner")
	link := r.link("owner")
	cookie, _ := r.browser("owner")
	_, err := r.Identify(t.Context(), token)
	check(t, err)
	_, err = r.IdentifyBrowser(t.Context(), cookie)
	check(t, err)
	var all []byte
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(r.path + end)
		check(t, err)
		all = append(all, data...)
	}
	if !bytes.Contains(all, []byte(id)) {
		t.Fatal("the ID is not in the files: the test looks in the wrong place")
	}
	for _, text := range []string{token, link, cookie, people.CSRF(cookie)} {
		if bytes.Contains(all, []byte(text[len(text)-26:])) {
			t.Errorf("the secret of %s is in the files", text)
		}
	}
}
