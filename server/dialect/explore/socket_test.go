package explore_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"rein"
	"rein/server/dialect/explore"
)

// A socket is a WebSocket client.
type socket struct {
	*rig
	ctx  context.Context
	conn *websocket.Conn
}

func (r *rig) dial(query, user string) *socket {
	r.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	r.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, r.Web.URL+"/agent/stream"+query, &websocket.DialOptions{HTTPHeader: http.Header{"X-User": {user}}})
	check(r, err)
	conn.SetReadLimit(1 << 20)
	r.Cleanup(func() { conn.CloseNow() })
	return &socket{r, ctx, conn}
}

func (s *socket) say(text string) {
	s.Helper()
	check(s, s.conn.Write(s.ctx, websocket.MessageText, []byte(text)))
}

// until reads up to a message of the type.
func (s *socket) until(kind explore.ChunkType) (c explore.Chunk) {
	s.Helper()
	for {
		_, data, err := s.conn.Read(s.ctx)
		if err != nil {
			s.Fatalf("no %s came: %v", kind, err)
		}
		c = explore.Chunk{}
		check(s, json.Unmarshal(data, &c))
		if c.Type == kind {
			return c
		}
		if c.Type == explore.Error {
			s.Fatalf("an error came before %s: %s", kind, data)
		}
	}
}

const asking = `
when phase=clarify
say {"ambiguous": true, "question": "Which one?"}

when phase=act
say That one.
`

// TestSocket starts an agent, answers it, looks at the tree, intervenes and is told the result.
//
// Covers: TREE-50/server TREE-52 TREE-60 TREE-61
func TestSocket(t *testing.T) {
	r := scripted(t, asking, nil, `{"questions": 0, "depth": 0}`)
	s := r.dial("", "")
	s.say(`{"type":"start-agent","messages":[{"role":"system","content":"Be kind."},{"role":"user","content":[{"type":"text","text":"Look."}]}],"parentId":null}`)
	first := s.until(explore.AgentState)
	if status(first) != rein.AgentRunning || first.EventID == "" && first.AgentID == "" {
		t.Errorf("the first chunk is %+v", first)
	}
	query := s.until(explore.UserQuery)
	if query.Prompt != "Which one?" || query.QueryID == "" || query.Kind != rein.AskQuestion {
		t.Errorf("the query is %+v", query)
	}
	s.until(explore.AgentState)
	s.say(`{"type":"get-agent-tree"}`)
	tree, _ := s.until(explore.AgentTree).Tree.(map[string]any)
	if a, _ := tree[string(query.AgentID)].(map[string]any); a["status"] != "awaiting_user" || a["userContent"] != "Look." {
		t.Errorf("the tree is %v", tree)
	}
	s.say(`{"type":"user-intervention","agentId":"` + string(query.AgentID) + `","userComment":"take care"}`)
	if ok := s.until(explore.InterventionSuccess); ok.Success == nil || !*ok.Success || ok.AgentID != query.AgentID {
		t.Errorf("the intervention is answered with %+v", ok)
	}
	s.say(`{"type":"user-response","agentId":"` + string(query.AgentID) + `","response":"The first."}`)
	done := s.until(explore.AgentCompleted)
	if done.AgentID != query.AgentID || status(done) != rein.AgentCompleted || done.Result == nil || *done.Result != "That one." {
		t.Errorf("the agent completed as %+v", done)
	}
	s.say(`{"type":"get-agent-tree"}`)
	if tree, isMap := s.until(explore.AgentTree).Tree.(map[string]any); !isMap || len(tree) != 0 {
		t.Errorf("the tree is %v", tree)
	}
}

// TestSocketErrors sends what is wrong: each is told, and the connection stays.
//
// Covers: TREE-5 TREE-20 TREE-50/server
func TestSocketErrors(t *testing.T) {
	r := scripted(t, asking, nil, `{"questions": 0, "depth": 0}`)
	owner := r.dial("?prompt=Look.", "") // the address may say it too
	query := owner.until(explore.UserQuery)
	id := string(query.AgentID)
	for _, c := range []struct{ user, message, says string }{
		{"", `{"type":"start-agent"}`, "neither a prompt"},
		{"", `{"type":"start-agent","prompt":1}`, `field "prompt" is a number; it must be a string`},
		{"", `{"type":"start-agent","prompt":"a","model":"b"}`, "model"},
		{"", `{"type":"start-agent","prompt":"a","agentId":"` + id + `"}`, "taken"},
		{"", `{"type":"start-agent","prompt":"a","parentId":"nobody"}`, "does not exist"},
		{"", `{"type":"start-agent","messages":[{"role":"tool","content":"a"}]}`, "role"},
		{"", `{"type":"start-agent","messages":[{"role":"user","content":[{"type":"image"}]}]}`, "image"},
		{"", `{"type":"start-agent","messages":[{"role":"user","content":7}]}`, "neither a text"},
		{"", `{"type":"start-agent","lastEventId":"nonsense"}`, "place"},
		{"", `{"type":"stop-agent"}`, "stop-agent"},
		{"", `{"type":7}`, "JSON object"},
		{"", `hello`, "JSON object"},
		{"", `{"type":"user-response"}`, "queryId"},
		{"", `{"type":"user-response","agentId":"nobody","response":"a"}`, "Not found"},
		{"", `{"type":"user-response","queryId":"` + id + `:99.ask","response":"a"}`, "was not shown"},
		{"", `{"type":"user-response","queryId":"nonsense","response":"a"}`, "was not shown"},
		{"", `{"type":"user-response","agentId":"` + id + `","response":"a"}`, "was not shown"},
		{"", `{"type":"user-response","agentId":"` + id + `","response":"a","by":"bob"}`, `"by"`},
		{"", `{"type":"user-intervention","agentId":"nobody","status":"deleted"}`, "Not found"},
		{"", `{"type":"user-intervention","status":"deleted"}`, "Not found"},
		{"bob", `{"type":"user-response","queryId":"` + query.QueryID + `","response":"a"}`, "was not shown"},
		{"stranger", `{"type":"user-response","agentId":"` + id + `","response":"a"}`, "Not found"},
		{"stranger", `{"type":"user-intervention","agentId":"` + id + `","status":"deleted"}`, "Not found"},
		{"stranger", `{"type":"start-agent","lastEventId":"` + id + `:0"}`, "Not found"},
		{"viewer", `{"type":"user-response","agentId":"` + id + `","response":"a"}`, "scope"},
		{"viewer", `{"type":"start-agent","prompt":"a"}`, "scope"},
	} {
		s := r.dial("", c.user)
		s.say(c.message)
		if e := s.until(explore.Error); !strings.Contains(e.Error, c.says) || e.ErrorText != e.Error || e.Code == "" {
			t.Errorf("%s is answered with %+v, want %q", c.message, e, c.says)
		}
		s.say(`{"type":"get-agent-tree"}`) // it is still there
		s.until(explore.AgentTree)
	}
	for message, says := range map[string]string{
		`{"type":"user-response","agentId":"` + id + `"}`:                                             "needs a response",
		`{"type":"user-response","agentId":"` + id + `","response":7}`:                                "needs a text",
		`{"type":"user-response","queryId":"` + query.QueryID + `","response":""}`:                    "needs a text",
		`{"type":"user-response","queryId":"` + query.QueryID + `","agentId":"other","response":"a"}`: "Not found",
	} {
		owner.say(message)
		if e := owner.until(explore.Error); !strings.Contains(e.Error, says) {
			t.Errorf("%s is answered with %+v, want %q", message, e, says)
		}
	}
	check(t, owner.conn.Write(owner.ctx, websocket.MessageBinary, []byte("{}")))
	if e := owner.until(explore.Error); !strings.Contains(e.Error, "binary") {
		t.Errorf("a binary message is answered with %+v", e)
	}
	owner.say(`{"type":"user-response","queryId":"` + query.QueryID + `","response":null}`)
	if done := owner.until(explore.AgentCompleted); done.State.Metadata["declined"] != true {
		t.Errorf("the declined agent is %+v", done)
	}
	owner.say(`{"type":"user-response","agentId":"` + id + `","response":"late"}`)
	if e := owner.until(explore.Error); !strings.Contains(e.Error, "no open query") {
		t.Errorf("a late answer is answered with %+v", e)
	}
}

// TestApprovals answers queries that want a yes or a no, in the ways that they can be.
func TestApprovals(t *testing.T) {
	for response, want := range map[string]string{
		`true`: "sent", `"yes"`: "sent", `"Approve"`: "sent", `false`: "refused", `"no"`: "refused", `null`: "refused",
		`"perhaps"`: "yes or no", `"ok?"`: "yes or no", `"yes, but later"`: "yes or no", `[]`: "yes or no", `1`: "yes or no",
	} {
		r := scripted(t, "when phase=act results=0\ncall mail {}\n\nwhen phase=act\nsay Done.\n", map[string]rein.Tool{"mail": {
			Name: "mail", Description: "Mails.", Effect: rein.Idempotent, Approval: true,
			Do: func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{Text: "sent"}, nil },
		}}, quiet)
		s := r.dial("?prompt=Mail", "")
		query := s.until(explore.UserQuery)
		s.say(`{"type":"user-response","queryId":"` + query.QueryID + `","response":` + response + `}`)
		if want == "yes or no" {
			if e := s.until(explore.Error); !strings.Contains(e.Error, want) {
				t.Errorf("%s is answered with %+v", response, e)
			}
			continue
		}
		if result := s.until(explore.ToolResult); !strings.Contains(*result.Result, want) {
			t.Errorf("%s gives %q, want %q", response, *result.Result, want)
		}
	}
}

// TestSwitch begins over SSE and goes on over a WebSocket with the last id; closing either cancels
// nothing.
//
// Covers: TREE-52 TREE-60
func TestSwitch(t *testing.T) {
	r := scripted(t, asking, nil, `{"questions": 0, "depth": 0}`)
	sse := r.ask("Look.")
	query := sse.until(explore.UserQuery)
	sse.until(explore.AgentState)
	sse.close()
	s := r.dial("", "")
	s.say(`{"type":"start-agent","lastEventId":"` + sse.last + `"}`)
	r.person("answer The first.", query)
	if next := s.until(explore.AgentState); status(next) != rein.AgentRunning || next.EventID == "" {
		t.Errorf("it goes on with %+v", next)
	}
	if done := s.until(explore.AgentCompleted); *done.Result != "That one." || len(runs(r)) != 1 {
		t.Errorf("it completed as %+v", done)
	}
}

// TestSocketBounds: one connection follows so many agents and no more, and a message that is too large
// ends it.
func TestSocketBounds(t *testing.T) {
	r := scripted(t, "when\nhang\n", nil, quiet)
	s := r.dial("", "")
	for range 17 {
		s.say(`{"type":"start-agent","prompt":"a"}`)
	}
	states := 0
	for refused := false; states < 16 || !refused; {
		_, data, err := s.conn.Read(s.ctx)
		check(t, err)
		var c explore.Chunk
		check(t, json.Unmarshal(data, &c))
		switch {
		case c.Type == explore.Error && c.Code == rein.CodeBusy:
			refused = true
		case c.Type == explore.AgentState && status(c) == rein.AgentRunning:
			states++
		}
	}
	_ = s.conn.Write(s.ctx, websocket.MessageText, []byte(`{"type":"`+strings.Repeat("a", 5<<20)+`"}`))
	for {
		if _, _, err := s.conn.Read(s.ctx); err != nil {
			break
		}
	}
	if n := len(runs(r)); n != 16 {
		t.Errorf("there are %d runs", n)
	}
}
