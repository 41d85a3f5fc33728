package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rein"
)

// TestNamesOfTheServer has bob try to be the first in the sessions that the server will choose for ann, by
// every way in which someone names a session or a run. None of them is his, and ann is not locked out;
// what is hers already she may name.
//
// Attack: 8
func TestNamesOfTheServer(t *testing.T) {
	h := newHouse(t)
	bob, ann := h.token("home", "bob"), h.token("home", "ann")
	addr := h.open()
	for _, name := range []string{"chat-home-ann", "background-home-ann", "k-home-ann"} {
		for _, c := range []struct{ target, body string }{
			{"/v1/runs", fmt.Sprintf(`{"task":{"flow":"chat","session":%q}}`, name)},
			{"/v1/runs", fmt.Sprintf(`{"id":%q,"task":{"flow":"chat"}}`, name)},
			{"/v1/runs", fmt.Sprintf(`{"id":%q,"task":{"flow":"chat","session":"bobs"}}`, name)},
			{"/v1/sessions/" + name + "/messages", `{"text":"hi","task":{"flow":"chat"}}`},
			{"/v1/sessions/bobs/messages", fmt.Sprintf(`{"id":%q,"text":"hi","task":{"flow":"chat"}}`, name)},
		} {
			if w := h.send(bob, "POST", c.target, c.body); w.Code != http.StatusBadRequest && w.Code != http.StatusNotFound {
				t.Errorf("bob takes %s with %s %s: %d %s", name, c.target, c.body, w.Code, w.Body)
			}
		}
		if w := h.send(bob, "GET", "/agent/stream?prompt=hi&agentId="+name, ""); w.Code != http.StatusBadRequest {
			t.Errorf("bob takes %s as an agent's: %d %s", name, w.Code, w.Body)
		}
		strict := h.dial(bob, addr, "/ws")
		h.say(strict, map[string]any{"type": "chat", "content": "hi", "conversation_id": name})
		h.hear(strict, `"error"`, "no conversation")
	}
	for _, id := range []string{"m-r1", "s-0123", "d-2026-11-16-0123"} {
		if w := h.send(bob, "POST", "/v1/runs", fmt.Sprintf(`{"id":%q,"task":{"flow":"chat"}}`, id)); w.Code != http.StatusBadRequest {
			t.Errorf("bob takes the run %s of a keeper: %d %s", id, w.Code, w.Body)
		}
	}
	if w := h.send(ann, "POST", "/chat", `{"message":"hi"}`); w.Code != http.StatusOK && !strings.Contains(w.Body.String(), "flow") {
		t.Errorf("ann's chat is answered with %d %s", w.Code, w.Body)
	}
	task := task("chat", "before")
	task.Household, task.User, task.Session = "home", "ann", "chat-old"
	_, err := h.engine.Start(t.Context(), rein.RunID("old"), task)
	check(t, err)
	follow(t, h.Client, "old", followAll).wantEnd()
	if w := h.send(ann, "POST", "/v1/sessions/chat-old/messages", `{"text":"hi","task":{"flow":"chat"}}`); w.Code != http.StatusOK {
		t.Errorf("ann in a session of hers that the server named: %d %s", w.Code, w.Body)
	}
	if w := h.send(bob, "POST", "/v1/sessions/chat-old/messages", `{"text":"hi","task":{"flow":"chat"}}`); w.Code != http.StatusNotFound {
		t.Errorf("bob in a session of ann's: %d %s", w.Code, w.Body)
	}
}
