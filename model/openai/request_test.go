package openai

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"rein"
)

var update = flag.Bool("update", false, "write testdata/requests.txtar anew")

const chatOK = `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Yes."}}]}`

const responseOK = `{"status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}]}`

// talk has a message of each kind, and a tool whose name providers forbid.
func talk() rein.ModelRequest {
	r := rein.ModelRequest{Prompt: rein.Prompt{MaxTokens: 100, Messages: []rein.Message{
		{Role: rein.System, Text: "You are kind."},
		{Role: rein.Developer, Text: "Be short."},
		{Role: rein.User, Text: "What is this?", Images: []rein.Image{{Type: "image/png", Data: []byte{1, 2, 3}}, {URL: "https://example.org/a.png"}}},
		{Role: rein.Assistant, Text: "I look.", Calls: []rein.ToolCall{
			{ID: "c1", Name: "notes.read", Args: json.RawMessage(`{"path":"a.md"}`)},
			{ID: "c2", Name: "time"},
			{ID: "c3", Name: "time", Args: json.RawMessage(`{"zone`)},
		}},
		{Role: rein.ToolRole, CallID: "c1", Text: "a note"},
		{Role: rein.ToolRole, CallID: "c2", Text: "noon"},
		{Role: rein.ToolRole, CallID: "c3", Status: rein.ToolRefused, Text: "not JSON"},
		{Role: rein.Developer, Text: "Now answer."},
	}}}
	r.Offered = []rein.Tool{
		{Name: "notes.read", Description: "Reads a note.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)},
		{Name: "time"},
	}
	return r
}

func shaped(schema string) rein.ModelRequest {
	r := hello
	r.Schema = json.RawMessage(schema)
	return r
}

const (
	strictSchema = `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}},"required":["a"],"additionalProperties":false}`
	looseSchema  = `{"type":"object","properties":{"a":{"type":"string"}}}`
	listSchema   = `{"type":"array","items":{"type":"string"}}`
)

// thought is a reply with parts that only its server can read.
func thought(raw rein.Raw, id string) rein.ModelRequest {
	return rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{
		{Role: rein.User, Text: "Hello"},
		{Role: rein.Assistant, Text: "Hm.", Raw: &raw, Calls: []rein.ToolCall{{ID: id, Name: "time"}}},
		{Role: rein.ToolRole, CallID: id, Text: "noon"},
	}}}
}

const chatRaw = `{"role":"assistant","content":"Hm.","reasoning_content":"I think <b>","tool_calls":[{"id":"c1","type":"function","function":{"name":"time","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s=="}}}]}`

const itemsRaw = `[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"},{"type":"reasoning","id":"rs_2","summary":[]},{"type":"message","id":"msg_1","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"Hm."}]},{"type":"function_call","id":"fc_1","call_id":"c1","name":"time","arguments":"{}"}]`

// requests are what is sent, by case.
var requests = []struct {
	name    string
	options Options
	request rein.ModelRequest
	stream  bool
}{
	{"chat", Options{}, talk(), false},
	{"chat streamed", Options{}, hello, true},
	{"chat, old server", Options{Quirks: Quirks{NoDeveloper: true, OneSystem: true, NoStreamUsage: true, OldMaxTokens: true, OneCall: true, NoImages: true}}, talk(), true},
	{"chat, no developer", Options{Quirks: Quirks{NoDeveloper: true}, Info: rein.ModelInfo{MaxOutput: 50}}, talk(), false},
	{"chat, never streamed", Options{Quirks: Quirks{Stream: Never}}, hello, true},
	{"chat, always streamed", Options{Quirks: Quirks{Stream: Always}}, hello, false},
	{"chat, strict schema", Options{}, shaped(strictSchema), false},
	{"chat, loose schema", Options{}, shaped(looseSchema), false},
	{"chat, list schema", Options{}, shaped(listSchema), false},
	{"chat, JSON object", Options{Quirks: Quirks{Schema: ByObject}}, shaped(looseSchema), false},
	{"chat, schema in words", Options{Quirks: Quirks{Schema: ByWords}}, shaped(looseSchema), false},
	{"chat, raw", Options{}, thought(rein.Raw{API: chatAPI, Data: json.RawMessage(chatRaw)}, "c1"), false},
	{"chat, raw of other calls", Options{}, thought(rein.Raw{API: chatAPI, Data: json.RawMessage(chatRaw)}, "c9"), false},
	{"chat, raw not wanted", Options{Quirks: Quirks{PlainHistory: true}}, thought(rein.Raw{API: chatAPI, Data: json.RawMessage(chatRaw)}, "c1"), false},
	{"chat, raw of another API", Options{}, thought(rein.Raw{API: responsesAPI, Data: json.RawMessage(itemsRaw)}, "c1"), false},
	{"responses", Options{API: Responses, Model: "gpt-5-mini"}, talk(), false},
	{"responses streamed", Options{API: Responses}, hello, true},
	{"responses, strict schema", Options{API: Responses}, shaped(strictSchema), false},
	{"responses, raw", Options{API: Responses}, thought(rein.Raw{API: responsesAPI, Data: json.RawMessage(itemsRaw)}, "c1"), false},
	{"responses, raw of another API", Options{API: Responses}, thought(rein.Raw{API: chatAPI, Data: json.RawMessage(chatRaw)}, "c1"), false},
}

// What is sent, byte for byte but for white space: no empty lists, no forced tool, no name that is
// forbidden.
//
// Covers: SD-3 RAO-3/models
func TestRequests(t *testing.T) {
	const file = "testdata/requests.txtar"
	got := &txtar.Archive{Comment: []byte("What a model is sent in each case of TestRequests. Written by go test -update.\n\n")}
	for _, c := range requests {
		var sent []byte
		m := serve(t, c.options, func(w http.ResponseWriter, r *http.Request) {
			sent, _ = io.ReadAll(r.Body)
			if c.options.API == Responses {
				_, _ = io.WriteString(w, responseOK)
				return
			}
			_, _ = io.WriteString(w, chatOK)
		})
		var show func(string)
		if c.stream {
			show = func(string) {}
		}
		reply, err := m.Generate(t.Context(), c.request, show)
		if err != nil || reply.Message.Text != "Yes." || reply.Model != m.opt.Model {
			t.Errorf("%s: %v %v", c.name, reply, err)
		}
		for _, never := range []string{"tool_choice", `"tools":[]`, `"tool_calls":[]`, testKey} {
			if bytes.Contains(sent, []byte(never)) {
				t.Errorf("%s: %s is sent", c.name, never)
			}
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, sent, "", "  "); err != nil {
			t.Fatal(err)
		}
		got.Files = append(got.Files, txtar.File{Name: c.name, Data: append(pretty.Bytes(), '\n')})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(txtar.Format(got))); diff != "" {
		t.Error(diff)
	}
}

// A longer conversation is sent with the shorter one as its beginning, so that a provider's cache of
// it is good.
func TestPrefixIsStable(t *testing.T) {
	type body struct{ Messages, Input, Tools []json.RawMessage }
	for _, o := range []Options{{API: Chat}, {API: Responses}, {API: Chat, Quirks: Quirks{OneSystem: true, NoImages: true}}} {
		var sent body
		m := serve(t, o, func(w http.ResponseWriter, r *http.Request) {
			sent = body{}
			_ = json.NewDecoder(r.Body).Decode(&sent)
			_, _ = io.WriteString(w, map[string]string{Chat: chatOK, Responses: responseOK}[o.API])
		})
		var before body
		r := talk()
		for n := 3; n <= len(r.Messages); n++ {
			part := r
			part.Messages = r.Messages[:n]
			if _, err := m.Generate(t.Context(), part, nil); err != nil {
				t.Fatal(err)
			}
			now := sent
			if n > 3 {
				sent.Messages = sent.Messages[:len(before.Messages)]
				sent.Input = sent.Input[:len(before.Input)]
				if diff := cmp.Diff(before, sent); diff != "" {
					t.Fatalf("%s: with %d messages: %s", o.API, n, diff)
				}
			}
			before = now
		}
	}
}
