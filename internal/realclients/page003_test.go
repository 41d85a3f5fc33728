package realclients

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
)

// A page003 is the client of document 003: it writes every text-delta, asks the person what agents ask, and
// watches the tree. It reads the fields that the document's examples read, under their names; chunks and
// fields of other kinds do not exist for it.
type page003 struct {
	*rig
	conn   *websocket.Conn
	lines  []string            // what the person reads, from the top
	writes bool                // the last line is a text that is being written
	tree   map[string]agent003 // as the states tell it
	answer map[string]string   // what the person answers to a prompt
}

// An agent003 has what the client of document 003 reads of an agent.
type agent003 struct {
	AgentID     string   `json:"agentId"`
	ParentID    *string  `json:"parentId"`
	UserContent string   `json:"userContent"`
	Status      string   `json:"status"`
	Subagents   []string `json:"subagents"`
	Result      *string  `json:"result"`
}

// A chunk003 has what it reads of a chunk.
type chunk003 struct {
	Type      string    `json:"type"`
	TextDelta string    `json:"textDelta"`
	AgentID   string    `json:"agentId"`
	State     *agent003 `json:"state"`
	Prompt    string    `json:"prompt"`
	Error     string    `json:"error"`
}

// open003 opens the page and has the person ask for something.
func (r *rig) open003(prompt string, answers map[string]string) *page003 {
	r.Helper()
	close(r.model.release)
	p := &page003{rig: r, tree: map[string]agent003{}, answer: answers}
	var err error
	p.conn, _, err = websocket.Dial(r.ctx, "ws://"+r.proxy.Listen+"/agent/stream",
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + r.token}}})
	check(r, err)
	p.conn.SetReadLimit(16 << 20)
	r.Cleanup(func() { p.conn.CloseNow() })
	p.send(map[string]any{"type": "start-agent", "prompt": prompt, "agentId": "party"})
	return p
}

func (p *page003) send(message map[string]any) {
	p.Helper()
	data, err := json.Marshal(message)
	check(p, err)
	check(p, p.conn.Write(p.ctx, websocket.MessageText, data))
}

// until reads chunks until an agent has a status.
func (p *page003) until(is func(agent003) bool) agent003 {
	p.Helper()
	for {
		_, data, err := p.conn.Read(p.ctx)
		if err != nil {
			p.Fatalf("%v; the person sees:\n%s\n%v", err, strings.Join(p.lines, "\n"), p.tree)
		}
		var c chunk003
		check(p, json.Unmarshal(data, &c))
		p.show(c)
		if c.Type == "agent-state" && is(*c.State) {
			return *c.State
		}
	}
}

// show does with a chunk what the document's examples do.
func (p *page003) show(c chunk003) {
	switch c.Type {
	case "text-delta":
		if !p.writes {
			p.lines, p.writes = append(p.lines, ""), true
		}
		p.lines[len(p.lines)-1] += c.TextDelta
		return
	case "agent-state":
		p.tree[c.State.AgentID] = *c.State
		return
	case "user-query":
		p.lines = append(p.lines, "User Query: "+c.Prompt)
		p.send(map[string]any{"type": "user-response", "agentId": c.AgentID, "response": p.answer[c.Prompt]})
	case "error":
		p.lines = append(p.lines, "error: "+c.Error)
	default:
		return
	}
	p.writes = false
}

// call sends a request of the document's front end.
func (p *page003) call(method, path, body string, into any) {
	p.Helper()
	req, err := http.NewRequestWithContext(p.ctx, method, "http://"+p.proxy.Listen+path, strings.NewReader(body))
	check(p, err)
	req.Header.Set("Authorization", "Bearer "+p.token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	check(p, err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	check(p, err)
	if err := json.Unmarshal(data, into); err != nil {
		p.Fatalf("%s %s: %s: %v", method, path, data, err)
	}
}

func completed(id string) func(agent003) bool {
	return func(a agent003) bool { return a.AgentID == id && a.Status == "completed" }
}

// wantEqual wants the person to see this.
func (p *page003) wantEqual(want, got any) {
	p.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		p.Errorf("the person sees (-want +got):\n%s", diff)
	}
}

const party = `
when run=party phase=clarify
say {"ambiguous": true, "question": "Whose birthday?"}

when run=party phase=split
say {"questions": ["Where to meet?", "What to eat?"]}

when run=party phase=act
say A draft that nobody reads.

when run=party phase=summary round=1
say Meet in the park and eat cake.

when run=party phase=doubt
say {"uncertain": true, "question": "Does anybody dislike cake?"}

when run=party phase=summary
say Meet in the park and eat soup.

when phase=question user="What to eat?"
say {"missing": true, "question": "How many are you?"}

when phase=act user="Where to meet?"
say In the park.

when phase=act
say Cake.

when
say {}
`

// TestPage003 plans a party with the client of document 003. The person is asked what is meant, what a child
// wants to know and, after reading the summary, what it depends on; drafts and children's texts are not on
// the screen; and the tree shows every agent from its start to its end, with its own question.
//
// Covers: TREE-21/wire TREE-90 TREE-93
func TestPage003(t *testing.T) {
	t.Parallel()
	p := newRig(t, party).open003("Plan my birthday party", map[string]string{
		"Whose birthday?": "Mine.", "How many are you?": "Ten.", "Does anybody dislike cake?": "Yes, Bob.",
	})
	root := p.until(completed("party"))
	p.wantEqual([]string{
		"User Query: Whose birthday?", "User Query: How many are you?",
		"Meet in the park and eat cake.", "User Query: Does anybody dislike cake?", "Meet in the park and eat soup.",
	}, p.lines)
	seen := map[string]string{}
	for _, a := range p.tree {
		if a.ParentID != nil {
			seen[a.UserContent] = *a.ParentID + " " + a.Status + " " + *a.Result
		}
	}
	p.wantEqual(map[string]string{"Where to meet?": "party completed In the park.", "What to eat?": "party completed Cake."}, seen)
	if len(root.Subagents) != 2 || *root.Result != "Meet in the park and eat soup." {
		t.Errorf("the root is %+v", root)
	}
}

const slowParty = `
when run=party phase=split
say {"questions": ["What to eat?"]}

when run=party phase=act
say A draft that nobody reads.

when run=party phase=summary
say Nobody found out what to eat.

when run=party
say {}

when
hang
`

// TestPage003Delete has the person delete a sub-agent that they see in the tree: it ends as deleted, its
// parent goes on, and both are found afterwards.
//
// Covers: TREE-35 TREE-61 TREE-62 TREE-63 TREE-90
func TestPage003Delete(t *testing.T) {
	t.Parallel()
	p := newRig(t, slowParty).open003("Plan my birthday party", nil)
	p.until(func(a agent003) bool { return a.ParentID != nil })
	var tree map[string]agent003
	p.call("GET", "/agent/tree", "", &tree)
	var child agent003
	for _, a := range tree {
		if a.ParentID != nil {
			child = a
		}
	}
	p.wantEqual("running - What to eat?", child.Status+" - "+child.UserContent)
	var done struct {
		Success bool `json:"success"`
	}
	if p.call("POST", "/agent/"+child.AgentID+"/intervene", `{"userComment": "delete"}`, &done); !done.Success {
		t.Error("the intervention did not succeed")
	}
	p.until(completed("party"))
	p.wantEqual([]string{"Nobody found out what to eat."}, p.lines)
	p.wantEqual("deleted", p.tree[child.AgentID].Status)
	p.call("GET", "/agent/"+child.AgentID, "", &child)
	p.wantEqual("deleted It was deleted.", child.Status+" "+*child.Result)
	var none struct {
		Error string `json:"error"`
	}
	p.call("GET", "/agent/nobody", "", &none)
	p.wantEqual("Not found", none.Error)
}
