package assist_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"rein"
	"rein/server/dialect/assist"
)

// A question that is put to someone else is not answered by what the owner of the chat says next: that is
// a message of their own. The one who was asked can answer.
//
// Covers: NEU-2
func TestAsksForOthers(t *testing.T) {
	r := scripted(t, `
when phase=observe results=0
say {"type": "tool_call", "tool": "consult", "args": {}}

when
say {"type": "final", "message": "Klaar."}
`, map[string]rein.Tool{"consult": {
		Name: "consult", Description: "Asks Bob.", Effect: rein.Pure,
		Ask: func(json.RawMessage) (rein.Question, error) {
			return rein.Question{Text: "Mag het, Bob?", For: "bob"}, nil
		},
	}})
	r.send("POST", "/chat", message("Vraag Bob."), assist.TaskHeader, "1")
	for _, text := range []string{"ja", "Is hij er al?"} {
		status, reply := r.send("POST", "/chat", message(text))
		if open := r.openAsks(); status != http.StatusOK || len(open) != 1 || open[0].For != "bob" {
			t.Fatalf("ann says %q and is told %d %v; open is %v", text, status, reply, open)
		}
	}
	ask := r.openAsks()[0]
	_, err := r.Engine.Command(t.Context(), ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "ja", By: "ann"}))
	if rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("ann answers for bob: %v", err)
	}
	_, err = r.Engine.Command(t.Context(), ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "ja", By: "bob"}))
	check(t, err)
}
