package dialect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/coder/websocket"

	"rein"
)

// A socket is a client of /ws or /agent. It knows what it was shown over its present connection.
type socket struct {
	*player
	agent  bool // of /agent
	conn   *websocket.Conn
	shown  map[string]int64 // amounts by the IDs that came with them
	last   int64            // the amount that was shown last, and by agent
	lastOf map[rein.RunID]int64
	run    rein.RunID // that it follows
	cursor string     // where it was
}

// dial connects, again or for the first time. After it the IDs of before are of another connection.
func (s *socket) dial(withCursor bool) {
	s.Helper()
	if s.conn != nil {
		_ = s.conn.CloseNow()
	}
	s.shown, s.last, s.lastOf = map[string]int64{}, 0, map[rein.RunID]int64{}
	address := s.Web.URL + "/agent/stream"
	if !s.agent {
		address = s.Web.URL + "/ws?conversation_id=s1"
		if withCursor && s.cursor != "" {
			address += "&after=" + s.cursor
		}
	}
	var err error
	s.conn, _, err = websocket.Dial(context.Background(), address, nil)
	check(s, err)
	s.conn.SetReadLimit(1 << 20)
	if s.agent && s.run != "" {
		at := string(s.run) + ":0"
		if withCursor && s.cursor != "" {
			at = s.cursor
		}
		s.send(map[string]any{"type": "start-agent", "lastEventId": at})
	}
}

func (s *socket) send(message map[string]any) {
	s.Helper()
	data, err := json.Marshal(message)
	check(s, err)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	check(s, s.conn.Write(ctx, websocket.MessageText, data))
}

// A heard message has the fields of both contracts that matter here.
type heard struct {
	Type       string
	ToolCallID string          `json:"tool_call_id"`
	QueryID    string          `json:"queryId"`
	Arguments  json.RawMessage `json:"arguments"`
	Args       json.RawMessage `json:"args"`
	Cursor     string          `json:"cursor"`
	EventID    string          `json:"eventId"`
	AgentID    rein.RunID      `json:"agentId"`
	Run        rein.RunID      `json:"run"`
	Error      string          `json:"error"`
	Message    string          `json:"message"`
}

// hear reads one message, and keeps what it shows.
func (s *socket) hear() heard {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, data, err := s.conn.Read(ctx)
	if err != nil {
		s.Fatalf("a socket (of /agent: %v, following %q, shown %v) hears nothing: %v; open is %+v", s.agent, s.run, s.shown, err, s.rig.open())
	}
	var m heard
	check(s, json.Unmarshal(data, &m))
	if at := m.Cursor + m.EventID; at != "" {
		s.cursor = at
	}
	switch m.Type {
	case "tool_approval_request":
		s.see(m.ToolCallID, amount(m.Arguments))
	case "user-query":
		s.see(m.QueryID, amount(m.Args))
		s.lastOf[m.AgentID] = amount(m.Args)
	}
	return m
}

func (s *socket) see(id string, n int64) {
	s.shown[id], s.last = n, n
	if !slices.Contains(s.ids, id) {
		s.ids = append(s.ids, id)
	}
}

// told reads up to the answer to a frame that is refused.
func (s *socket) told() string {
	s.Helper()
	for {
		if m := s.hear(); m.Type == "error" || m.Type == "warning" {
			return m.Error + m.Message
		}
	}
}

// fence makes sure that everything is read that was sent so far.
func (s *socket) fence() {
	s.Helper()
	s.send(map[string]any{"type": "fence"})
	for !strings.Contains(s.told(), "fence") {
	}
}

// catchUp reads until it was shown all that is open in what it follows.
func (s *socket) catchUp() {
	s.Helper()
	for _, ask := range s.rig.open() {
		for s.follows(ask.Run) && !s.wasShown(amount(ask.Call.Args)) {
			s.hear()
		}
	}
	s.fence()
}

func (s *socket) follows(run rein.RunID) bool {
	if s.agent {
		return run.Root() == s.run
	}
	info, err := s.Store.Run(context.Background(), run)
	check(s, err)
	return info.Session == "s1"
}

func (s *socket) wasShown(n int64) bool {
	for _, m := range s.shown {
		if m == n {
			return true
		}
	}
	return false
}

// answer sends an answer with an ID. Only a yes to what this connection was shown under it may count.
func (s *socket) answer(id string, yes bool, edit int64) {
	s.Helper()
	n, own := s.shown[id]
	switch {
	case own && yes && edit != 0 && !s.agent:
		s.edited[n] = edit
	case own && yes:
		s.approved[n] = true
	}
	if s.agent {
		s.send(map[string]any{"type": "user-response", "queryId": id, "response": yes})
		return
	}
	m := map[string]any{"type": "tool_approval_response", "tool_call_id": id, "approved": yes}
	if yes && edit != 0 {
		m["arguments"] = map[string]int64{"n": edit}
	}
	s.send(m)
}

// A talker is a client of /chat: a credential.
type talker struct {
	*player
	via   string
	shown map[string]int64 // amounts by the IDs of actions
	last  []int64          // what the last reply showed, in its order
}

// say sends a message and keeps what the reply shows.
func (c *talker) say(ctx context.Context, text string) int {
	c.Helper()
	body, _ := json.Marshal(map[string]string{"message": text})
	status, reply := c.post(ctx, c.via, "/chat", string(body))
	if status == 200 {
		c.last = nil
		c.see(reply)
	}
	return status
}

// see keeps the actions of a reply or an entry.
func (c *talker) see(reply map[string]any) {
	actions, _ := reply["actions"].([]any)
	for _, a := range actions {
		action := a.(map[string]any)
		args, _ := json.Marshal(action["parameters"])
		id, n := fmt.Sprint(action["id"]), amount(args)
		c.shown[id], c.last = n, append(c.last, n)
		if !slices.Contains(c.ids, id) {
			c.ids = append(c.ids, id)
		}
	}
}

func (c *talker) history() {
	c.Helper()
	_, reply := c.post(context.Background(), c.via, "/chat/history", "")
	entries, _ := reply["messages"].([]any)
	for _, e := range entries {
		c.last = nil // the newest entry is what it looks at
		c.see(e.(map[string]any))
	}
	if len(entries) == 0 {
		c.last = nil
	}
}

// agree chooses among what was shown last, and says which words approve that, and only that: of several things they need
// a number. The amount is 0 if nothing was shown.
func (c *talker) agree(k int) (n int64, words string) {
	switch len(c.last) {
	case 0:
		return 0, "ja"
	case 1:
		n, words = c.last[0], "ja"
	default:
		i := k / 2 % len(c.last) // the first bit chose the talker
		n, words = c.last[i], fmt.Sprintf("ja %d", i+1)
	}
	c.approved[n] = true
	return n, words
}

func (c *talker) execute(id string) {
	c.Helper()
	if n, own := c.shown[id]; own {
		c.approved[n] = true
	}
	body, _ := json.Marshal(map[string]string{"action_id": id})
	c.post(context.Background(), c.via, "/chat/actions/execute", string(body))
}
