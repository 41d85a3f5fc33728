package server_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"rein"
)

// TestGetThatStartsWork has a browser send a GET that starts work, as one of a page of ours, of another
// page, of a link or an image in an old browser that tells nothing about itself, and as other programs do.
// A cookie alone is not enough; what only reads needs no more.
//
// Attack: 17
func TestGetThatStartsWork(t *testing.T) {
	h := newHouse(t)
	a := h.things()
	ann, bob := h.browser("ann"), h.browser("bob")
	csrf := ann.headers[3]
	cookie := visitor{headers: ann.headers[:2]}
	for _, c := range []struct {
		name    string
		v       visitor
		headers []string
		starts  bool
	}{
		{"a cookie alone", cookie, nil, false},
		{"an image", cookie, []string{"Accept", "image/*", "Referer", "http://evil.example/"}, false},
		{"an address that was typed", cookie, []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}, false},
		{"something of no page", cookie, []string{"Sec-Fetch-Site", "none"}, false},
		{"a link of ours", cookie, []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate"}, false},
		{"a prefetch of ours", cookie, []string{"Sec-Fetch-Site", "same-origin", "Sec-Purpose", "prefetch"}, false},
		{"another page", cookie, []string{"Origin", "http://evil.example"}, false},
		{"another page with the proof", cookie, []string{"Origin", "http://evil.example", "X-CSRF-Token", csrf}, false},
		{"another port of ours", cookie, []string{"Sec-Fetch-Site", "same-site"}, false},
		{"a wrong proof", cookie, []string{"X-CSRF-Token", bob.headers[3]}, false},
		{"an empty proof", cookie, []string{"X-CSRF-Token", ""}, false},
		{"a page of ours", cookie, []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors"}, true},
		{"a page of ours that says so", cookie, []string{"Origin", "http://localhost:7717"}, true},
		{"a proof", cookie, []string{"X-CSRF-Token", csrf}, true},
		{"a token", h.token("home", "ann"), nil, true},
		{"a token and a cookie", visitor{headers: append(h.token("home", "ann").headers, cookie.headers...)}, nil, true},
	} {
		id := strings.ReplaceAll(c.name, " ", "-")
		w := h.startAgent(c.v, id, c.headers...)
		_, err := h.store.Run(t.Context(), rein.RunID("agent-of-"+id))
		if started := err == nil; started != c.starts || (w.Code == http.StatusForbidden) == c.starts {
			t.Errorf("%s: started %v, with %d %.200s", c.name, started, w.Code, w.Body)
		}
		if w = h.send(c.v, "GET", "/v1/runs/"+string(a.done), "", c.headers...); !c.starts && w.Code != http.StatusOK && w.Code != http.StatusForbidden {
			t.Errorf("%s: reading is answered with %d", c.name, w.Code)
		}
	}
	if w := h.send(cookie, "GET", "/v1/runs/"+string(a.done), ""); w.Code != http.StatusOK {
		t.Errorf("reading with a cookie alone is answered with %d %s", w.Code, w.Body)
	}
	if w := h.send(cookie, "GET", "/v1/me", ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), string(rein.ScopeAct)) {
		t.Errorf("who I am is answered with %d %s", w.Code, w.Body)
	}
}

// startAgent sends the GET that starts an agent of this name, and leaves it at its first chunk.
func (h *house) startAgent(v visitor, name string, headers ...string) *httptest.ResponseRecorder {
	h.Helper()
	return h.send(v, "GET", "/agent/stream?"+url.Values{"prompt": {"hi"}, "agentId": {"agent-of-" + name}}.Encode(), "", headers...)
}
