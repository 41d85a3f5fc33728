package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rein"
)

// A loop is a recorded conversation: replies, their calls and what the tools returned.
type loop struct {
	ID, API string
	Steps   []struct {
		Text  string
		Tools []struct {
			ID     string
			Result json.RawMessage
		}
	}
}

func loops(t *testing.T) (list []loop, tapes map[string][]*exchange) {
	tapes = map[string][]*exchange{}
	add := func(id string, e *exchange) { tapes[id] = append(tapes[id], e) }
	dir := trafficDir(t)
	if dir == "" {
		t.Log("no recorded loops beside the repository: testing with the built-in exchanges")
		for _, e := range builtin() {
			if e.want.Verdict == "agree" {
				add(e.API, e)
			}
		}
		for _, api := range []string{chatAPI, responsesAPI} {
			list = append(list, loop{ID: api, API: api})
		}
		return list, tapes
	}
	for _, e := range traffic(t) {
		add(e.want.ID+e.API, e)
	}
	for _, tape := range tapes {
		slices.SortStableFunc(tape, func(a, b *exchange) int { return a.I - b.I })
	}
	for line := range lines(t, filepath.Join(dir, "loops.json-lines")) {
		var l loop
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		if l.API == chatAPI || l.API == responsesAPI {
			l.ID += l.API
			list = append(list, l)
		}
	}
	return list, tapes
}

// result is what the tool returned in the recording, or a text of our own.
func (l loop) result(id string) string {
	for _, s := range l.Steps {
		for _, tool := range s.Tools {
			if tool.ID == id && isSet(tool.Result) {
				return unquoted(tool.Result)
			}
		}
	}
	return "done: " + id
}

// Each request of a recorded loop answers every call once and in order, and gives back the thinking
// and all else of the replies before it as they were.
//
// Covers: SD-3 SD-12
func TestRecordedLoops(t *testing.T) {
	list, tapes := loops(t)
	var now *exchange
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		now.writeHeader(w.Header())
		w.WriteHeader(now.Status)
		_, _ = io.WriteString(w, now.Response)
	}))
	defer server.Close()
	requests, answered, thoughts := 0, 0, 0
	for _, l := range list {
		messages := []rein.Message{{Role: rein.System, Text: "Help."}, {Role: rein.User, Text: "Hello"}}
		var replies []said
		// ask sends the conversation so far and checks what was sent.
		ask := func(e *exchange) rein.Message {
			now = e
			m, err := New(e.options(server.URL))
			if err != nil {
				t.Fatal(err)
			}
			request := e.request()
			request.Messages = messages
			var show func(string)
			if e.Stream {
				show = func(string) {}
			}
			reply, err := m.Generate(t.Context(), request, show)
			if err != nil {
				t.Fatalf("%s: %v", l.ID, err)
			}
			requests++
			n := checkBody(t, l, body, replies)
			answered, thoughts = answered+n.answered, thoughts+n.thoughts
			return reply.Message
		}
		for _, e := range tapes[l.ID] {
			if e.want.Verdict != "agree" || e.saysNothing() || e.Status != 200 {
				continue
			}
			msg := ask(e)
			messages = append(messages, msg)
			for _, c := range msg.Calls {
				messages = append(messages, rein.Message{Role: rein.ToolRole, CallID: c.ID, Text: l.result(c.ID)})
			}
			replies = append(replies, said{e, msg})
		}
		if len(replies) > 0 {
			ask(now) // once more, with all of them
		}
	}
	if requests == 0 || answered == 0 || thoughts == 0 {
		t.Errorf("%d requests, %d answered calls, %d thoughts: nothing was tested", requests, answered, thoughts)
	}
	t.Logf("%d loops: %d requests, %d calls answered in them, %d times thinking or other raw parts given back", len(list), requests, answered, thoughts)
}

type said struct {
	from    *exchange
	message rein.Message
}

type tally struct{ answered, thoughts int }

type anyMap = map[string]any

// checkBody looks for the replies so far, and the results of their calls, in a request.
func checkBody(t *testing.T, l loop, body []byte, replies []said) (n tally) {
	t.Helper()
	var sent struct{ Messages, Input []anyMap }
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	rest := append(sent.Messages, sent.Input...)[2:]
	take := func() anyMap {
		if len(rest) == 0 {
			t.Fatalf("%s: the request is too short", l.ID)
		}
		first := rest[0]
		rest = rest[1:]
		return first
	}
	for _, r := range replies {
		if l.API == chatAPI {
			n.thoughts += checkChat(t, l, take(), r)
		} else {
			n.thoughts += checkItems(t, l, take, r)
		}
		for _, c := range r.message.Calls {
			answer := take()
			id, text := answer["tool_call_id"], answer["content"]
			if l.API == responsesAPI {
				id, text = answer["call_id"], answer["output"]
			}
			if id != c.ID || text != l.result(c.ID) {
				t.Fatalf("%s: call %s is answered by %v", l.ID, c.ID, answer)
			}
			n.answered++
		}
	}
	if len(rest) > 0 {
		t.Fatalf("%s: the request says more than it should: %v", l.ID, rest)
	}
	return n
}

// checkChat compares an assistant message with what the server had sent.
func checkChat(t *testing.T, l loop, sent anyMap, r said) (thoughts int) {
	t.Helper()
	calls, _ := sent["tool_calls"].([]any)
	if sent["role"] != "assistant" || len(calls) != len(r.message.Calls) {
		t.Fatalf("%s: %v is sent for %v", l.ID, sent, r.message)
	}
	if _, has := sent["tool_calls"]; has && len(calls) == 0 {
		t.Fatalf("%s: an empty list of calls is sent", l.ID)
	}
	for name, want := range chatThinking(t, r.from) {
		thoughts++
		if !reflect.DeepEqual(sent[name], want) {
			t.Fatalf("%s: %s was %v, and is sent back as %v", l.ID, name, want, sent[name])
		}
	}
	return thoughts
}

// chatThinking collects from an answer, in a way of its own, what has to come back.
func chatThinking(t *testing.T, e *exchange) anyMap {
	out := anyMap{}
	if !e.Stream {
		var body struct{ Choices []struct{ Message anyMap } }
		if err := json.Unmarshal([]byte(e.Response), &body); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"reasoning_content", "reasoning", "reasoning_details"} {
			v := body.Choices[0].Message[name]
			if list, isList := v.([]any); v != nil && v != "" && (!isList || len(list) > 0) {
				out[name] = v
			}
		}
		return out
	}
	for line := range strings.SplitSeq(e.Response, "\n") {
		var chunk struct{ Choices []struct{ Delta anyMap } }
		data, ok := strings.CutPrefix(line, "data: {")
		if !ok || json.Unmarshal([]byte("{"+data), &chunk) != nil || len(chunk.Choices) == 0 {
			continue
		}
		for _, name := range []string{"reasoning_content", "reasoning"} {
			if text, _ := chunk.Choices[0].Delta[name].(string); text != "" {
				before, _ := out[name].(string)
				out[name] = before + text
			}
		}
	}
	return out
}

// checkItems compares items with those that the server had sent.
func checkItems(t *testing.T, l loop, take func() anyMap, r said) (thoughts int) {
	t.Helper()
	for _, want := range outputOf(t, r.from) {
		var it item
		data, _ := json.Marshal(want)
		_ = json.Unmarshal(data, &it)
		if it.isPointer() {
			continue
		}
		sent := take()
		if r.message.Raw != nil {
			if it.Type != "message" && it.Type != "function_call" {
				thoughts++
			}
			if !reflect.DeepEqual(sent, want) {
				t.Fatalf("%s: item %v is sent back as %v", l.ID, want, sent)
			}
			continue
		}
		for _, name := range []string{"call_id", "name", "arguments"} {
			if sent[name] != want[name] {
				t.Fatalf("%s: item %v is sent back as %v", l.ID, want, sent)
			}
		}
	}
	return thoughts
}

func outputOf(t *testing.T, e *exchange) []anyMap {
	var body struct {
		Output   []anyMap
		Response struct{ Output []anyMap }
	}
	data := e.Response
	if e.Stream {
		_, data, _ = strings.Cut(e.Response, "event: response.completed")
		_, data, _ = strings.Cut(data, "data: ")
		data, _, _ = strings.Cut(data, "\n")
	}
	if err := json.Unmarshal([]byte(data), &body); err != nil {
		t.Fatalf("%s: %v in %.200s", e.File, err, data)
	}
	return append(body.Output, body.Response.Output...)
}
