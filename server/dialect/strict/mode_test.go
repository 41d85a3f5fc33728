package strict_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"rein"
	"rein/server"
	"rein/server/dialect/strict"
)

const inputSchema = `{"type":"object","properties":{"question":{"type":"string","description":"Question to present to user"}},"required":["question"]}`

// The model is offered request_input, to the letter, in agent mode and in no other, whatever the client
// selects; and each mode is its own flow.
//
// Covers: RAO-40/server RAO-41/server RAO-53 RAO-61/server
func TestModes(t *testing.T) {
	for _, c := range []struct {
		chat, flow string
		asks       bool
	}{
		{`"agent_mode": true`, "strict", true},
		{`"agent_mode": true, "only_rag": true, "selected_tools": ["read", "request_input"]`, "strict", true},
		{`"selected_tools": ["read", "request_input"]`, "operate", false},
		{`"only_rag": true, "selected_tools": ["request_input", "read"]`, "answer", false},
		{`"selected_tools": ["request_input"]`, "chat", false},
		{`"agent_mode": false`, "chat", false},
	} {
		t.Run(c.chat, func(t *testing.T) {
			s := scene(t, "strict/c3_answered")
			model := parseScript(t, `when phase=reason
say {"plan": "look"}

when phase=observe
say {"should_continue": false, "final_answer": "Done."}

when phase=decide
say {"confidence": "high", "enough": true}

when phase=act
say Done.

when phase=final
say Done.`)
			s.model = model
			r := newRig(t, s)
			client := r.dial()
			client.send(`{"type": "chat", "content": "x", ` + c.chat + `}`)
			client.until("response_complete")
			info, err := r.Store.Run(context.Background(), "r1")
			check(t, err)
			asks := false
			for _, call := range model.Calls() {
				for _, tool := range call.Request.Offered {
					if tool.Name != "request_input" {
						continue
					}
					if asks = true; string(tool.Schema) != inputSchema || tool.Description != "Pause the agent and ask the user a clarifying question." {
						t.Errorf("%s: request_input is offered as %s, %s", c.chat, tool.Description, tool.Schema)
					}
				}
			}
			if info.Flow != c.flow || asks != c.asks || info.Status != "done" {
				t.Errorf("%s: flow %s ended as %s; request_input offered: %v", c.chat, info.Flow, info.Status, asks)
			}
		})
	}
}

// The sockets stand behind the server's own check of credentials.
func TestBehindTheServer(t *testing.T) {
	r := newRig(t, scene(t, "strict/c5_no_tools"))
	sockets := strict.New(strict.Options{Engine: r.Engine, Store: r.Store, Watcher: r.Store, Feed: r.Feed})
	s := httptest.NewServer(server.New(server.Options{
		Engine: r.Engine, Store: r.Store, Feed: r.Feed, Who: server.Host,
		Mounts: []server.Mount{{Pattern: "/ws", Needs: rein.ScopeRead, Handler: sockets}},
	}))
	defer s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, s.URL+"/ws", nil)
	check(t, err)
	defer conn.CloseNow()
	c := &client{TB: t, conn: conn}
	c.send(`{"type": "chat", "agent_mode": true, "content": "A name for a boat?"}`)
	c.until("response_complete")
	if run := c.seen[0].Run; run.Check() != nil || rein.RunID(c.seen[0].Conversation) != run {
		t.Errorf("a new conversation is %q of run %q", c.seen[0].Conversation, run)
	}
	if n := r.count(rein.RunStarted); n != 1 {
		t.Errorf("%d runs", n)
	}
}

// A first decision of answer that is prose is shown once, without the control block at its end; one that is
// only such a block is not shown.
func TestProseIsShownOnce(t *testing.T) {
	for decision, want := range map[string]string{
		"Hello! How can I help?": "Hello! How can I help?",
		"<<END\nHello!\n\n{\"confidence\": \"high\", \"enough\": true}\nEND": "Hello!",
		`{"confidence": "high", "enough": true}`:                             "Done.",
	} {
		t.Run(want, func(t *testing.T) {
			s := scene(t, "strict/c3_answered")
			s.model = parseScript(t, "when phase=decide\nsay "+decision+"\n\nwhen phase=final\nsay Done.")
			client := newRig(t, s).dial()
			client.send(`{"type": "chat", "content": "x", "only_rag": true, "selected_tools": ["read"]}`)
			said := ""
			for m := client.next(); m.Type != "response_complete" && m.UpdateType != "response_complete"; m = client.next() {
				for _, text := range []*string{m.Token, m.Content} {
					if text != nil {
						said += *text
					}
				}
			}
			if strings.TrimSpace(said) != want {
				t.Errorf("%q is shown as %q", decision, said)
			}
		})
	}
}
