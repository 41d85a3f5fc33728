package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rein"
	"rein/api"
)

// callAs sends a request as someone whom the rig's people know.
func (r *rig) callAs(who rein.Identity, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r.Helper()
	request := httptest.NewRequest(method, target, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	r.handlerFor(func(*http.Request) (rein.Identity, error) { return who, nil }).ServeHTTP(w, request)
	return w
}

// TestPeople manages users and tokens over the API, and sees that a member manages nobody.
func TestPeople(t *testing.T) {
	r := newRig(t)
	owner := rein.Host()
	member := rein.Identity{Household: "home", User: "ann", Role: rein.Member, Scopes: rein.Scopes(), Via: "browser:b"}
	for _, c := range []struct {
		who            rein.Identity
		method, target string
		body           string
		status         int
		says           string
	}{
		{owner, "GET", "/v1/me", "", 200, `"role":"owner"`},
		{owner, "POST", "/v1/users", `{"name":"ann","role":"member"}`, 201, `"name":"ann"`},
		{owner, "POST", "/v1/users", `{"name":"ann","role":"member"}`, 409, "ann"},
		{owner, "POST", "/v1/users", `{"name":"eve","role":"king"}`, 400, "king"},
		{owner, "GET", "/v1/users", "", 200, `"name":"ann"`},
		{member, "POST", "/v1/users", `{"name":"eve","role":"owner"}`, 403, "admin"},
		{member, "PATCH", "/v1/users/ann", `{"role":"owner"}`, 403, "admin"},
		{member, "POST", "/v1/users/owner/link", "", 403, "admin"},
		{member, "POST", "/v1/users/owner/logout", "", 403, ""},
		{member, "GET", "/v1/changes", "", 403, "admin"},
		{owner, "PATCH", "/v1/users/owner", `{"role":"member"}`, 409, "owner"},
		{owner, "PATCH", "/v1/users/ann", `{}`, 400, "nothing"},
		{owner, "PATCH", "/v1/users/ann", `{"role":"viewer","disabled":true}`, 400, "two"},
		{owner, "PATCH", "/v1/users/nobody", `{"role":"viewer"}`, 404, "nobody"},
		{owner, "POST", "/v1/users/ann/link", "", 201, `"/login?link=`},
		{owner, "POST", "/v1/tokens", `{"user":"ann","label":"phone","scopes":["read"],"days":7}`, 201, `"text":"rein_`},
		{owner, "POST", "/v1/tokens", `{"user":"ann","label":"phone","scopes":["admin"]}`, 400, "admin"},
		{owner, "POST", "/v1/tokens", `{"user":"ann","label":"phone","days":-1}`, 400, "days"},
		{owner, "GET", "/v1/tokens", "", 200, `"label":"phone"`},
		{member, "POST", "/v1/tokens", `{"user":"owner","label":"x"}`, 403, ""},
		{owner, "DELETE", "/v1/tokens/nothing", "", 404, ""},
		{owner, "PATCH", "/v1/users/ann", `{"disabled":true}`, 200, `"disabled":"`},
		{owner, "PATCH", "/v1/users/ann", `{"disabled":false}`, 200, `"name":"ann"`},
		{owner, "GET", "/v1/changes?limit=1", "", 200, `"next":`},
		{owner, "GET", "/v1/changes?after=x", "", 400, "after"},
	} {
		w := r.callAs(c.who, c.method, c.target, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: %s %s %s: %d %s, want %d with %q", c.who.User, c.method, c.target, c.body, w.Code, w.Body, c.status, c.says)
		}
	}
}

// TestTokenOverAPI makes a token over the API, is recognised by it, and revokes it.
//
// Covers: NEU-2
func TestTokenOverAPI(t *testing.T) {
	r := newRig(t)
	w := r.callAs(rein.Host(), "POST", "/v1/tokens", `{"label":"cli"}`)
	var made api.MadeToken
	check(t, json.Unmarshal(w.Body.Bytes(), &made))
	who, err := r.people.Identify(t.Context(), made.Text)
	check(t, err)
	if who.User != "owner" || who.Household != "home" {
		t.Errorf("recognised as %+v", who)
	}
	if list := r.callAs(rein.Host(), "GET", "/v1/tokens", "").Body.String(); strings.Contains(list, made.Text) || !strings.Contains(list, made.ID) {
		t.Errorf("the list of tokens is %s", list)
	}
	if w := r.callAs(rein.Host(), "DELETE", "/v1/tokens/"+made.ID, ""); w.Code != http.StatusNoContent {
		t.Errorf("revoked: %d %s", w.Code, w.Body)
	}
	_, err = r.people.Identify(t.Context(), made.Text)
	wantCode(t, "a revoked token", err, rein.CodeUnauthenticated)
}

// TestFiles brings, lists, reads and takes away files of a session, each user their own.
//
// Covers: RAO-73
// Attack: 45
func TestFiles(t *testing.T) {
	r := newRig(t)
	ann := rein.Identity{Household: "home", User: "ann", Role: rein.Member, Scopes: rein.Scopes()}
	bob, owner := ann, rein.Host()
	bob.User = "bob"
	_, err := r.as("ann").Start(t.Context(), "a", rein.Task{Flow: "chat", Session: "s", Messages: []rein.Message{{Role: rein.User, Text: "hi"}}})
	check(t, err)
	follow(t, r.as("ann"), "a", followAll).wantEnd()
	for _, c := range []struct {
		who            rein.Identity
		method, target string
		body           string
		status         int
		says           string
	}{
		{ann, "GET", "/v1/sessions/s/files", "", 200, `{"files":[]}`},
		{ann, "PUT", "/v1/sessions/s/files/..%5C..%5Cetc%5Cpasswd", "x", 200, `"name":"passwd"`},
		{ann, "PUT", "/v1/sessions/s/files/a.txt", "hello", 200, `"size":5`},
		{ann, "PUT", "/v1/sessions/s/files/big", strings.Repeat("x", 11<<20), 413, "10 MB"},
		{ann, "GET", "/v1/sessions/s/files", "", 200, `"name":"a.txt"`},
		{ann, "GET", "/v1/sessions/s/files/a.txt", "", 200, "hello"},
		{ann, "GET", "/v1/sessions/s/files/none", "", 404, "none"},
		{owner, "GET", "/v1/sessions/s/files/a.txt", "", 200, "hello"},
		{owner, "PUT", "/v1/sessions/s/files/a.txt", "owned", 403, "ann"},
		{owner, "DELETE", "/v1/sessions/s/files/a.txt", "", 403, "ann"},
		{bob, "GET", "/v1/sessions/s/files/a.txt", "", 404, ""},
		{bob, "GET", "/v1/sessions/s/files", "", 200, `{"files":[]}`},
		{bob, "DELETE", "/v1/sessions/s/files/a.txt", "", 404, ""},
		{ann, "DELETE", "/v1/sessions/s/files/a.txt", "", 204, ""},
		{ann, "GET", "/v1/sessions/s/files/a.txt", "", 404, ""},
	} {
		w := r.callAs(c.who, c.method, c.target, c.body, "Content-Type", "text/html")
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: %s %s: %d %.200s, want %d with %q", c.who.User, c.method, c.target, w.Code, w.Body, c.status, c.says)
		}
		if c.says == "hello" && (w.Header().Get("Content-Type") != "application/octet-stream" || !strings.Contains(w.Header().Get("Content-Disposition"), "attachment")) {
			t.Errorf("a file is sent as %v", w.Header())
		}
	}
}
