package access_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"rein"
	"rein/household/people"
	"rein/server/access"
)

// fill is a form of a page.
func fill(path string, values url.Values, headers ...string) request {
	return request{"POST", path, append([]string{"Content-Type: application/x-www-form-urlencoded"}, headers...), values.Encode()}
}

// The page of an invitation says whose household it is, in the reader's language, and uses nothing up; its form makes the
// user and logs the browser in. A name that is taken can be chosen again.
//
// Attack: 93
func TestJoin(t *testing.T) {
	t.Parallel()
	r := newRig(t, access.Options{})
	text, _, err := r.NewInvite(t.Context(), rein.Host(), people.InviteRequest{Role: rein.Child})
	check(t, err)
	open := "/join?invite=" + text
	for range 3 {
		r.want(get(open), 200, "owner invites you", "“home”", "a child", `name="name"`)
	}
	r.want(get(open, "Accept-Language: nl-BE, en;q=0.5"), 200, "nodigt je uit", "kind", "Meedoen", `lang="nl"`)
	r.want(get(open, "Accept-Language: fr"), 200, `lang="en"`)
	form := func(name string, headers ...string) request {
		return fill("/join", url.Values{"invite": {text}, "name": {name}}, headers...)
	}
	r.want(form("kim", otherPage), 403, "a page of this server")
	r.want(form("kim"), 403, "a page of this server")
	r.want(form("owner", ownPage), 409, "choose another name", text)
	r.want(form("<b>", ownPage), 400, "is not a name", text)
	r.want(form("owner", ownPage, "Accept-Language: nl"), 409, "Die naam is al in gebruik")
	agent := "User-Agent: Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile Safari/537.36"
	answer := r.want(form("kim", ownPage, agent), http.StatusSeeOther)
	cookie := answer.Cookies()[0].Value
	r.want(get("/v1/me", session(cookie)), 200, `"user":"kim"`, `"role":"child"`)
	devices, err := r.Devices(t.Context(), rein.Host(), "kim")
	check(t, err)
	if len(devices) != 1 || devices[0].Label != "Chrome on Android" {
		t.Errorf("devices %+v", devices)
	}
	if h := r.want(form("lee", ownPage), 401, "used before").Header; h.Get("Set-Cookie") != "" {
		t.Error("there is a cookie")
	}
	r.want(get(open), 401, "used before")
	r.want(get("/join"), 200, "open the link")
	r.want(get("/join?invite="+strings.Repeat("a", 2000)), 200, "open the link")
	r.want(request{"DELETE", "/join", nil, ""}, 405, "/join does not support")
}

// A code is typed on a page, which no other site can send for somebody; guesses are counted by address.
//
// Attack: 93
func TestPair(t *testing.T) {
	t.Parallel()
	r := newRig(t, access.Options{Limits: access.Limits{Failure: access.Rate{PerSecond: 0.001, Burst: 3}}})
	r.add("kim", rein.Child)
	code, _, err := r.NewPairing(t.Context(), rein.Host(), "kim")
	check(t, err)
	r.want(get("/pair"), 200, `name="code"`)
	r.want(get("/pair", "Accept-Language: nl"), 200, "Typ de code")
	form := func(code string, headers ...string) request {
		return fill("/pair", url.Values{"code": {code}}, headers...)
	}
	r.want(form(code, otherPage), 403, "a page of this server")
	cookie := r.want(form(strings.ToLower(code), ownPage), http.StatusSeeOther).Cookies()[0].Value
	r.want(get("/v1/me", session(cookie)), 200, `"user":"kim"`)
	for range 3 {
		r.want(form("2222-2222", ownPage), 401, "not a pairing code", `name="code"`)
	}
	r.want(form("2222-2222", ownPage), 429, "too many")
}
