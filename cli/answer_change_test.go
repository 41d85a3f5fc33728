package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"rein"
)

// Who asks a question may also have notes changed, with the shipped defaults: staging asks nobody, the
// commit does, and an answer that declines leaves the notes as they are.
//
// Covers: HUM-90
func TestAnswerChangesNotes(t *testing.T) {
	t.Parallel()
	h := newStage(t, "")
	changes := func() rein.Ask {
		t.Helper()
		if _, wrong, code := h.rein("run", "--flow", "answer", "--park", "Ask to commit."); code != exitWaits {
			t.Fatalf("exit %d\n%s", code, wrong)
		}
		if h.text("vault/Beans.md") != beans {
			t.Fatal("staging wrote a note")
		}
		var ask rein.Ask
		h.check(json.Unmarshal([]byte(h.ok("asks", "--json")), &ask))
		if ask.Kind != rein.AskApproval || ask.Call == nil || ask.Call.Name != "commit_staged_changes" {
			t.Fatalf("asked %+v", ask)
		}
		return ask
	}
	ask := changes()
	h.ok("answer", string(ask.ID), "--no")
	h.rein("resume", string(ask.Run))
	if h.text("vault/Beans.md") != beans {
		t.Error("a declined commit wrote a note")
	}
	h.ok("notes", "discard")
	ask = changes()
	h.ok("answer", string(ask.ID), "--yes", "--shown", ask.Shown)
	out, wrong, _ := h.rein("resume", string(ask.Run))
	if h.text("vault/Beans.md") != beans+"By a run.\n" || !strings.Contains(wrong, "wrote Beans.md") {
		t.Errorf("after the commit: %q\n%s%s", h.text("vault/Beans.md"), out, wrong)
	}
}
