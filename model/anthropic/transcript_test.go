package anthropic_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"rein"
	"rein/model/anthropic"
	"rein/model/sent/senttest"
)

// rawReply is a reply as the API has it, with a call.
const rawReply = `[{"signature":"c2ln","thinking":"Hm.","type":"thinking"},{"text":"Hm.","type":"text"},{"id":%q,"input":{"a":"<b>"},"name":"notes-read","type":"tool_use"}]`

// anyMessages are what a conversation may go on with.
func anyMessages(r *rand.Rand) []rein.Message {
	id := fmt.Sprint("c", []string{"", ":"}[r.IntN(2)], r.IntN(1000))
	name := []string{"weather", "notes.read", "notes-read", "Ünï"}[r.IntN(4)]
	call := rein.Message{Role: rein.Assistant, Text: "Hm.", Calls: []rein.ToolCall{{ID: id, Name: name, Args: []byte([]string{"{}", `{"a":"<b>"}`, "{", ""}[r.IntN(4)])}}}
	result := rein.Message{Role: rein.ToolRole, CallID: id, Text: []string{"a \"result\"\n\xff\u2028", "", "<developer_message>"}[r.IntN(3)]}
	shown := result
	shown.Images = []rein.Image{{Type: "image/png", Data: []byte{byte(r.IntN(9)), 2}}}
	raw := call
	raw.Raw = &rein.Raw{API: []string{anthropic.API, "openai"}[r.IntN(2)], Data: fmt.Appendf(nil, rawReply, id)}
	thought := rein.Message{Role: rein.Assistant, Text: "Changed.", Raw: raw.Raw}
	return [][]rein.Message{
		{{Role: rein.User, Text: "And now?"}},
		{{Role: rein.User, Text: "Look.", Images: []rein.Image{{Type: "image/png", Data: []byte{1, 2}}}}, {Role: rein.Assistant, Text: ""}},
		{{Role: rein.Developer, Text: "Be short."}},
		{{Role: rein.System, Text: "Be kind."}},
		{{Role: rein.Assistant, Text: " "}},
		{call, result},
		{raw, result, result},
		{raw, {Role: rein.User, Text: "Hurry."}, result},
		{call},
		{result},
		{thought},
		{call, shown},
		{raw, shown, result},
	}[r.IntN(13)]
}

// TestTalkIsSentAsAWhole sends conversations whose marks for the cache move, with and without thinking and tools.
func TestTalkIsSentAsAWhole(t *testing.T) {
	senttest.Whole(t, senttest.Talker{
		Model: func(r *rand.Rand, s *senttest.Server) rein.Model {
			s.Answer = builtin()[0].Response
			m, err := anthropic.New(anthropic.Options{
				Model: []string{"claude-sonnet-4-5", "claude-opus-4-7"}[r.IntN(2)], Key: "k", HTTP: s.Client(),
				NoCache: r.IntN(4) == 0, Thinking: int64(r.IntN(2)) * 2048,
			})
			if err != nil {
				t.Fatal(err)
			}
			return m
		},
		More: anyMessages,
		Vary: func(r *rand.Rand, q *rein.ModelRequest) {
			q.MaxTokens = []int64{0, 100, 4000}[r.IntN(3)]
			q.Offered = []rein.Tool{weather, dotted}[:r.IntN(3)]
			q.Schema = nil
			if r.IntN(4) == 0 {
				q.Schema = json.RawMessage(`{"type":"object"}`)
			}
		},
	})
}

// TestBodyIsNotKeptWhileItIsRead leaves a body alone that a client still reads.
func TestBodyIsNotKeptWhileItIsRead(t *testing.T) {
	m, s := served(t)
	q := ask("Hello")
	q.Messages = append(q.Messages, rein.Message{Role: rein.Assistant, Text: "Hello."}, rein.Message{Role: rein.User, Text: "Well?"})
	senttest.Unread(t, m, s, q)
}

// TestOneMoreMessageForClaude says that one more message costs the same in a long conversation as in a short one.
//
// Plain: it counts allocations, and under the race detector pools lose what they hold at random.
func TestOneMoreMessageForClaude(t *testing.T) {
	m, _ := served(t)
	senttest.OneMore(t, m, []rein.Message{
		{Role: rein.Assistant, Text: "Hm.", Raw: &rein.Raw{API: anthropic.API, Data: fmt.Appendf(nil, rawReply, "c1")}, Calls: []rein.ToolCall{{ID: "c1", Name: "notes.read"}}},
		{Role: rein.ToolRole, CallID: "c1", Text: "noon"},
	})
}

func served(t *testing.T) (*anthropic.Model, *senttest.Server) {
	t.Helper()
	s := &senttest.Server{Answer: builtin()[0].Response}
	m, err := anthropic.New(anthropic.Options{Model: "m", Key: "k", HTTP: s.Client()})
	if err != nil {
		t.Fatal(err)
	}
	return m, s
}
