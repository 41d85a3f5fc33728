package server_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"rein"
	"rein/api"
	"rein/api/client"
)

// TestSay brings messages to a session: the first starts a run, one meanwhile steers it, and one that
// is sent again is the same.
func TestSay(t *testing.T) {
	r := newRig(t)
	ann, bob := r.as("ann"), r.as("bob")
	first, err := ann.Say(t.Context(), "s", api.NewMessage{ID: "a", Text: "wait", Task: rein.Task{Flow: "chat"}})
	check(t, err)
	if first.State != rein.ReceiptStarted || first.Started != "a" {
		t.Fatalf("the first message: %+v", first)
	}
	f := follow(t, ann, "a", followAll)
	f.untilKind("a", rein.StepStarted)
	for range 2 {
		second, err := ann.Say(t.Context(), "s", api.NewMessage{ID: "b", Text: "and then?", Task: rein.Task{Flow: "chat"}})
		check(t, err)
		if second.State != rein.ReceiptPending || second.Command != "a:3" {
			t.Errorf("a message meanwhile: %+v", second)
		}
	}
	_, err = bob.Say(t.Context(), "s", api.NewMessage{Text: "hi", Task: rein.Task{Flow: "chat"}})
	wantCode(t, "another talks in the session", err, rein.CodeConflict)
	_, err = r.Say(t.Context(), "s", api.NewMessage{Text: "hi", Task: rein.Task{Flow: "chat"}})
	wantCode(t, "the owner talks in the session", err, rein.CodeForbidden, "ann")
	_, err = ann.Say(t.Context(), "s", api.NewMessage{Text: " "})
	wantCode(t, "nothing is said", err, rein.CodeInvalid)
	_, err = ann.Say(t.Context(), "s", api.NewMessage{Text: "x", Task: rein.Task{Session: "t"}})
	wantCode(t, "two sessions", err, rein.CodeInvalid)
	r.tell("")
	f.wantEnd()
	page, err := ann.Sessions(t.Context(), "")
	check(t, err)
	if len(page.Sessions) != 1 || page.Sessions[0].ID != "s" || page.Sessions[0].User != "ann" {
		t.Errorf("ann's sessions: %+v", page)
	}
	one, err := ann.Session(t.Context(), "s")
	check(t, err)
	if one.ID != "s" {
		t.Errorf("the session: %+v", one)
	}
	_, err = bob.Session(t.Context(), "s")
	wantCode(t, "another looks at the session", err, rein.CodeNotFound)
	if page, err := bob.Sessions(t.Context(), ""); err != nil || len(page.Sessions) > 0 {
		t.Errorf("bob's sessions: %+v, %v", page, err)
	}
}

// TestSessionPages lists sessions newest first, page by page.
func TestSessionPages(t *testing.T) {
	r := newRig(t)
	for _, id := range []string{"a", "b", "c"} {
		r.start(rein.RunID(id), task("chat", "hi"))
		follow(t, r.Client, rein.RunID(id), followAll).wantEnd()
	}
	var got []string
	for after := ""; ; {
		var page api.Sessions
		body := r.get("/v1/sessions?limit=2&after=" + after)
		check(t, json.Unmarshal(body, &page))
		for _, s := range page.Sessions {
			got = append(got, s.ID)
		}
		if after = page.Next; after == "" {
			break
		}
	}
	if len(got) != 3 || got[0] != "c" || got[2] != "a" {
		t.Errorf("sessions come as %v", got)
	}
}

// get returns the body of an answer that must be fine.
func (r *rig) get(target string) []byte {
	r.Helper()
	w := r.request("GET", target, "", nil)
	if w.Code != http.StatusOK {
		r.Fatalf("GET %s: %d %s", target, w.Code, w.Body)
	}
	return w.Body.Bytes()
}

func (r *rig) request(method, target, user string, body any, headers ...string) *httptest.ResponseRecorder {
	r.Helper()
	data, err := json.Marshal(body)
	check(r, err)
	request := httptest.NewRequest(method, target, bytes.NewReader(data))
	request.Header.Set("X-User", user)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, request)
	return w
}

// TestIdempotencyKey starts a run twice by one key: it is one run, of the one who sent it.
func TestIdempotencyKey(t *testing.T) {
	r := newRig(t)
	body := map[string]any{"task": task("chat", "hi")}
	start := func(user, key string, status int) rein.RunInfo {
		t.Helper()
		w := r.request("POST", "/v1/runs", user, body, "Idempotency-Key", key)
		var info rein.RunInfo
		if w.Code != status || json.Unmarshal(w.Body.Bytes(), &info) != nil {
			t.Fatalf("%s starts with key %q: %d %s", user, key, w.Code, w.Body)
		}
		return info
	}
	one := start("ann", "k", http.StatusCreated)
	if again := start("ann", "k", http.StatusOK); again.ID != one.ID {
		t.Errorf("the same key starts %s and %s", one.ID, again.ID)
	}
	if other := start("bob", "k", http.StatusCreated); other.ID == one.ID {
		t.Error("the same key of another user is the same run")
	}
	for _, c := range []struct {
		name    string
		body    any
		headers []string
		status  int
	}{
		{"another task", map[string]any{"task": task("chat", "ho")}, []string{"Idempotency-Key", "k"}, http.StatusConflict},
		{"an ID too", map[string]any{"id": "x", "task": task("chat", "hi")}, []string{"Idempotency-Key", "k"}, http.StatusBadRequest},
		{"two keys", body, []string{"Idempotency-Key", "k", "Idempotency-Key", "l"}, http.StatusBadRequest},
		{"an empty key", body, []string{"Idempotency-Key", ""}, http.StatusBadRequest},
		{"a strange key", body, []string{"Idempotency-Key", "é"}, http.StatusBadRequest},
		{"the ID of a child", map[string]any{"id": "x.1", "task": task("chat", "hi")}, nil, http.StatusBadRequest},
	} {
		if w := r.request("POST", "/v1/runs", "ann", c.body, c.headers...); w.Code != c.status {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
		}
	}
	comment := map[string]any{"kind": "comment", "run": one.ID, "text": "hm"}
	follow(t, r.as("ann"), one.ID, client.FollowOptions{}).wantEnd()
	w := r.request("POST", "/v1/commands", "ann", comment, "Idempotency-Key", "c")
	if w.Code != http.StatusConflict { // it has ended
		t.Errorf("a comment: %d %s", w.Code, w.Body)
	}
}

// TestAnswerByPath answers an ask by its own path, with a key, once.
func TestAnswerByPath(t *testing.T) {
	r := newRig(t)
	ann := r.as("ann")
	_, err := ann.Start(t.Context(), "a", task("ask", ""))
	check(t, err)
	f := follow(t, ann, "a", followAll)
	f.untilKind("a", rein.RunParked)
	yes := api.Answer{Answer: rein.Answer{State: rein.AskAnswered, Text: "yes"}, Key: "k"}
	_, err = r.Answer(t.Context(), "a:1.ask", yes)
	wantCode(t, "the owner answers in another's name", err, rein.CodeForbidden, "ann")
	_, err = ann.Answer(t.Context(), "a:1.ask", yes)
	wantCode(t, "an answer to nothing in particular", err, rein.CodeInvalid, "shown")
	ask, err := ann.Ask(t.Context(), "a:1.ask")
	check(t, err)
	yes.Shown = ask.Shown + "0"
	_, err = ann.Answer(t.Context(), "a:1.ask", yes)
	wantCode(t, "an answer to something else", err, rein.CodeConflict, "read the ask again")
	yes.Shown = ask.Shown
	first, err := ann.Answer(t.Context(), "a:1.ask", yes)
	check(t, err)
	again, err := ann.Answer(t.Context(), "a:1.ask", yes)
	check(t, err)
	if again.Command != first.Command || !again.Again {
		t.Errorf("answered again: %+v, before %+v", again, first)
	}
	yes.Key = "another"
	_, err = ann.Answer(t.Context(), "a:1.ask", yes)
	wantCode(t, "the same answer with another key", err, rein.CodeClosed, "answered (yes) by ann")
	f.wantEnd()
	acts, err := ann.Audit(t.Context(), "a", 0)
	check(t, err)
	var told []string
	for _, a := range acts.Acts {
		told = append(told, string(a.Kind)+" "+a.By)
	}
	if len(told) != 3 || told[0] != "run.completed " || told[1] != "command.answer ann" || told[2] != "run.started ann" {
		t.Errorf("the audit tells %q", told)
	}
}

// TestRecords sums up and audits: one's own, or the household's for who manages it.
//
// Covers: TREE-80
func TestRecords(t *testing.T) {
	r := newRig(t)
	for _, user := range []string{"ann", "bob", "stranger"} {
		_, err := r.as(user).Start(t.Context(), rein.RunID(user), task("chat", "hi"))
		check(t, err)
		follow(t, r.as(user), rein.RunID(user), followAll).wantEnd()
	}
	for user, want := range map[string]string{"ann": "ann=1", "": "ann=1 bob=1", "stranger": "owner=1"} {
		c := r.Client
		if user != "" {
			c = r.as(user)
		}
		sums, err := c.Usage(t.Context(), "user", "")
		check(t, err)
		got := ""
		for _, s := range sums.Sums {
			got += s.What + "=1 "
			if s.Runs != 1 || s.Used.Tokens != 2 {
				t.Errorf("%q is told %+v", user, s)
			}
		}
		if got != want+" " {
			t.Errorf("%q is told of %q, want %q", user, got, want)
		}
	}
	for target, status := range map[string]int{
		"/v1/usage?user=bob":        http.StatusForbidden,
		"/v1/audit?user=bob":        http.StatusForbidden,
		"/v1/audit?tree=bob":        http.StatusNotFound,
		"/v1/audit?before=x":        http.StatusBadRequest,
		"/v1/usage?zone=Nowhere":    http.StatusBadRequest,
		"/v1/usage?by=luck":         http.StatusBadRequest,
		"/v1/usage?zone=Asia/Tokyo": http.StatusOK,
		"/v1/audit?limit=1":         http.StatusOK,
		"/v1/sessions?after=bob":    http.StatusNotFound,
		"/v1/runs?newest=1&roots=1": http.StatusOK,
		"/v1/runs?newest=perhaps":   http.StatusBadRequest,
		"/v1/flows":                 http.StatusOK,
		"/v1/presets":               http.StatusOK,
		"/v1/tools":                 http.StatusOK,
		"/v1/models":                http.StatusOK,
		"/v1/models?x=1":            http.StatusBadRequest,
		"/v1/sessions/bob":          http.StatusNotFound,
		"/v1/sessions/ann":          http.StatusOK,
		"/healthz":                  http.StatusOK,
		"/readyz":                   http.StatusOK,
	} {
		if w := r.request("GET", target, "ann", nil); w.Code != status {
			t.Errorf("GET %s: %d %s", target, w.Code, w.Body)
		}
	}
}
