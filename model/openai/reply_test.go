package openai

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

func eventsOf(events ...string) string { return "data: " + strings.Join(events, "\n\ndata: ") + "\n\n" }

func delta(d string) string { return `{"choices":[{"index":0,"delta":` + d + `}]}` }

func chatBodyOf(message, finish string) string {
	return `{"model":"m1-2026","choices":[{"index":0,"finish_reason":"` + finish + `","message":` + message + `}]}`
}

const done = "[DONE]"

// Covers: SD-3 SD-12
func TestReplies(t *testing.T) {
	call := func(id, name, args string) rein.ToolCall {
		return rein.ToolCall{ID: id, Name: name, Args: json.RawMessage(args)}
	}
	raw := func(api, data string) *rein.Raw { return &rein.Raw{API: api, Data: json.RawMessage(data)} }
	for name, c := range map[string]struct {
		api, body string
		want      rein.Message
	}{
		"refusal": {Chat, chatBodyOf(`{"content":null,"refusal":"I will not."}`, "stop"), rein.Message{Text: "I will not.", Stop: rein.StopRefusal}},
		"filter":  {Chat, chatBodyOf(`{"content":""}`, "content_filter"), rein.Message{Stop: rein.StopFilter}},
		"length":  {Chat, chatBodyOf(`{"content":"so"}`, "length"), rein.Message{Text: "so", Stop: rein.StopLength}},
		"cut before the arguments": {
			Chat, eventsOf(delta(`{"tool_calls":[{"index":0,"id":"1","function":{"name":"now","arguments":""}},{"index":1,"id":"2","function":{"name":"rm","arguments":""}}]}`), `{"choices":[{"index":0,"finish_reason":"length","delta":{}}]}`, done),
			rein.Message{Stop: rein.StopLength, Calls: []rein.ToolCall{call("1", "now", "{}"), call("2", "rm", "{")}},
		},
		"cut before the arguments, responses": {
			Responses, `{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"function_call","call_id":"1","name":"rm","arguments":"","status":"incomplete"}]}`,
			rein.Message{Stop: rein.StopLength, Calls: []rein.ToolCall{call("1", "rm", "{")}},
		},
		"shells of null and nothing are no raw": {
			Chat, chatBodyOf(`{"role":"assistant","content":"a","refusal":null,"annotations":[],"audio":null,"reasoning":""}`, "stop"),
			rein.Message{Text: "a"},
		},
		"thinking is kept": {
			Chat, chatBodyOf(`{"role":"assistant","content":"a","refusal":null,"reasoning_content":"h & m"}`, "stop"),
			rein.Message{Text: "a", Raw: raw(chatAPI, `{"content":"a","reasoning_content":"h & m","role":"assistant"}`)},
		},
		"parts": {
			Chat, chatBodyOf(`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"144"}]}`, "stop"),
			rein.Message{Text: "144", Raw: raw(chatAPI, `{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"144"}],"role":"assistant"}`)},
		},
		"streamed parts": {
			Chat, eventsOf(delta(`{"content":""}`), delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"h"}]}]}`), delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"m"}]}]}`), delta(`{"content":"14"}`), delta(`{"content":"4"}`), done),
			rein.Message{Text: "144", Raw: raw(chatAPI, `{"content":[{"thinking":[{"text":"hm","type":"text"}],"type":"thinking"},{"text":"144","type":"text"}],"role":"assistant"}`)},
		},
		"streamed details": {
			Chat, eventsOf(delta(`{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","index":0,"text":"a","format":"f"}]}`), delta(`{"reasoning":"b","reasoning_details":[{"type":"reasoning.text","index":0,"text":"b"}]}`), delta(`{"reasoning_details":[{"type":"reasoning.text","index":0,"signature":"sig"}]}`), delta(`{"reasoning_details":[{"type":"reasoning.encrypted","index":1,"data":"zz"}]}`), delta(`{"content":"ok"}`), done),
			rein.Message{Text: "ok", Raw: raw(chatAPI, `{"content":"ok","reasoning":"ab","reasoning_details":[{"format":"f","index":0,"signature":"sig","text":"ab","type":"reasoning.text"},{"data":"zz","index":1,"type":"reasoning.encrypted"}],"role":"assistant"}`)},
		},
		"arguments that are not JSON": {
			Chat, chatBodyOf(`{"tool_calls":[{"id":"c","function":{"name":"time","arguments":"{\"a\": tru"}}]}`, "tool_calls"),
			rein.Message{Calls: []rein.ToolCall{call("c", "time", `{"a": tru`)}},
		},
		"arguments that are an object, no ID": {
			Chat, chatBodyOf(`{"tool_calls":[{"function":{"name":"notes-read","arguments":{"a":1}}},{"function":{"name":"time"}}]}`, "stop"),
			rein.Message{Calls: []rein.ToolCall{call("call_1_0", "notes.read", `{"a":1}`), call("call_1_1", "time", `{}`)}},
		},
		"the same index for all calls": {
			Chat, eventsOf(delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"time","arguments":"{}"}}]}`), delta(`{"tool_calls":[{"index":0,"id":"b","function":{"name":"time","arguments":"{}"}}]}`), done),
			rein.Message{Calls: []rein.ToolCall{call("a", "time", `{}`), call("b", "time", `{}`)}},
		},
		"no index at all": {
			Chat, eventsOf(delta(`{"tool_calls":[{"id":"a","function":{"name":"time","arguments":"{\"x\""}}]}`), delta(`{"tool_calls":[{"function":{"arguments":":1}"}}]}`), delta(`{"tool_calls":[{"id":"b","function":{"name":"time","arguments":"{}"}}]}`), done),
			rein.Message{Calls: []rein.ToolCall{call("a", "time", `{"x":1}`), call("b", "time", `{}`)}},
		},
		"the same ID twice": {
			Chat, chatBodyOf(`{"tool_calls":[{"id":"a","function":{"name":"time","arguments":"{}"}},{"id":"a","function":{"name":"time","arguments":"{}"}}]}`, "stop"),
			rein.Message{Calls: []rein.ToolCall{call("a", "time", `{}`), call("call_1_1", "time", `{}`)}},
		},
		"a signature of a call": {
			Chat, eventsOf(delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"time","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]}`), done),
			rein.Message{Calls: []rein.ToolCall{call("a", "time", `{}`)}, Raw: raw(chatAPI, `{"role":"assistant","tool_calls":[{"extra_content":{"google":{"thought_signature":"s"}},"function":{"arguments":"{}","name":"time"},"id":"a","type":"function"}]}`)},
		},
		"heartbeats, and no end but a finish": {
			Chat, ": beat\n\n" + eventsOf(delta(`{"content":"a"}`)) + ":\n\n" + eventsOf(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`),
			rein.Message{Text: "a"},
		},
		"response cut by the limit": {
			Responses, `{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"message","content":[{"type":"output_text","text":"so"}]}]}`,
			rein.Message{Text: "so", Stop: rein.StopLength},
		},
		"response filtered": {
			Responses, `{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]}`,
			rein.Message{Stop: rein.StopFilter},
		},
		"response refused": {
			Responses, `{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"No."}]}]}`,
			rein.Message{Text: "No.", Stop: rein.StopRefusal, Raw: raw(responsesAPI, `[{"type":"message","content":[{"type":"refusal","refusal":"No."}]}]`)},
		},
		"response whose last event has no items": {
			Responses, eventsOf(`{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"c","name":"notes-read","arguments":"{}"}}`, `{"type":"response.output_text.delta","delta":"Hm."}`, `{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":"Hm."}]}}`, `{"type":"response.completed","response":{"status":"completed","output":[]}}`),
			rein.Message{Text: "Hm.", Calls: []rein.ToolCall{call("c", "notes.read", `{}`)}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := serve(t, Options{API: c.api}, answer(200, c.body))
			r := hello
			r.Offered = talk().Offered
			c.want.Role = rein.Assistant
			for _, isKept := range []bool{false, true} { // by whoever is shown it
				var shown strings.Builder
				if r.Said = nil; isKept {
					r.Said = shown.String
				}
				got, err := m.Generate(t.Context(), r, func(text string) { shown.WriteString(text) })
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, got.Message); diff != "" {
					t.Error(diff)
				}
				if shown.String() != c.want.Text {
					t.Errorf("shown %q", shown.String())
				}
			}
		})
	}
}

func TestUsage(t *testing.T) {
	for in, want := range map[string]*rein.Usage{
		`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":8,"cache_write_tokens":1},"completion_tokens_details":{"reasoning_tokens":3}}`: {Input: 10, Output: 5, Cached: 8, CacheWrite: 1, Reasoning: 3},
		`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":35,"completion_tokens_details":{"reasoning_tokens":20}}`:                                                                   {Input: 10, Output: 25, Reasoning: 20},
		`{"prompt_tokens":10,"completion_tokens":5,"prompt_cache_hit_tokens":6}`:                                                                                                             {Input: 10, Output: 5, Cached: 6},
		`{"input_tokens":7,"output_tokens":2,"total_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens_details":{"reasoning_tokens":1}}`:                                    {Input: 7, Output: 2, Cached: 4, Reasoning: 1},
		`{"prompt_tokens":0,"completion_tokens":0}`: nil,
		`null`: nil,
	} {
		var u *usage
		if err := json.Unmarshal([]byte(in), &u); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, u.rein()); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
	}
}

// A stream that was read to its end leaves its connection for the next.
func TestConnectionsAreUsedAgain(t *testing.T) {
	var opened atomic.Int32
	server := httptest.NewUnstartedServer(answer(200, eventsOf(delta(`{"content":"a"}`), done), "Content-Type", "text/event-stream"))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	m, err := New(Options{Model: "m1", BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := m.Generate(t.Context(), hello, func(string) {}); err != nil {
			t.Fatal(err)
		}
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("%d connections for 20 calls", n)
	}
}
