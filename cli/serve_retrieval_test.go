package cli

import (
	"os"
	"strings"
	"testing"
)

const retrievalScript = `
when phase=reason offered!=* tool~"hay and carrots"
say {"finish": true, "final_answer": "The notes say hay and carrots."}

when phase=reason
say {"finish": true, "final_answer": "Nothing came from the notes."}
`

// In agent mode only_rag has the notes searched before the agent reasons. Without it, nothing is searched;
// without notes, the person reads that there are none.
//
// Covers: RAO-2/seams
func TestServeRetrieval(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	h.write(".config/rein/demo.txt", retrievalScript)
	h.write("vault/horses.md", "# Horses\n\nBella eats hay and carrots.")
	h.env = append(h.env, "REIN_NOTES_VECTORS=false")
	const chat = `{"type":"chat","agent_mode":true,"content":"What does Bella eat?","selected_tools":["get_current_time"]`
	none := h.serve().withToken()
	d := none.dialogue("")
	d.says(chat + `,"only_rag":true}`)
	if all := d.hears("response_complete"); !strings.Contains(all, "there are no notes to search") || !strings.Contains(all, "Nothing came") {
		t.Errorf("without notes:\n%s", all)
	}
	none.end(os.Interrupt)

	h.env = append(h.env, "REIN_VAULT="+h.dir+"/vault")
	d = h.serve().withToken().dialogue("")
	for more, want := range map[string][]string{
		`,"only_rag":true}`: {`"tool_complete"`, `"find_similar"`, "The notes say hay and carrots."},
		`}`:                 {"Nothing came from the notes."},
	} {
		d.says(`{"type":"reset_session"}`)
		d.hears("session_reset")
		d.says(chat + more)
		all := d.hears("response_complete")
		for _, text := range want {
			if !strings.Contains(all, text) {
				t.Errorf("with %s the socket never had %s, but:\n%s", more, text, all)
			}
		}
	}
}
