package app

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/model/script"
	"rein/tool/mcp/mcptest"
)

const echoPlay = `
when phase=plan
say {"goal": "look", "tool_calls": [{"name": "fs.echo", "arguments": {"text": "the secret of the house"}}], "next_action": "tool"}

when phase=reflect
say {"reflection": "enough", "next_action": "respond"}

when phase=write
say Looked.
`

// What a tool of an MCP server looks into, only the operator knows: research neither sees it nor can call it, also when
// somebody selects it or assist hands over, until the settings say that it cannot look into code.
//
// Covers: NEU-22/research
func TestMCPInResearch(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(mcptest.Handler(t.TempDir()))
	t.Cleanup(server.Close)
	play := func(text string) rein.Model {
		m, err := script.Parse("echo.txt", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	assist := "when phase=chat\nsay [NEED_RESEARCH]\n" + echoPlay
	selected := []string{"fs.echo"}
	for _, c := range []struct {
		name, flow, more, play string
		tools                  []string
		offered, called        bool
	}{
		{"nobody says what it does", "research", "", echoPlay, nil, false, false},
		{"somebody selects it", "research", "", echoPlay, selected, true, false},
		{"assist hands over to research", "assist", "", assist, nil, true, false},
		{"the settings mean another tool", "research", "no_code = [\"fail\"]\n", echoPlay, nil, false, false},
		{"the settings say that it cannot", "research", "no_code = [\"echo\"]\n", echoPlay, nil, true, true},
		{"code", "code", "", echoPlay, nil, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := &webHouse{T: t, data: filepath.Join(t.TempDir(), "data"), models: map[string]rein.Model{"played": play(c.play)}}
			if err := os.Mkdir(h.data, 0o700); err != nil {
				t.Fatal(err)
			}
			h.write(fmt.Sprintf("[mcp.servers.fs]\nurl = %q\nallow = [\"echo\"]\neffects = {echo = \"pure\"}\n%s", server.URL, c.more))
			a := h.open()
			defer a.Close()
			hello := []rein.Message{{Role: rein.User, Text: "Hello"}}
			if _, err := a.owner.prepare(rein.Task{Flow: "operate", Messages: hello}); err != nil { // its tools are known now
				t.Fatal(err)
			}
			task, err := a.owner.prepare(rein.Task{Flow: c.flow, Tools: c.tools, Messages: hello})
			if err != nil || slices.Contains(task.Tools, "fs.echo") != c.offered {
				t.Errorf("the task has %v, %v", task.Tools, err)
			}
			outcome, log := h.play(a, rein.Task{Flow: c.flow, Tools: c.tools})
			want := `"name":"fs.echo","status":"refused","summary":"Tool not allowed`
			if c.called {
				want = `"name":"fs.echo","status":"ok","summary":"the secret of the house`
			}
			if outcome.Text != "Looked." || !strings.Contains(string(outcome.Data), want) {
				t.Errorf("%+v\n%.2000s", outcome, log)
			}
		})
	}
}
