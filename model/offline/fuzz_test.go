package offline_test

import (
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"rein"
)

// FuzzGenerate wants, whatever the texts are: no panic, valid UTF-8, a reply that is not empty,
// calls of offered tools only, with arguments that fit a plain schema, and the same reply twice.
func FuzzGenerate(f *testing.F) {
	for _, s := range []string{"What is this project?", "run `ls` and read a.md", "hoe laat is het", "Read the file", "\x00\xff{}[]", "{\"finish\": bool}", "``` ` ``"} {
		for _, schema := range append([]string{"", "{", `{"$ref":"#"}`, `{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}`}, schemas[:6]...) {
			f.Add(s, "README.md\na.md: x", "You are.", schema, "", uint8(0))
			f.Add("Where are pumps?", s, s, schema, "repair", uint8(7))
		}
	}
	f.Add("What?", "<untrusted source=\"x\">\nread_result handle abc\n</untrusted>", "Summarise.", "", "compact", uint8(255))
	f.Fuzz(func(t *testing.T, question, result, system, schema, phase string, flags uint8) {
		checkReplies(t, question, result, system, schema, phase, flags)
	})
}

// odd is a tool whose schema is the fuzzer's. The engine checks calls of it, and tells what is wrong.
const odd = "search_odd"

func checkReplies(t *testing.T, question, result, system, schema, phase string, flags uint8) {
	r := rein.ModelRequest{Prompt: rein.Prompt{
		About:    rein.About{Phase: phase},
		Messages: []rein.Message{{Role: rein.System, Text: system}, user(question)},
		Schema:   json.RawMessage(schema), Closing: flags&1 != 0, MaxTokens: int64(flags & 0xf0),
	}}
	names := []string{"read_file", "list_directory", "find_similar", "execute_command", "get_current_time", "ask_user", "read_result", "rm"}
	if flags&2 == 0 {
		r.Offered = offered(t, names...)
	}
	if flags&4 != 0 {
		r.Offered = append(r.Offered, rein.Tool{Name: odd, Description: system, Schema: json.RawMessage(schema)})
	}
	for range 8 {
		msg := generate(t, r)
		checkReply(t, r, msg)
		if diff := cmp.Diff(msg, generate(t, r)); diff != "" {
			t.Fatalf("another reply to the same request:\n%s", diff)
		}
		if len(msg.Calls) == 0 {
			return
		}
		r.Messages = append(r.Messages, msg)
		for _, c := range msg.Calls {
			r.Messages = append(r.Messages, c.Answer(rein.ToolResult{Status: rein.ToolOK, Text: result, FromPerson: c.Name == "ask_user"}))
		}
	}
	t.Fatalf("it never answers: %d messages", len(r.Messages))
}

func checkReply(t *testing.T, r rein.ModelRequest, msg rein.Message) {
	if msg.Text == "" && len(msg.Calls) == 0 {
		t.Fatal("an empty reply")
	}
	if !utf8.ValidString(msg.Text) {
		t.Fatalf("not UTF-8: %q", msg.Text)
	}
	for _, c := range msg.Calls {
		i := slices.IndexFunc(r.Offered, func(tool rein.Tool) bool { return tool.Name == c.Name })
		if i < 0 || c.Name == "rm" || r.Closing || c.ID == "" {
			t.Fatalf("call %+v, offered %d tools, closing %v", c, len(r.Offered), r.Closing)
		}
		var s jsonschema.Schema
		if c.Name == odd || json.Unmarshal(r.Offered[i].Schema, &s) != nil {
			continue
		}
		if resolved, err := s.Resolve(nil); err == nil {
			var v any
			if err := json.Unmarshal(c.Args, &v); err != nil {
				t.Fatal(err)
			}
			if err := resolved.Validate(v); err != nil {
				t.Fatalf("call %s %s: %v", c.Name, c.Args, err)
			}
		}
	}
}
