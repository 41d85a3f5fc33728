package anthropic_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/internal/lenient"
	"rein/model/anthropic"
)

// streamed writes a stream with one call whose arguments come in these pieces.
func streamed(stop string, pieces ...string) exchange {
	var b strings.Builder
	event := func(kind, data string) {
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, data)
	}
	event("message_start", `,"message":{"content":[],"usage":{"input_tokens":1,"output_tokens":1}}`)
	event("content_block_start", `,"index":0,"content_block":{"type":"tool_use","id":"i","name":"n","input":{}}`)
	for _, piece := range pieces {
		text, _ := json.Marshal(piece)
		event("content_block_delta", fmt.Sprintf(`,"index":0,"delta":{"type":"input_json_delta","partial_json":%s}`, text))
	}
	event("content_block_stop", `,"index":0`)
	event("message_delta", fmt.Sprintf(`,"delta":{"stop_reason":%q},"usage":{"output_tokens":3}`, stop))
	event("message_stop", "")
	return exchange{Status: 200, Stream: true, Headers: map[string][]string{"content-type": {sseType}}, Response: b.String()}
}

func whole(stop, content string) exchange {
	return exchange{Status: 200, Headers: map[string][]string{"content-type": {jsonType}}, Response: fmt.Sprintf(
		`{"type":"message","role":"assistant","content":%s,"stop_reason":%q,"usage":{"input_tokens":1,"cache_read_input_tokens":2,"cache_creation_input_tokens":4,"output_tokens":9,"output_tokens_details":{"thinking_tokens":8}}}`, content, stop)}
}

// Covers: SD-12
func TestArguments(t *testing.T) {
	call := func(input string) string {
		return `[{"type":"tool_use","id":"i","name":"n","input":` + input + `}]`
	}
	for _, c := range []struct {
		name string
		x    exchange
		args string
		cut  bool
	}{
		{"fragments", streamed("tool_use", "", `{"a`, `": 1}`), `{"a": 1}`, false},
		{"none", streamed("tool_use"), `{}`, false},
		{"malformed", streamed("tool_use", `{"a": tru`, `e,,}`), `{"a": true,,}`, false},
		{"cut", streamed("max_tokens", `{"a": "b`), `{"a": "b`, true},
		{"whole before the end", streamed("max_tokens", `{"a": 1}`), `{"a": 1}`, false},
		{"cut before the arguments", streamed("max_tokens"), `{"`, true},
		{"in one piece", whole("tool_use", call(`{"a": 1}`)), `{"a": 1}`, false},
		{"in one piece, cut", whole("max_tokens", call(`{"a": 1}`)), `{"a": 1,"`, true},
		{"in one piece, cut at once", whole("max_tokens", call(`{}`)), `{"`, true},
		{"in one piece, nothing", whole("tool_use", call(`null`)), `{}`, false},
	} {
		p := newPlayer(t)
		p.load(-1, c.x, builtin()[0])
		m := p.model(t, 0, anthropic.Options{})
		reply, _, err := generate(m, ask("Hello"), c.x.Stream)
		if err != nil || len(reply.Message.Calls) != 1 {
			t.Errorf("%s: %+v, %v", c.name, reply, err)
			continue
		}
		got := string(reply.Message.Calls[0].Args)
		if got != c.args {
			t.Errorf("%s: got %s, want %s", c.name, got, c.args)
		}
		if found, err := lenient.Value(got); c.cut && (err != nil || !found.Cut) {
			t.Errorf("%s: %s does not look cut off", c.name, got)
		}
		// Whatever it was, it can go back.
		r := ask("Hello")
		r.Messages = append(r.Messages, reply.Message)
		if _, _, err := generate(m, r, false); err != nil {
			t.Fatal(err)
		}
		if _, err := readRequest(p.sent()[1]); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestUsageCountsAllInput(t *testing.T) {
	p := newPlayer(t)
	p.load(-1, whole("refusal", `[]`))
	reply, _, err := generate(p.model(t, 0, anthropic.Options{}), ask("Hello"), false)
	if err != nil {
		t.Fatal(err)
	}
	want := rein.ModelReply{
		Message: rein.Message{Role: rein.Assistant, Stop: rein.StopRefusal}, Model: "m",
		Usage: &rein.Usage{Input: 7, Output: 9, Cached: 2, CacheWrite: 4, Reasoning: 8},
	}
	if diff := cmp.Diff(want, reply); diff != "" {
		t.Error(diff)
	}
}

func TestCitationsAreKept(t *testing.T) {
	p := newPlayer(t)
	for _, x := range builtin() {
		if !strings.Contains(x.File, "cited") {
			continue
		}
		p.load(-1, x)
		reply, _, err := generate(p.model(t, 0, anthropic.Options{}), ask("Hello"), true)
		if err != nil || !strings.Contains(string(reply.Message.Raw.Data), `"citations":[{"type":"char_location","cited_text":"Grass is green."`) {
			t.Errorf("got %+v, %v", reply.Message.Raw, err)
		}
		return
	}
	t.Fatal("no such exchange")
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		o    anthropic.Options
		says string
	}{
		{anthropic.Options{}, "name of the model"},
		{anthropic.Options{Model: "m"}, "needs a key"},
		{anthropic.Options{Model: "m", BaseURL: "localhost:1"}, "base URL must be like"},
		{anthropic.Options{Model: "m", BaseURL: "http://a:b@h"}, "must not hold a password"},
		{anthropic.Options{Model: "m", Key: "k", Thinking: 5}, "at least 1024"},
	} {
		if _, err := anthropic.New(c.o); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	m, err := anthropic.New(anthropic.Options{Model: "m", Key: "k", Account: "a", Info: rein.ModelInfo{Window: 9}})
	if want := (rein.ModelInfo{Name: "m", Account: "a", Window: 9, MaxOutput: 4096}); err != nil || m.Info() != want {
		t.Errorf("%v, %v", m, err)
	}
}
