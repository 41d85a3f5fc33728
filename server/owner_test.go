package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rein"
)

// dial opens a WebSocket as someone. The server goes by its address here.
func (h *house) dial(v visitor, addr, target string) *websocket.Conn {
	h.Helper()
	headers := http.Header{}
	for i := 0; i+1 < len(v.headers); i += 2 {
		headers.Add(v.headers[i], v.headers[i+1])
	}
	c, _, err := websocket.Dial(h.Context(), "ws://"+addr+target, &websocket.DialOptions{HTTPHeader: headers})
	check(h, err)
	c.SetReadLimit(1 << 20)
	h.Cleanup(func() { c.CloseNow() })
	return c
}

// hear reads messages up to one that has all of the words.
func (h *house) hear(c *websocket.Conn, words ...string) string {
	h.Helper()
	ctx, cancel := context.WithTimeout(h.Context(), patience)
	defer cancel()
	var heard strings.Builder
	for {
		_, data, err := c.Read(ctx)
		if err != nil {
			h.Fatalf("waiting for %q: %v after %.1000s", words, err, heard.String())
		}
		heard.Write(data)
		fits := true
		for _, w := range words {
			fits = fits && strings.Contains(string(data), w)
		}
		if fits {
			return string(data)
		}
	}
}

func (h *house) say(c *websocket.Conn, message any) {
	h.Helper()
	data, err := json.Marshal(message)
	check(h, err)
	check(h, c.Write(h.Context(), websocket.MessageText, data))
}

// asked follows an agent and returns the ID under which the connection is asked what is open.
func (h *house) asked(c *websocket.Conn, agent rein.RunID) string {
	h.Helper()
	h.say(c, map[string]any{"type": "start-agent", "lastEventId": string(agent) + ":0"})
	var query struct {
		QueryID string `json:"queryId"`
	}
	check(h, json.Unmarshal([]byte(h.hear(c, "user-query")), &query))
	return query.QueryID
}

// TestNobodyAnswersForAnother tries to answer ann's ask as the owner of her household, who may see it
// and stop its run, over every wire. Saying yes is for the one who is asked.
//
// Covers: NEU-2
// Attack: 3 48
func TestNobodyAnswersForAnother(t *testing.T) {
	h := newHouse(t)
	a := h.things()
	owner, vic := h.token("home", "owner"), h.token("home", "vic")
	addr := h.open()
	for _, v := range []visitor{owner, vic} {
		told := "no question is open" // a child's is not shown there
		if v.name == vic.name {
			told = "scope"
		}
		strict := h.dial(v, addr, "/ws?conversation_id="+a.session)
		h.say(strict, map[string]any{"type": "agent_user_input", "content": "red"})
		h.hear(strict, told)
		h.say(strict, map[string]any{"type": "tool_approval_response", "tool_call_id": string(a.ask), "approved": true})
		h.hear(strict, `"error"`)
		explore := h.dial(v, addr, "/agent/stream")
		query := h.asked(explore, a.run)
		for _, response := range []map[string]any{
			{"type": "user-response", "queryId": query, "response": "red"},
			{"type": "user-response", "agentId": a.child, "response": "red"},
			{"type": "user-response", "queryId": query, "response": nil},
		} {
			h.say(explore, response)
			h.hear(explore, "forbidden")
		}
	}
	bob := h.dial(h.token("home", "bob"), addr, "/agent/stream")
	for field, id := range map[string]string{"queryId": string(a.ask), "agentId": string(a.child)} {
		h.say(bob, map[string]any{"type": "user-response", field: id, "response": "red"})
		if said := h.hear(bob, `"error"`); strings.Contains(said, secret) {
			t.Errorf("bob is told %s", said)
		}
	}
	ask, err := h.store.Ask(t.Context(), a.ask)
	check(t, err)
	if ask.State != rein.AskPending {
		t.Errorf("the ask is %s, by %s", ask.State, ask.Answer.By)
	}
	ann := h.dial(h.token("home", "ann"), addr, "/agent/stream")
	h.say(ann, map[string]any{"type": "user-response", "queryId": h.asked(ann, a.run), "response": "red"})
	follow(t, h.Client, a.child, followAll).wantEnd()
	if ask, err = h.store.Ask(t.Context(), a.ask); err != nil || ask.State != rein.AskAnswered || ask.Answer.By != "ann" {
		t.Errorf("answered by ann the ask is %+v, %v", ask, err)
	}
}

// TestSocketsEndWithTheirCredential revokes a token, and every socket that came with it closes.
//
// Covers: NEU-2
// Attack: 11
func TestSocketsEndWithTheirCredential(t *testing.T) {
	h := newHouse(t)
	a := h.things()
	addr := h.open()
	for _, target := range []string{"/ws?conversation_id=" + a.session, "/agent/stream", "/v1/runs/" + string(a.run) + "/events"} {
		v := h.token("home", "ann")
		c := h.dial(v, addr, target)
		check(t, h.people.RevokeToken(t.Context(), rein.Host(), strings.TrimPrefix(v.who.Via, "token:")))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // much less than a heartbeat, which would notice too
		for {
			if _, _, err := c.Read(ctx); err != nil {
				break
			}
		}
		if ctx.Err() != nil {
			t.Errorf("%s stays open", target)
		}
		cancel()
	}
	if info, err := h.store.Run(t.Context(), a.run); err != nil || info.Status.Ended() {
		t.Errorf("the run is %+v, %v: a connection took it along", info, err)
	}
}

// TestKeysAreOnesOwn takes the ID that ann's key will lead to, before she uses it: it cannot be had.
//
// Attack: 7
func TestKeysAreOnesOwn(t *testing.T) {
	h := newHouse(t)
	bob, ann := h.token("home", "bob"), h.token("home", "ann")
	w := h.send(ann, "POST", "/v1/runs", `{"task":{"flow":"chat"}}`, "Idempotency-Key", "monday")
	var made struct{ ID, Session string }
	check(t, json.Unmarshal(w.Body.Bytes(), &made))
	// Had bob known the ID a moment before:
	next := made.ID[:len(made.ID)-1] + "x"
	for _, body := range []string{
		`{"id":"` + next + `","task":{"flow":"chat"}}`,
		`{"task":{"flow":"chat","session":"` + next + `"}}`,
	} {
		if w := h.send(bob, "POST", "/v1/runs", body); w.Code != 400 && w.Code != 404 {
			t.Errorf("bob takes ann's ID with %s: %d %s", body, w.Code, w.Body)
		}
	}
	if w := h.send(bob, "POST", "/v1/sessions/"+next+"/messages", `{"text":"hi","task":{"flow":"chat"}}`); w.Code != 404 {
		t.Errorf("bob speaks first in ann's session: %d %s", w.Code, w.Body)
	}
	if w := h.send(ann, "POST", "/v1/runs", `{"task":{"flow":"chat","session":"`+made.Session+`"}}`); w.Code != 201 {
		t.Errorf("ann goes on in her session: %d %s", w.Code, w.Body)
	}
	h.quiet()
}

// TestManyRecords measures what one request can make the server read: lists and sums of many runs stay
// within seconds, so that a client with a rate limit cannot keep it busy for long.
func TestManyRecords(t *testing.T) {
	h := newHouse(t)
	const runs = 1000
	for i := range runs {
		task := rein.Task{Flow: "ask", Household: "home", User: "ann"}
		_, err := h.engine.Start(t.Context(), rein.RunID("m"+strconv.Itoa(i)), task)
		check(t, err)
	}
	h.quiet()
	ann := h.token("home", "ann")
	for _, target := range []string{"/v1/usage", "/v1/asks?state=pending", "/v1/sessions", "/v1/runs?status=done", "/agent/tree", "/chat/history", "/v1/audit"} {
		began := time.Now()
		w := h.send(ann, "GET", target, "")
		t.Logf("%s of %d runs: %d, %d bytes, %v", target, runs, w.Code, w.Body.Len(), time.Since(began))
		if w.Code != 200 || time.Since(began) > 10*time.Second {
			t.Errorf("%s: %d after %v", target, w.Code, time.Since(began))
		}
	}
}
