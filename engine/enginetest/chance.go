package enginetest

import (
	"context"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// What follows is for tests that play at random: they do something to a run every few events.

// More waits until n more events have come, or until the world is quiet. It returns false once the
// run has ended.
func (w *World) More(n int, run rein.RunID) bool {
	w.Helper()
	const quiet = 20 * time.Millisecond
	w.mu.Lock()
	from := len(w.events)
	w.mu.Unlock()
	for deadline := time.Now().Add(patience); ; {
		w.mu.Lock()
		events, came := w.events, w.came
		w.mu.Unlock()
		if over(events, run) {
			return false
		}
		if len(events)-from >= n {
			return true
		}
		if time.Now().After(deadline) || len(events) > 20_000 {
			w.Dump()
			w.Fatalf("run %s does not end", run)
		}
		select {
		case <-came:
		case <-time.After(quiet):
			return true
		}
	}
}

func over(events []rein.Event, run rein.RunID) bool {
	for _, e := range events {
		if e.Run == run && e.Kind.Ends() {
			return true
		}
	}
	return false
}

// Runs returns the IDs of all runs so far.
func (w *World) Runs() []rein.RunID {
	w.Helper()
	var ids []rein.RunID
	for info, err := range w.Store.Runs(context.Background(), store.Filter{}) {
		if err != nil {
			w.Fatal(err)
		}
		ids = append(ids, info.ID)
	}
	return ids
}

// AnswerAll answers whatever is open, picking from the possible answers with pick(n), and returns
// how often the answer was to run something again.
func (w *World) AnswerAll(pick func(n int) int) (again int) {
	w.Helper()
	open, err := w.Store.Asks(context.Background(), store.AskFilter{Pending: true})
	if err != nil {
		w.Fatal(err)
	}
	for _, ask := range open {
		answers := possible(ask)
		answer := answers[pick(len(answers))]
		answer.By = "ann"
		_, err := w.Engine.Command(context.Background(), ask.Reply(answer))
		switch rein.CodeOf(err) {
		case "":
			if answer.Text == rein.RunAgain {
				again++
			}
		case rein.CodeClosed, rein.CodeFinished:
		default:
			w.Error(err)
		}
	}
	return again
}

func possible(ask rein.Ask) []rein.Answer {
	switch ask.Kind {
	case rein.AskApproval:
		return []rein.Answer{{State: rein.AskApproved}, {State: rein.AskEdited, Args: []byte(`{"n":9}`)}, {State: rein.AskRejected, Text: "no"}}
	case rein.AskUnknown:
		return []rein.Answer{
			{State: rein.AskAnswered, Text: rein.ItHappened}, {State: rein.AskAnswered, Text: rein.RunAgain}, {State: rein.AskAnswered, Text: rein.SkipIt},
		}
	}
	return []rein.Answer{{State: rein.AskAnswered, Text: "blue"}, {State: rein.AskDeclined}}
}

// Doubled counts the effects of the tools that happened more than once under one key.
func (t *Tools) Doubled(names ...string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, name := range names {
		for key, times := range t.effects {
			if strings.HasPrefix(key, name+" ") {
				n += times - 1
			}
		}
	}
	return n
}
