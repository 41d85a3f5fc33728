package task

import (
	"testing"

	"rein"
	"rein/flow/internal/turn"
)

// A run of an older revision fails in the words of then, so that it replays.
//
// Covers: LAW-3
func TestFailureOfOlderRevisions(t *testing.T) {
	task := rein.Task{Language: "en", Tools: []string{"cron.add"}}
	for explains, want := range map[bool]string{
		false: "I do not know whether it happened. Please check before I try again.",
		true:  "I do not know whether it happened.\n\nLook whether it is there before you ask me again.",
	} {
		of := errand{Turn: &turn.Turn{Task: task, Explains: explains}}
		if got := of.failure(State{Reason: reasonUnknown}); got != want {
			t.Errorf("explains %v: %q", explains, got)
		}
	}
	for _, reason := range []string{reasonTurns, reasonAttempts, reasonLoop, reasonUnknown, reasonNoAnswer} {
		for language, of := range words {
			if of["earlier "+reason] == "" {
				t.Errorf("%s has no words for %q", language, reason)
			}
		}
	}
}
