package explore_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"rein"
	"rein/engine"
	"rein/internal/flowtest"
	"rein/internal/labs"
)

// crashPlay needs everything that explore does: a question before, a child, tools, a last question.
const crashPlay = `
when run=r1 phase=clarify
say {"ambiguous": true, "question": "Which one?"}

when run=r1 phase=question
say {"missing": false}

when run=r1 phase=split
say {"questions": ["Part one?", "Part two?"]}

when phase=act results=0
call echo {"n": 1}

when phase=act user~"Part one"
say One.

when phase=act user~"Part two"
fail invalid "no such thing"

when phase=act
say Main.

when phase=summary round=1
say Sum.

when phase=doubt
say {"uncertain": true, "question": "Sure?"}

when phase=summary
say Sure.
`

// TestExploreSurvives kills the process after each event of the run and starts another: the outcome
// is always the same, and no question is asked twice.
//
// Covers: TREE-33 TREE-37 TREE-51 TREE-72 LAW-10
func TestExploreSurvives(t *testing.T) {
	task := exploreTask(`{"depth": 1, "child_questions": 0}`, "This one?")
	task.Tools = []string{"echo"}
	var want string
	for at := 0; ; at++ {
		if at > 0 && !labs.Cell(at, 5) {
			continue
		}
		w := flowtest.World(t, engine.NoGrace, crashPlay)
		w.Begin()
		w.Start("r1", task)
		answers := []string{"That one.", "Yes."}
		answer := func() {
			n := 3 - len(answers)
			w.Answer(w.UntilAsk("r1", n), rein.AskAnswered, answers[0])
			answers = answers[1:]
		}
		var last rein.Event
		if at > 0 {
			last = w.Until(fmt.Sprintf("event %d", at), func(e rein.Event) bool {
				if e.Run == "r1" && e.Kind == rein.AskOpened && e.Seq < int64(at) && len(answers) == 2-asksBefore(e) {
					answer()
				}
				return e.Run == "r1" && (e.Seq >= int64(at) || e.Kind.Ends()) // how often it parks is chance
			})
			w.Kill()
			w.Begin()
		}
		for len(answers) > 0 {
			answer()
		}
		end := w.End("r1")
		w.Verify()
		data, err := json.Marshal(end)
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = string(data)
		}
		if string(data) != want {
			t.Fatalf("killed at event %d (%s), it ended as %s, want %s", at, last.Kind, data, want)
		}
		w.Kill()
		if last.Kind.Ends() {
			return
		}
	}
}

// asksBefore counts the asks of the run before this one: it opens two.
func asksBefore(e rein.Event) int {
	if e.Step == "4.ask" {
		return 0
	}
	return 1
}
