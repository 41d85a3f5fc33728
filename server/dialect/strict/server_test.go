package strict_test

import (
	"context"
	"testing"

	"rein"
	rigs "rein/internal/rig"
)

// Whose tool is called says the tool itself, and the log keeps it: a dot in a name means nothing, the server of a folder
// keeps its place, and a call that was refused has its server too.
//
// Covers: RAO-90
func TestWhoseToolItIs(t *testing.T) {
	t.Parallel()
	servers := map[string]string{"codebase.read_file": "", "skill.shop.order": "", "tracker.search": "tracker", "notes.search": "notes@shop", "tracker.delete": "tracker", "plain": ""}
	script := "when any~\"did tracker.search\"\nsay Over.\n\nwhen\ncall codebase.read_file {}\ncall skill.shop.order {}\ncall notes.search {}\ncall plain {}\nwrong-tool tracker.delete {}\nwrong-tool some.other {}\ncall tracker.search {}\n"
	s := stage{model: rigs.Script(t, script), tools: map[string]rein.Tool{}}
	for name, server := range servers {
		s.tools[name] = rein.Tool{Name: name, Description: "Acts.", Effect: rein.Pure, Server: server, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			return rein.Done{Text: "did " + name}, nil
		}}
	}
	r := newRig(t, s)
	c := r.dial()
	c.send(`{"type": "chat", "content": "x", "selected_tools": ["codebase.read_file", "skill.shop.order", "tracker.search", "notes.search", "plain"], "conversation_id": "s1"}`)
	servers["some.other"] = ""
	for began, ended := map[string]bool{}, 0; ended < len(servers); {
		m := c.next()
		want, known := servers[m.Tool]
		if want == "" {
			want = "rein"
		}
		switch m.Type {
		case "tool_start", "tool_complete", "tool_error":
			if !known || m.Server != want {
				t.Errorf("%s: %s is of %q, want %q", m.Type, m.Tool, m.Server, want)
			}
			if began[m.Tool] = true; m.Type != "tool_start" {
				ended++
			}
		case "response_complete":
			t.Fatalf("only %d calls: %v", ended, began)
		}
	}
	c.until("response_complete")
}
