package strict

import (
	"encoding/json"
	"strings"
	"testing"

	"rein"
)

// What is wrong with a frame is said in words, by the name of the field.
//
// Covers: RAO-34/server RAO-53
func TestDecodeRefuses(t *testing.T) {
	for frame, says := range map[string]string{
		``:                                   "empty",
		`{`:                                  "not JSON",
		`[]`:                                 "it must be an object",
		`"chat"`:                             "it must be an object",
		`null`:                               `type is ""`,
		`{}`:                                 `type is ""`,
		`{"type": 3}`:                        `field "type" is a number; it must be a string`,
		`{"type": "agent_stop"}`:             `it must be one of: agent_control, agent_user_input`,
		`{"type": "chat"}`:                   `field "content" is empty`,
		`{"type": "chat", "content": " \n"}`: `field "content" is empty`,
		`{"type": "chat", "content": ["x"]}`: `field "content" is a list`,
		`{"type": "chat", "content": "x", "agent_mode": "yes"}`:                                                        `field "agent_mode" is a string; it must be true or false`,
		`{"type": "chat", "content": "x", "agent_max_steps": "5"}`:                                                     `"agent_max_steps" is "5"; it must be a whole number`,
		`{"type": "chat", "content": "x", "agent_max_steps": 1.5}`:                                                     `it must be a whole number`,
		`{"type": "chat", "content": "x", "agent_max_steps": true}`:                                                    `it must be a whole number`,
		`{"type": "chat", "content": "x", "agent_max_steps": [1]}`:                                                     `it must be a whole number`,
		`{"type": "chat", "content": "x", "selected_tools": "read"}`:                                                   `field "selected_tools"`,
		`{"type": "chat", "content": "x", "conversation_id": "a b"}`:                                                   `conversation_id is "a b"`,
		`{"type": "chat", "content": "x", "files": "a.txt"}`:                                                           `files must be`,
		`{"type": "chat", "content": "x", "files": [3]}`:                                                               `files must be`,
		`{"type": "chat", "content": "x", "files": [{"size": 3}]}`:                                                     `a file has no name`,
		`{"type": "chat", "content": "x", "files": {"a": "no base64!"}}`:                                               `its content is not base64`,
		`{"type": "agent_control"}`:                                                                                    `action is ""; it must be "stop"`,
		`{"type": "agent_control", "action": "pause"}`:                                                                 `action is "pause"`,
		`{"type": "agent_user_input"}`:                                                                                 `field "content" is empty`,
		`{"type": "tool_approval_response", "approved": true}`:                                                         `field "tool_call_id" is empty`,
		`{"type": "tool_approval_response", "tool_call_id": "c"}`:                                                      `field "approved" is missing`,
		`{"type": "tool_approval_response", "tool_call_id": "c", "approved": 1}`:                                       `field "approved" is a number`,
		strings.Repeat(`[`, 20_000):                                                                                    "not JSON",
		`{"type": "chat", "content": "x", "files": ` + strings.Repeat(`[`, 20_000) + strings.Repeat(`]`, 20_000) + `}`: "not JSON",
		`{"type": "chat", "content": "x", "conversation_id": "` + strings.Repeat("a", 200) + `"}`:                      "at most 128 bytes",
	} {
		_, err := decode([]byte(frame))
		if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%.80s: %v, want %q", frame, err, says)
		}
		if err != nil && len(err.Error()) > 400 {
			t.Errorf("%.80s: the error has %d bytes", frame, len(err.Error()))
		}
	}
}

// Covers: RAO-34/server RAO-53
func TestDecodeChat(t *testing.T) {
	for raw, want := range map[string]int{`3`: 3, `0`: 0, `-2`: -2, `7.0`: 7, `1e300`: 1e9, `-1e999`: -1e9} {
		got, err := decode([]byte(`{"type": "chat", "content": "x", "agent_max_steps": ` + raw + `, "unknown": {}}`))
		c, ok := got.(*chat)
		if err != nil || !ok || c.steps == nil || *c.steps != want {
			t.Errorf("%s: %+v %v", raw, got, err)
		}
	}
	for _, raw := range []string{"", `, "agent_max_steps": null`} {
		got, err := decode([]byte(`{"type": "chat", "content": "x"` + raw + `}`))
		if c, ok := got.(*chat); err != nil || !ok || c.steps != nil {
			t.Errorf("%q: %+v %v", raw, got, err)
		}
	}
}

func TestDecodeFiles(t *testing.T) {
	for raw, want := range map[string]string{
		`null`: "null", `[]`: `[]`,
		`["../a.txt", "b.txt"]`: `[{"name":"a.txt"},{"name":"b.txt"}]`,
		`[{"filename": "/x/c.pdf", "content_type": "application/pdf", "size": -1}]`:                                   `[{"name":"c.pdf","type":"application/pdf"}]`,
		`{"z.txt": "aGk=", "a.txt": {"content": "data:text/plain;base64,aGVsbG8=", "type": "text/plain"}, "n": null}`: `[{"name":"a.txt","type":"text/plain","size":5},{"name":"n"},{"name":"z.txt","size":2}]`,
	} {
		files, err := readFiles(json.RawMessage(raw))
		var plain []File
		for _, f := range files {
			plain = append(plain, f.File)
		}
		if files != nil && plain == nil {
			plain = []File{}
		}
		if got, _ := json.Marshal(plain); err != nil || string(got) != want {
			t.Errorf("%s: %s %v, want %s", raw, got, err, want)
		}
	}
	if _, err := readFiles(json.RawMessage(`["a"` + strings.Repeat(`,"a"`, mostFiles) + `]`)); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("too many: %v", err)
	}
}

func TestParsePlace(t *testing.T) {
	for text, want := range map[string]place{"r1:12.3": {"r1", 12, 3}, "r1:12": {"r1", 12, all}, "r1:0": {"r1", 0, all}} {
		if got, err := parsePlace(text); err != nil || got != want {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "r1", "r1:", ":1", "r1:x", "r1:-1", "r1:1.x", "r1:1.-1", "r 1:1", "12", "r1:1.2.3", "r1:99999999999999999999"} {
		if got, err := parsePlace(text); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%q is taken as %v", text, got)
		}
	}
}

// No frame makes the decoder panic, and what it takes is sound.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"type": "chat", "content": "x", "agent_mode": true, "agent_max_steps": 3, "selected_tools": ["a"], "files": ["a"]}`,
		`{"type": "chat", "content": "x", "files": {"a": {"content": "aGk="}}}`,
		`{"type": "agent_control", "action": "stop"}`, `{"type": "agent_user_input", "content": "x"}`,
		`{"type": "tool_approval_response", "tool_call_id": "c", "approved": true, "arguments": {"a": 1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decode(data)
		if (got == nil) == (err == nil) && err == nil {
			t.Fatal("neither a request nor an error")
		}
		if err != nil {
			if rein.CodeOf(err) != rein.CodeInvalid {
				t.Fatalf("error %v has code %s", err, rein.CodeOf(err))
			}
			return
		}
		if c, ok := got.(*chat); ok {
			for _, file := range c.files {
				if file.Name == "" || strings.ContainsAny(file.Name, "/\\\x00") || len(c.files) > mostFiles {
					t.Fatalf("file %q", file.Name)
				}
			}
		}
	})
}
