package explore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/model/script"
	"rein/server/dialect/explore"
	"rein/store"
)

const letters = `
when phase=act results=0
call mail {"to":"ann"}

when phase=act results=1
call mail {"to":"everyone"}

when phase=act
say Done.
`

// A post sends letters that a person must allow, and knows to whom.
type post struct {
	mu   sync.Mutex
	sent []string
	gate chan struct{} // if it is not nil, a letter waits for it
}

func (p *post) tools() map[string]rein.Tool {
	return map[string]rein.Tool{"mail": {
		Name: "mail", Description: "Mails.", Effect: rein.Idempotent, Approval: true,
		Do: func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			p.mu.Lock()
			p.sent = append(p.sent, string(inv.Args))
			p.mu.Unlock()
			if p.gate != nil {
				select {
				case <-p.gate:
				case <-ctx.Done():
				}
			}
			return rein.Done{Text: "sent"}, nil
		},
	}}
}

func (p *post) letters() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.sent, " ")
}

// open returns what is open.
func (r *rig) openAsks() []rein.Ask {
	r.Helper()
	asks, err := r.Store.Asks(context.Background(), store.AskFilter{Pending: true})
	check(r, err)
	return asks
}

func respond(agent rein.RunID, query, response string) string {
	m := map[string]any{"type": "user-response", "response": json.RawMessage(response)}
	if agent != "" {
		m["agentId"] = agent
	}
	if query != "" {
		m["queryId"] = query
	}
	data, _ := json.Marshal(m)
	return string(data)
}

// refused reads an error that says something.
func (s *socket) refused(says string) {
	s.Helper()
	if e := s.until(explore.Error); !strings.Contains(e.Error, says) {
		s.Errorf("it is answered with %+v, want %q", e, says)
	}
}

// The same yes twice approves nothing but the call that was shown with it, by its ID or by the agent; a
// connection that was not shown it approves nothing at all.
//
// Attack: 49
func TestYesTwice(t *testing.T) {
	for _, byID := range []bool{true, false} {
		t.Run(fmt.Sprint("by ID ", byID), func(t *testing.T) { yesTwice(t, byID) })
	}
}

func yesTwice(t *testing.T, byID bool) {
	m, err := script.Parse("model", []byte(letters))
	check(t, err)
	p := &post{gate: make(chan struct{})}
	r := newRig(t, m, p.tools(), quiet)
	s := r.dial("?prompt=Mail", "")
	first := s.until(explore.UserQuery)
	yes := func(q explore.Chunk) string {
		if byID {
			return respond("", q.QueryID, "true")
		}
		return respond(q.AgentID, "", `"yes"`)
	}
	blind := r.dial("", "") // of the same person, and shown nothing
	blind.say(yes(first))
	blind.refused("this connection was not")
	s.say(yes(first))
	s.say(yes(first)) // while the first letter is on its way
	s.refused("answered")
	close(p.gate)
	second := s.until(explore.UserQuery)
	blind.say(yes(first))
	blind.refused("this connection was not")
	if byID {
		s.say(yes(first))
		s.refused("already answered")
	}
	s.say(respond("", string(first.AgentID), "true"))
	s.refused("this connection was not")
	s.say(respond("", first.ToolCallID, "true"))
	s.refused("this connection was not")
	s.say(respond("", string(r.openAsks()[0].ID), "true"))
	s.refused("this connection was not")
	if len(r.openAsks()) != 1 || p.letters() != `{"to":"ann"}` {
		t.Fatalf("%d are open, and sent was %s", len(r.openAsks()), p.letters())
	}
	s.say(yes(second))
	s.until(explore.AgentCompleted)
	if p.letters() != `{"to":"ann"} {"to":"everyone"}` {
		t.Errorf("sent was %s", p.letters())
	}
}

// Who connects again is shown what is open under a new ID; the old one is good for nothing.
//
// Attack: 49
func TestOldIDs(t *testing.T) {
	p := &post{}
	r := scripted(t, letters, p.tools(), quiet)
	s := r.dial("?prompt=Mail", "")
	old := s.until(explore.UserQuery)
	at := s.until(explore.AgentState).EventID
	s.conn.CloseNow()
	back := r.dial("", "")
	back.say(`{"type":"start-agent","lastEventId":"` + at + `"}`)
	again := back.until(explore.UserQuery)
	if again.QueryID == old.QueryID || again.EventID != "" || again.Prompt != old.Prompt || string(again.Args) != string(old.Args) {
		t.Errorf("it is shown again as %+v, before as %+v", again, old)
	}
	back.say(respond("", old.QueryID, "true"))
	back.refused("this connection was not")
	if p.letters() != "" {
		t.Fatalf("sent was %s", p.letters())
	}
	back.say(respond(again.AgentID, again.QueryID, "true"))
	back.until(explore.ToolResult)

	over := r.open(nil, at) // a stream that goes on there is shown nothing that is answered
	if q := over.until(explore.UserQuery); !strings.Contains(string(q.Args), "everyone") {
		t.Errorf("a query that is answered is shown again: %+v", q)
	}
	sse := r.open(nil, over.last)
	if q := sse.until(explore.UserQuery); !strings.Contains(string(q.Args), "everyone") {
		t.Errorf("the query that is open is shown as %+v", q)
	}
}
