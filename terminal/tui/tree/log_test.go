package tree_test

import (
	"encoding/json"
	"testing"
	"time"

	"rein"
	"rein/journal/timeline"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// folded is the tree that events make, and the time of the last of them.
func folded(events []rein.Event) (*timeline.Timeline, time.Time) {
	root := timeline.New(events[0].Run.Root())
	for _, e := range events {
		root.Event(e)
	}
	return root, events[len(events)-1].At
}

// A log writes events by hand, one each second, for what no recorded log has.
type log struct {
	testing.TB
	*timeline.Timeline
	seq map[rein.RunID]int64
	at  time.Time
}

func begin(t testing.TB, question string) *log {
	l := &log{TB: t, Timeline: timeline.New("r"), seq: map[rein.RunID]int64{}, at: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	l.starts("r", question)
	return l
}

func (l *log) event(run rein.RunID, kind rein.Kind, step rein.StepKey, payload any) {
	l.Helper()
	data, err := json.Marshal(payload)
	check(l, err)
	l.seq[run]++
	l.at = l.at.Add(time.Second)
	if !l.Event(rein.Event{Run: run, Seq: l.seq[run], At: l.at, Kind: kind, Step: step, By: "ann", Data: data}) {
		l.Fatalf("event %d of run %s is not taken", l.seq[run], run)
	}
}

func (l *log) starts(run rein.RunID, question string) {
	l.event(run, rein.RunStarted, "", rein.RunStart{Task: rein.Task{
		Flow: "explore", Settings: json.RawMessage(`{"rounds":8}`), Messages: []rein.Message{{Role: rein.User, Text: question}},
	}})
}

// thinks begins a model call, and answers ends it.
func (l *log) thinks(run rein.RunID, step rein.StepKey, human string) {
	l.event(run, rein.StepStarted, step, rein.StepStart{Verb: rein.VerbModel, About: rein.About{Round: 2, Human: human}, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}})
}

func (l *log) answers(run rein.RunID, step rein.StepKey, text string) {
	l.event(run, rein.StepDone, step, rein.StepEnd{Message: &rein.Message{Role: rein.Assistant, Text: text}, Usage: &rein.Usage{Input: 3120, Output: 40, Micros: 8_300}})
}

func (l *log) asks(run rein.RunID, step rein.StepKey, text string) {
	l.event(run, rein.AskOpened, step, rein.Ask{Kind: rein.AskQuestion, Text: text})
}

func (l *log) sent(run rein.RunID, c rein.Command) { l.event(run, c.Kind.EventKind(), "", c) }

func (l *log) ends(run rein.RunID, end rein.End, text string) {
	var failure *rein.Failure
	if end == rein.EndFailed {
		failure, text = &rein.Failure{Code: rein.CodeUnavailable, Msg: text}, ""
	}
	l.event(run, end.EndKind(), "", rein.RunEnd{Outcome: rein.Outcome{End: end, Text: text}, Failure: failure})
}
