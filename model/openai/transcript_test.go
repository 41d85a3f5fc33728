package openai

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rein"
	"rein/model/sent/senttest"
)

// anyMessages are what a conversation may go on with.
func anyMessages(r *rand.Rand) []rein.Message {
	id := fmt.Sprint("c", r.IntN(1000))
	name := []string{"time", "notes.read", "notes_read", "Ünï", "look-up"}[r.IntN(5)]
	call := rein.Message{Role: rein.Assistant, Text: "Hm.", Calls: []rein.ToolCall{{ID: id, Name: name, Args: []byte([]string{"{}", `{"a":"<b>"}`, "{", ""}[r.IntN(4)])}}}
	result := rein.Message{Role: rein.ToolRole, CallID: id, Text: "a \"result\"\n\xff\u2028"}
	shown := result
	shown.Images = []rein.Image{{Type: "image/png", Data: []byte{byte(r.IntN(9)), 2}}}
	raw := call
	raw.Raw = &rein.Raw{API: []string{chatAPI, responsesAPI, "anthropic"}[r.IntN(3)], Data: json.RawMessage(strings.ReplaceAll([]string{chatRaw, itemsRaw}[r.IntN(2)], `"c1"`, `"`+id+`"`))}
	return [][]rein.Message{
		{{Role: rein.User, Text: "And now?"}},
		{{Role: rein.User, Text: "Look.", Images: []rein.Image{{Type: "image/png", Data: []byte{1, 2}}}}, {Role: rein.Assistant, Text: ""}},
		{{Role: rein.Developer, Text: "Be short."}},
		{{Role: rein.System, Text: "Be kind."}},
		{call, result},
		{raw, result},
		{call},
		{call, shown},
		{shown}, // one of several
	}[r.IntN(9)]
}

// oneOf returns a model of a server that is as old, as new and as odd as they come.
func oneOf(t *testing.T, r *rand.Rand, s *senttest.Server) *Model {
	is := func() bool { return r.IntN(3) == 0 }
	o := Options{Model: "m", HTTP: s.Client(), API: []string{Chat, Responses}[r.IntN(2)], Quirks: Quirks{
		NoDeveloper: is(), OneSystem: is(), NoImages: is(), OldMaxTokens: is(), OneCall: is(), PlainHistory: is(), PlainResults: is(), NoStreamUsage: is(), Stream: Never,
		Schema: []Form{BySchema, ByObject, ByWords}[r.IntN(3)],
	}}
	s.Answer = map[string]string{Chat: chatOK, Responses: responseOK}[o.API]
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTalkIsSentAsAWhole sends conversations to all kinds of servers, with all kinds of tools and shapes of replies.
func TestTalkIsSentAsAWhole(t *testing.T) {
	senttest.Whole(t, senttest.Talker{
		Model: func(r *rand.Rand, s *senttest.Server) rein.Model { return oneOf(t, r, s) },
		More:  anyMessages,
		Vary: func(r *rand.Rand, q *rein.ModelRequest) {
			q.MaxTokens = int64(r.IntN(2)) * 100
			q.Offered = talk().Offered[:r.IntN(3)]
			q.Schema = nil
			if r.IntN(4) == 0 {
				q.Schema = json.RawMessage([]string{strictSchema, looseSchema, listSchema}[r.IntN(3)])
			}
		},
	})
}

// TestBodyIsNotKeptWhileItIsRead leaves a body alone that a client still reads.
func TestBodyIsNotKeptWhileItIsRead(t *testing.T) {
	s := &senttest.Server{Answer: chatOK}
	m, err := New(Options{Model: "m", HTTP: s.Client()})
	if err != nil {
		t.Fatal(err)
	}
	senttest.Unread(t, m, s, talk())
}

// TestOneMoreMessageForOpenAI says that one more message costs the same in a long conversation as in a short one.
//
// Plain: it counts allocations, and under the race detector pools lose what they hold at random.
func TestOneMoreMessageForOpenAI(t *testing.T) {
	for api, answer := range map[string]string{Chat: chatOK, Responses: responseOK} {
		m, err := New(Options{Model: "m", API: api, HTTP: (&senttest.Server{Answer: answer}).Client()})
		if err != nil {
			t.Fatal(err)
		}
		raw := &rein.Raw{API: chatAPI, Data: json.RawMessage(chatRaw)}
		senttest.OneMore(t, m, []rein.Message{
			{Role: rein.Assistant, Text: "Hm.", Raw: raw, Calls: []rein.ToolCall{{ID: "c1", Name: "notes.read"}}},
			{Role: rein.ToolRole, CallID: "c1", Text: "noon"},
		})
	}
}
