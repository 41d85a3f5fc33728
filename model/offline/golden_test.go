package offline_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"rein"
	"rein/internal/quote"
	"rein/model/offline"
)

var (
	update = flag.Bool("update", false, "write what the model says into the golden files")
	model  = offline.Model{}
)

// TestConversations plays the files in testdata. A file is a conversation: tools, system, phase,
// schema and closing set up the next request; user and result add to the transcript; reply is what
// the model is expected to say next.
//
// Covers: LAW-9
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no conversations", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			play(t, archive)
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// play goes through the sections; a reply that differs fails, or is replaced with -update.
func play(t *testing.T, archive *txtar.Archive) {
	var r rein.ModelRequest
	open := 0 // calls that have no result yet, at the end of the transcript
	for i, section := range archive.Files {
		word, rest, _ := strings.Cut(section.Name, " ")
		text := strings.TrimSuffix(string(section.Data), "\n")
		switch word {
		case "tools":
			r.Offered = offered(t, strings.Fields(text)...)
		case "system", "developer", "user":
			r.Messages = append(r.Messages, rein.Message{Role: rein.Role(word), Text: text})
		case "phase":
			r.Phase = text
		case "schema":
			r.Schema = json.RawMessage(text)
		case "closing":
			r.Closing = true
		case "result":
			r.Messages = append(r.Messages, resultOf(t, r.Messages, open, rest, text))
			open--
		case "reply":
			msg := generate(t, r)
			r.Messages = append(r.Messages, msg)
			open = len(msg.Calls)
			got := render(msg)
			if *update {
				archive.Files[i].Data = []byte(got + "\n")
			} else if diff := cmp.Diff(text, got); diff != "" {
				t.Errorf("reply in section %d (-want +got):\n%s", i+1, diff)
			}
		default:
			t.Fatalf("section %q: want tools, system, developer, user, phase, schema, closing, result or reply", section.Name)
		}
	}
}

// resultOf answers the first open call of the newest assistant message. "ok person" is a person's
// answer; anything else is quoted as the pipeline does.
func resultOf(t *testing.T, transcript []rein.Message, open int, how, text string) rein.Message {
	for i := len(transcript) - 1; i >= 0; i-- {
		calls := transcript[i].Calls
		if len(calls) == 0 {
			continue
		}
		if open <= 0 {
			break
		}
		call := calls[len(calls)-open]
		status, kind, _ := strings.Cut(how, " ")
		result := rein.ToolResult{Status: rein.ToolStatus(status), Text: text, FromPerson: kind == "person"}
		if kind == "" {
			result.Text = quoted(call.Name, text)
		}
		if result.Status.Failed() {
			result.Text = "error: " + status + "\n" + result.Text
		}
		return call.Answer(result)
	}
	t.Fatalf("result %q answers no call", text)
	return rein.Message{}
}

func quoted(source, text string) string { return quote.Untrusted(source, text) }

func render(m rein.Message) string {
	var lines []string
	for _, c := range m.Calls {
		lines = append(lines, "call "+c.Name+" "+string(c.Args))
	}
	if m.Text != "" {
		lines = append(lines, m.Text)
	}
	return strings.Join(lines, "\n")
}
