package access_test

import (
	"encoding/json"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"rein"

	"github.com/google/go-cmp/cmp"

	"rein/api"
	"rein/household/people"
	"rein/server/access"
)

func (r *rig) me(q request) (me api.Me) {
	r.Helper()
	body, err := io.ReadAll(r.send(q).Body)
	check(r, err)
	check(r, json.Unmarshal(body, &me))
	return me
}

// TestMe says who someone is by each kind of credential, whatever else the request claims.
//
// Covers: NEU-2
func TestMe(t *testing.T) {
	r := newRig(t, access.Options{})
	r.add("ann", rein.Member)
	token, id := r.token("ann", rein.ScopeRead)
	want := api.Me{Identity: rein.Identity{Household: "home", User: "ann", Role: rein.Member, Scopes: []rein.Scope{rein.ScopeRead}, Via: "token:" + id}}
	lies := []string{"X-User: owner", "X-Household: other", "X-Forwarded-User: owner", "Cookie: user=owner"}
	if diff := cmp.Diff(want, r.me(get("/v1/me", bearer(token)).with(lies...))); diff != "" {
		t.Error(diff)
	}
	cookie := r.cookie("ann")
	me := r.me(get("/v1/me", session(cookie)).with(lies...))
	if me.User != "ann" || !strings.HasPrefix(me.Via, "browser:") || !people.IsCSRF(cookie, me.CSRF) {
		t.Errorf("%+v", me)
	}
	if me := r.me(get("/v1/me", session(cookie), bearer(token))); me.Via != "token:"+id || me.CSRF != "" {
		t.Errorf("a token beside a cookie: %+v", me)
	}
	r.want(post("/v1/me", bearer(token)), 405, "GET")
}

// Attack: 19
func TestNobody(t *testing.T) {
	r := newRig(t, access.Options{Limits: access.Limits{Failure: access.Rate{PerSecond: 1, Burst: 100}}})
	token, id := r.token("owner")
	cookie := r.cookie("owner")
	never := "rein_aaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaa"
	for name, c := range map[string]struct {
		request
		word, challenge string
	}{
		"nothing":            {get("/v1/health"), "no credential", `Bearer realm="rein"`},
		"unknown token":      {get("/v1/health", bearer(never)), "not known", `Bearer realm="rein", error="invalid_token"`},
		"no bearer":          {get("/v1/health", "Authorization: Basic b3duZXI6eA=="), "Bearer TOKEN", `Bearer realm="rein", error="invalid_token"`},
		"no scheme":          {get("/v1/health", "Authorization: "+token), "Bearer TOKEN", `Bearer realm="rein", error="invalid_token"`},
		"empty":              {get("/v1/health", "Authorization: "), "Bearer TOKEN", `Bearer realm="rein", error="invalid_token"`},
		"two tokens":         {get("/v1/health", bearer(token), bearer(token)), "send one", `Bearer realm="rein", error="invalid_token"`},
		"bad beside cookie":  {get("/v1/health", bearer(never), session(cookie)), "not known", `Bearer realm="rein", error="invalid_token"`},
		"two cookies":        {get("/v1/health", session(cookie), session(cookie)), "log in again", `Bearer realm="rein", error="invalid_token"`},
		"cookie of TLS":      {get("/v1/health", "Cookie: __Host-rein="+cookie), "no credential", `Bearer realm="rein"`},
		"token as cookie":    {get("/v1/health", session(token)), "not a login", `Bearer realm="rein", error="invalid_token"`},
		"cookie as token":    {get("/v1/health", bearer(cookie)), "not a token", `Bearer realm="rein", error="invalid_token"`},
		"in the address":     {get("/v1/health?access_token=" + token), "not taken from the address", `Bearer realm="rein"`},
		"me, to nobody":      {get("/v1/me"), "no credential", `Bearer realm="rein"`},
		"the ID alone":       {get("/v1/health", bearer(id)), "not a token", `Bearer realm="rein", error="invalid_token"`},
		"act without anyone": {post("/act"), "no credential", `Bearer realm="rein"`},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rig{TB: t, handler: r.handler}
			answer := r.want(c.request, 401, c.word, `"unauthenticated"`)
			if got := answer.Header.Get("WWW-Authenticate"); got != c.challenge {
				t.Errorf("the challenge is %q", got)
			}
		})
	}
	r.want(get("/v1/health", bearer(token)), 200)
	r.want(get("/v1/health", "Authorization: bearer  "+token), 200)
	r.want(get("/v1/health", session(cookie)), 200)
	r.want(get("/open", bearer(never)), 200) // what is open to all stays so
}

// Attack: 9
func TestScopes(t *testing.T) {
	r := newRig(t, access.Options{})
	r.add("eve", rein.Viewer)
	viewer, _ := r.token("eve")
	reader, _ := r.token("owner", rein.ScopeRead)
	for _, token := range []string{viewer, reader} {
		r.want(get("/v1/health", bearer(token)), 200)
		if h := r.want(post("/act", bearer(token)), 403, "act").Header; h.Get("WWW-Authenticate") != "" {
			t.Error("who is known is asked who they are")
		}
	}
	full, _ := r.token("owner")
	r.want(post("/act", bearer(full)), 200, "owner sent 0")
}

func TestRevokedAtOnce(t *testing.T) {
	r := newRig(t, access.Options{})
	r.add("ann", rein.Member)
	token, id := r.token("ann")
	cookie := r.cookie("ann")
	r.want(get("/v1/health", bearer(token)), 200)
	r.want(get("/v1/health", session(cookie)), 200)
	check(t, r.RevokeToken(t.Context(), rein.Host(), id))
	r.want(get("/v1/health", bearer(token)), 401, "ended")
	check(t, r.DisableUser(t.Context(), rein.Host(), "ann"))
	r.want(get("/v1/health", session(cookie)), 401, "disabled")
}

// FuzzAuthorization gives the reader of headers any text.
func FuzzAuthorization(f *testing.F) {
	for _, seed := range []string{"", "Bearer", "Bearer ", "Bearer x", "bearer rein_aaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaa", "Basic eDp5", "\x00"} {
		f.Add(seed, seed, seed)
	}
	lots := access.Rate{PerSecond: 1e6, Burst: 1e6}
	r := newRig(f, access.Options{Limits: access.Limits{Failure: lots, Stranger: lots}})
	f.Fuzz(func(t *testing.T, authorization, cookie, host string) {
		q := get("/v1/health").http()
		q.Header["Authorization"] = []string{authorization}
		if len(authorization)%2 == 1 {
			delete(q.Header, "Authorization")
		}
		q.Header["Cookie"] = []string{"rein_session=" + cookie}
		if _, err := r.access.Who(q); err == nil {
			t.Errorf("%q or %q is someone", authorization, cookie)
		}
		q.Host = host
		r.handler.ServeHTTP(httptest.NewRecorder(), q)
	})
}
