package chaos

import (
	"strings"
	"testing"

	"rein"
	"rein/api"
)

// TestWitness shows a witness what must not be, and wants it to complain: a storm without complaints
// says nothing if there could be none.
func TestWitness(t *testing.T) {
	event := func(seq int64, kind rein.Kind, data string) api.Line {
		return api.Line{Cursor: "c", Event: &rein.Event{Run: "r", Seq: seq, Kind: kind, Step: "1", Data: []byte(data)}}
	}
	piece := func(attempt, offset int, text string) api.Line {
		return api.Line{Delta: &rein.Delta{Run: "r", Step: "1", Attempt: attempt, Offset: offset, Text: text}}
	}
	begun := event(1, rein.StepStarted, `{}`)
	for name, c := range map[string]struct {
		lines []api.Line
		want  string
	}{
		"good":              {[]api.Line{begun, piece(1, 0, "ab"), piece(1, 0, "abc"), event(2, rein.StepAttempt, `{}`), piece(2, 0, "x"), event(3, rein.StepDone, `{"message":{"text":"xy"}}`)}, ""},
		"twice":             {[]api.Line{begun, begun}, "event 1 step.started came and 2 was to come"},
		"lost":              {[]api.Line{begun, event(3, rein.StepDone, `{}`)}, "event 3 step.done came and 2 was to come"},
		"gap":               {[]api.Line{piece(1, 0, "a"), piece(1, 2, "c")}, "1 bytes of step 1 are missing"},
		"other text":        {[]api.Line{piece(1, 0, "ab"), piece(1, 0, "ax")}, `and then came "ax"`},
		"other end":         {[]api.Line{begun, piece(1, 0, "ab"), event(2, rein.StepDone, `{"message":{"text":"ax"}}`)}, `the pieces were "ab"`},
		"old attempt":       {[]api.Line{piece(2, 0, "ab"), piece(1, 0, "a")}, "a piece of attempt 1 came in attempt 2"},
		"after its end":     {[]api.Line{event(1, rein.StepDone, `{"message":{"text":"ax"}}`), piece(1, 0, "a")}, "after its end"},
		"begin again":       {[]api.Line{{Resync: "another log"}}, "told to begin again: another log"},
		"glued of attempts": {[]api.Line{begun, piece(1, 0, "ab"), piece(2, 2, "cd")}, "2 bytes of step 1 are missing"},
	} {
		w := newWitness(name)
		for _, line := range c.lines {
			w.take(line)
		}
		got := strings.Join(w.complaints, "\n")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: the complaints are %q, want %q", name, got, c.want)
		}
	}
	w := newWitness("strict")
	w.strict = true
	w.take(piece(1, 0, "ab"))
	w.take(piece(1, 1, "bc"))
	if len(w.complaints) != 1 {
		t.Errorf("a piece that came twice: %q", w.complaints)
	}
}
