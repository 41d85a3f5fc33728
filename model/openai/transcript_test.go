package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"

	"rein"
)

// heard is a server that remembers what it was sent last.
type heard struct {
	answer string
	body   []byte
	err    error
	unread bool // it answers before it has read all
}

func (h *heard) RoundTrip(r *http.Request) (*http.Response, error) {
	h.body, _ = io.ReadAll(r.Body)
	if !h.unread {
		wrote(r)
	}
	if h.err != nil {
		return nil, h.err
	}
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(h.answer)),
	}, nil
}

// wrote says, as a transport does, that a request was written to its end.
func wrote(r *http.Request) {
	httptrace.ContextClientTrace(r.Context()).WroteRequest(httptrace.WroteRequestInfo{})
}

// anyMessages are what a conversation may go on with.
func anyMessages(r *rand.Rand) []rein.Message {
	id := fmt.Sprint("c", r.IntN(1000))
	name := []string{"time", "notes.read", "notes_read", "Ünï", "look-up"}[r.IntN(5)]
	call := rein.Message{Role: rein.Assistant, Text: "Hm.", Calls: []rein.ToolCall{{ID: id, Name: name, Args: []byte([]string{"{}", `{"a":"<b>"}`, "{", ""}[r.IntN(4)])}}}
	result := rein.Message{Role: rein.ToolRole, CallID: id, Text: "a \"result\"\n\xff\u2028"}
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
	}[r.IntN(7)]
}

// oneOf returns a model of a server that is as old, as new and as odd as they come.
func oneOf(t *testing.T, r *rand.Rand, h *heard) *Model {
	is := func() bool { return r.IntN(3) == 0 }
	o := Options{Model: "m", HTTP: &http.Client{Transport: h}, API: []string{Chat, Responses}[r.IntN(2)], Quirks: Quirks{
		NoDeveloper: is(), OneSystem: is(), NoImages: is(), OldMaxTokens: is(), OneCall: is(), PlainHistory: is(), NoStreamUsage: is(), Stream: Never,
		Schema: []Form{BySchema, ByObject, ByWords}[r.IntN(3)],
	}}
	h.answer = map[string]string{Chat: chatOK, Responses: responseOK}[o.API]
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTalkIsSentAsAWhole sends conversations as they grow. Each request is the same, byte for byte, as that of somebody
// who sends the whole for the first time: whatever the server, the tools, the reply's shape and the failures before it.
func TestTalkIsSentAsAWhole(t *testing.T) {
	joined := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 6))
		h := &heard{}
		m := oneOf(t, r, h)
		request := rein.ModelRequest{Talk: &rein.Talk{}}
		for range 12 {
			for range r.IntN(3) {
				request.Messages = append(request.Messages, anyMessages(r)...)
			}
			request.MaxTokens = int64(r.IntN(2)) * 100
			request.Offered = talk().Offered[:r.IntN(3)]
			request.Schema = nil
			if r.IntN(4) == 0 {
				request.Schema = json.RawMessage([]string{strictSchema, looseSchema, listSchema}[r.IntN(3)])
			}
			h.err, h.unread = nil, r.IntN(6) == 0
			if r.IntN(6) == 0 {
				h.err = errors.New("the connection is gone")
			}
			if kept, _ := request.Talk.Take().(*transcript); kept != nil {
				joined++
				request.Talk.Keep(kept)
			}
			_, _ = m.Generate(context.Background(), request, nil)
			got := h.body
			alone := request
			alone.Talk = nil
			_, _ = m.Generate(context.Background(), alone, nil)
			if !bytes.Equal(got, h.body) {
				t.Fatalf("seed %d: %d messages to %+v are sent as\n%s\nwant\n%s", seed, len(request.Messages), m.opt.Quirks, got, h.body)
			}
		}
	}
	if joined < 1000 {
		t.Errorf("only %d requests were written behind earlier ones", joined)
	}
}

// TestBodyIsNotKeptWhileItIsRead leaves a body alone that a client still reads.
func TestBodyIsNotKeptWhileItIsRead(t *testing.T) {
	h := &heard{answer: chatOK, unread: true}
	m, err := New(Options{Model: "m", HTTP: &http.Client{Transport: h}})
	if err != nil {
		t.Fatal(err)
	}
	r := talk()
	r.Talk = &rein.Talk{}
	if _, err := m.Generate(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	if r.Talk.Take() != nil {
		t.Error("the body is kept, and will be written to, while it is being sent")
	}
	h.unread = false
	if _, err := m.Generate(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	if r.Talk.Take() == nil {
		t.Error("the body is not kept")
	}
}

// TestOneMoreMessage says that one more message costs the same in a long conversation as in a short one.
func TestOneMoreMessage(t *testing.T) {
	for _, api := range []string{Chat, Responses} {
		allocated := func(n int) float64 {
			h := &heard{answer: map[string]string{Chat: chatOK, Responses: responseOK}[api]}
			m, err := New(Options{Model: "m", API: api, HTTP: &http.Client{Transport: discard{h}}})
			if err != nil {
				t.Fatal(err)
			}
			r := rein.ModelRequest{Talk: &rein.Talk{}}
			raw := &rein.Raw{API: chatAPI, Data: json.RawMessage(chatRaw)}
			for range n {
				r.Messages = append(r.Messages, rein.Message{Role: rein.Assistant, Text: "Hm.", Raw: raw, Calls: []rein.ToolCall{{ID: "c1", Name: "notes.read"}}},
					rein.Message{Role: rein.ToolRole, CallID: "c1", Text: "noon"})
			}
			send := func() {
				r.Messages = append(r.Messages, rein.Message{Role: rein.User, Text: "And now?"})
				if _, err := m.Generate(context.Background(), r, nil); err != nil {
					t.Fatal(err)
				}
			}
			send()
			return testing.AllocsPerRun(20, send)
		}
		if short, long := allocated(2), allocated(1000); long > short+10 {
			t.Errorf("%s: a message makes %.0f allocations after 1,000 and %.0f after 2", api, long, short)
		}
	}
}

// discard is a server that forgets what it was sent.
type discard struct{ *heard }

func (d discard) RoundTrip(r *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, r.Body)
	wrote(r)
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(d.answer))}, nil
}
