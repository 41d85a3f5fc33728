package offline_test

import (
	"encoding/json"
	"strings"
	"testing"

	"rein"
)

// TestNoCallsAfterAFailure has another rule ready to go on (a search), which must not.
func TestNoCallsAfterAFailure(t *testing.T) {
	r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{user("What is this project?")}}, Offered: offered(t, "list_directory", "read_file", "find_similar")}
	msg := generate(t, r)
	r.Messages = append(r.Messages, msg, msg.Calls[0].Answer(rein.ToolResult{Status: rein.ToolRefused, Text: "not allowed"}))
	if got := generate(t, r); len(got.Calls) > 0 {
		t.Error(render(got))
	}
}

// TestClosingCallsNothing offers tools with a closing prompt, which no flow should.
func TestClosingCallsNothing(t *testing.T) {
	r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{user("Read a.md")}, Closing: true}, Offered: offered(t, "read_file")}
	if got := generate(t, r); len(got.Calls) > 0 || got.Text == "" {
		t.Error(render(got))
	}
}

// TestListingLeadsNowhereElse wants only files inside the listed folder to be followed.
func TestListingLeadsNowhereElse(t *testing.T) {
	for listing, want := range map[string]string{
		"../README.md\n/etc/README.md\n~/README.md\na/../../README.md": "",
		"link.md -> README.md":        "",
		"other.md\nREADME.md  12 B":   `call read_file {"path":"README.md"}`,
		"- README.md\n- rm README.md": `call read_file {"path":"README.md"}`,
	} {
		r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{user("What is this project?")}}, Offered: offered(t, "list_directory", "read_file", "rm")}
		msg := generate(t, r)
		r.Messages = append(r.Messages, msg, msg.Calls[0].Answer(rein.ToolResult{Status: rein.ToolOK, Text: quoted("list_directory", listing)}))
		got := generate(t, r)
		if got.Text = ""; render(got) != want {
			t.Errorf("listing %q: %s, want %s", listing, render(got), want)
		}
	}
}

// TestListingFollowed wants files for people before code, and a README where nothing else matches.
func TestListingFollowed(t *testing.T) {
	const listing = "main.go\nrun.go\nREADME.md\nLICENSE\nbackups.md\n"
	for question, want := range map[string]string{
		"What is the license?":          `LICENSE README.md`,
		"How do I run it?":              `README.md run.go`,
		"Where are the backups?":        `backups.md README.md`,
		"Waar gaat dit project over?":   `README.md`,
		"How tall is the Eiffel tower?": `README.md`,
	} {
		r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{user(question)}}, Offered: offered(t, "list_directory", "read_file")}
		msg := generate(t, r)
		r.Messages = append(r.Messages, msg, msg.Calls[0].Answer(rein.ToolResult{Status: rein.ToolOK, Text: quoted("list_directory", listing)}))
		var got []string
		for _, c := range generate(t, r).Calls {
			got = append(got, strings.TrimSuffix(strings.TrimPrefix(string(c.Args), `{"path":"`), `"}`))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", question, got, want)
		}
	}
}

// TestInvalidArgumentsAreNotSent has tools that have no place for the person's words, or that want
// something that nobody said.
func TestInvalidArgumentsAreNotSent(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{"path":{"type":"string"},"token":{"type":"string"}},"required":["path","token"]}`,
		`{"type":"object","properties":{"path":{"type":"integer"}},"required":["path"]}`,
		`{"type":"object"}`, `[]`, `{`, ``,
	} {
		r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{user("Read README.md")}}, Offered: []rein.Tool{{Name: "read_file", Effect: rein.Pure, Schema: json.RawMessage(schema)}}}
		if got := generate(t, r); len(got.Calls) > 0 {
			t.Errorf("schema %s: %s", schema, render(got))
		}
	}
}

// TestSummaryIsSmall wants a summary that does not grow with the conversation.
func TestSummaryIsSmall(t *testing.T) {
	r := rein.ModelRequest{Prompt: rein.Prompt{About: rein.About{Phase: "compact"}}}
	for i := range 200 {
		r.Messages = append(r.Messages, user(strings.Repeat("Read file"+string(rune('a'+i%26))+".md now and do not forget it, ", 1+i)))
	}
	if text := generate(t, r).Text; len(text) > 3000 || !strings.Contains(text, "filer.md") {
		t.Errorf("%d bytes:\n%s", len(text), text)
	}
}

// TestNothingForTheTerminal wants no control characters of a result in a reply.
func TestNothingForTheTerminal(t *testing.T) {
	r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{user("Run `x`")}}, Offered: offered(t, "execute_command")}
	msg := generate(t, r)
	r.Messages = append(r.Messages, msg, msg.Calls[0].Answer(rein.ToolResult{Status: rein.ToolOK, Text: quoted("execute_command", "a\x1b[2Jb\r\x07c\u202ed\xff")}))
	if got := generate(t, r).Text; strings.ContainsAny(got, "\x1b\r\x07\u202e") || !strings.Contains(got, "a[2Jb\nc") {
		t.Errorf("%q", got)
	}
}
