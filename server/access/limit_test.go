package access_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"rein"

	"rein/server/access"
)

// few are limits that a test reaches: two requests at once, then one a second.
var few = access.Rate{PerSecond: 1, Burst: 2}

func TestLimitByCredential(t *testing.T) {
	r := newRig(t, access.Options{Limits: access.Limits{Credential: few}})
	one, _ := r.token("owner")
	two, _ := r.token("owner")
	for range 2 {
		r.want(get("/v1/health", bearer(one)), 200)
	}
	answer := r.want(get("/v1/health", bearer(one)), 429, "this credential", "rate_limited", "wait 1 s")
	if got := answer.Header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After is %q", got)
	}
	r.want(get("/v1/health", bearer(two)), 200) // another is not kept out
	r.pass(time.Second)
	r.want(get("/v1/health", bearer(one)), 200)
	r.want(get("/v1/health", bearer(one)), 429)
	r.pass(time.Hour) // no more than a burst is saved up
	for range 2 {
		r.want(get("/v1/health", bearer(one)), 200)
	}
	r.want(get("/v1/health", bearer(one)), 429)
}

func TestLimitByUser(t *testing.T) {
	r := newRig(t, access.Options{Limits: access.Limits{User: few}})
	r.add("ann", rein.Member)
	one, _ := r.token("ann")
	cookie := r.cookie("ann")
	other, _ := r.token("owner")
	r.want(get("/v1/health", bearer(one)), 200)
	r.want(get("/v1/health", session(cookie)), 200)
	r.want(get("/v1/health", bearer(one)), 429, "as ann")
	r.want(get("/v1/health", session(cookie)), 429, "as ann")
	r.want(get("/v1/health", bearer(other)), 200)
}

// Attack: 27
func TestLimitByAddress(t *testing.T) {
	r := newRig(t, access.Options{Limits: access.Limits{Stranger: few}, Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	token, _ := r.token("owner")
	for _, same := range [][]string{
		{"From: 192.0.2.7:1", "From: 192.0.2.7:2", "From: [::ffff:192.0.2.7]:3"},
		{"From: [2001:db8::1]:1", "From: [2001:db8::2]:1", "From: [2001:db8:0:0:ffff::1]:1"},
		{"From: @", "From: nonsense", "From: x:1"},
		{"From: 10.0.0.1:1", "From: 10.0.0.2:1|X-Forwarded-For: 10.0.0.1", "From: 10.0.0.1:2|X-Forwarded-For: "},
		{"From: 10.0.0.3:1", "From: 10.0.0.3:1|X-Forwarded-For: 192.0.2.5, junk", "From: 10.0.0.3:1|X-Forwarded-For: 192.0.2.5|X-Forwarded-For: a:b"},
		{"From: 10.0.0.1:1|X-Forwarded-For: 192.0.2.9", "From: 10.0.0.1:1|X-Forwarded-For: 1.1.1.1, 192.0.2.9", "From: 10.0.0.1:1|X-Forwarded-For: 2.2.2.2|X-Forwarded-For: 192.0.2.9, 10.9.9.9"},
		{"From: 192.0.2.8:1|X-Forwarded-For: 1.1.1.1", "From: 192.0.2.8:1|X-Forwarded-For: 2.2.2.2", "From: 192.0.2.8:1"},
	} {
		for i, from := range same {
			status := 200
			if i == 2 {
				status = 429
			}
			r.want(get("/open", strings.Split(from, "|")...), status)
		}
	}
	r.want(get("/v1/health", bearer(token), "From: 192.0.2.7:1"), 200) // who is known is not counted by address
}

// TestFailures: who guesses is slowed down, and keeps nobody of the same address out, however much
// they try.
//
// Attack: 28 29
func TestFailures(t *testing.T) {
	r := newRig(t, access.Options{Limits: access.Limits{Failure: few, Stranger: access.Rate{PerSecond: 1, Burst: 5}}})
	good, id := r.token("owner")
	guess := get("/v1/health", bearer("rein_aaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaa"))
	r.want(guess, 401)
	r.want(guess, 401)
	r.want(guess, 429, "refused")
	r.want(get("/v1/health", bearer(good)), 200)
	r.want(form("x", ownPage), 429, "refused")
	r.want(guess.with("From: 192.0.2.77:1"), 401) // of another address
	for range 100 {
		r.want(guess, 429, "refused")
		r.want(get("/v1/health", bearer(good)), 200)
	}
	r.pass(time.Minute)
	r.want(guess, 401)

	r.pass(time.Minute)
	check(t, r.RevokeToken(t.Context(), rein.Host(), id))
	for range 4 { // who is merely late does not guess
		r.want(get("/v1/health", bearer(good)), 401, "ended")
	}
	r.want(guess, 401)
}

// TestManyAddresses: someone with more addresses than are remembered gets for all the rest of them
// what one address gets, and those who were there before keep what they have.
func TestManyAddresses(t *testing.T) {
	r := newRig(t, access.Options{Limits: access.Limits{Stranger: few}})
	from := func(i int) request { return get("/open", fmt.Sprintf("From: 198.%d.%d.%d:1", i>>16, i>>8&255, i&255)) }
	early := get("/open", "From: 192.0.2.7:1")
	r.want(early, 200)
	served := 0
	for i := range 12_000 {
		if r.send(from(i)).StatusCode == 200 {
			served++
		}
	}
	if served != 10_001 { // 9,999 beside the early one, and two that the others share
		t.Errorf("%d were served", served)
	}
	r.want(early, 200)
	r.want(early, 429)
	r.pass(time.Minute) // all are forgotten
	r.want(from(11_999), 200)
	r.want(early, 200)
}

// TestFilesAreCountedApart: a frame of the page that has no origin sends no cookie with what it asks for.
func TestFilesAreCountedApart(t *testing.T) {
	files := func(r *http.Request) bool { return r.URL.Path == "/open" }
	r := newRig(t, access.Options{Limits: access.Limits{Stranger: access.Rate{PerSecond: 1, Burst: 1}, File: few}, Files: files})
	r.want(get("/v1/health", "From: 192.0.2.7:1"), 401)
	r.want(get("/v1/health", "From: 192.0.2.7:1"), 429)
	for range 2 {
		r.want(get("/open", "From: 192.0.2.7:1"), 200)
	}
	r.want(get("/open", "From: 192.0.2.7:1"), 429)
	r.want(get("/open", "From: 192.0.2.8:1"), 200)
}

// A handler that checks a secret itself has wrong ones counted as credentials that were refused.
func TestLimitOfSecretsInAddresses(t *testing.T) {
	r := newRig(t, access.Options{Limits: access.Limits{Failure: few}})
	for range 2 {
		r.want(get("/secret/wrong"), 404)
	}
	r.want(get("/secret/wrong"), 429, "credentials that were refused")
	r.want(get("/secret/right"), 200)
	r.pass(time.Second)
	r.want(get("/secret/wrong"), 404)
}
