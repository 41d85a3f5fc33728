package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// What is told at most: the newest runs, so much of each text and of everything together, and the
// newest acts of a run that was cut off.
const (
	maxRuns  = 20
	maxText  = 4000
	maxBytes = 100_000
	maxAsked = 20
	maxSteps = 40
	maxTree  = 32
)

const clock = "Monday 2006-01-02 15:04"

// A Past is an earlier run, as flows read it.
type Past struct {
	Run    string   `json:"run"`
	At     string   `json:"at"`               // when it ended, as the user's clock shows it
	Asked  []string `json:"asked"`            // what people asked for, and what the run read of them later
	Asides []Aside  `json:"asides,omitempty"` // what the run asked people, and was answered
	Answer string   `json:"answer,omitempty"`
	End    rein.End `json:"end"`
	Did    []string `json:"did,omitempty"` // of a run that did not come to its end: its calls, and those below it
}

// An Aside is a question to a person with its answer.
type Aside struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

func (p Past) size() int {
	n := len(p.Answer)
	for _, text := range slices.Concat(p.Asked, p.Did) {
		n += len(text)
	}
	for _, a := range p.Asides {
		n += len(a.Question) + len(a.Answer)
	}
	return n
}

// tellAll tells of runs in their order; if that is too much, not of the oldest.
func tellAll(ctx context.Context, r Reader, zone *time.Location, infos []store.RunInfo) ([]Past, error) {
	past, left := []Past{}, maxBytes
	for _, info := range slices.Backward(infos) {
		p, err := tell(ctx, r, zone, info)
		if err != nil {
			return nil, err
		}
		if left -= p.size(); left < 0 {
			break
		}
		past = append(past, p)
	}
	slices.Reverse(past)
	return past, nil
}

// tell reads one run's log and, if it was cut off, the logs below it.
func tell(ctx context.Context, r Reader, zone *time.Location, info store.RunInfo) (Past, error) {
	end := info.End()
	t := &teller{Past: Past{Run: string(info.ID), At: info.Changed.In(zone).Format(clock), Answer: clip(end.Text), End: end.End, Asked: []string{}}}
	if err := t.read(ctx, r, info.ID); err != nil {
		return t.Past, err
	}
	if t.End.Completed() {
		t.Did = nil // its answer says what it did
	} else if err := t.readBelow(ctx, r, info.ID); err != nil {
		return t.Past, err
	}
	t.Asked = t.Asked[max(0, len(t.Asked)-maxAsked):]
	t.Asides = t.Asides[max(0, len(t.Asides)-maxAsked):]
	t.Did = t.Did[max(0, len(t.Did)-maxSteps):]
	return t.Past, nil
}

// A teller makes a Past of events.
type teller struct {
	Past
	below bool // the log is of a descendant: only what it did is told
	asks  map[rein.AskID]string
	calls map[rein.StepKey]*rein.ToolCall
}

func (t *teller) read(ctx context.Context, r Reader, run rein.RunID) error {
	t.asks, t.calls = map[rein.AskID]string{}, map[rein.StepKey]*rein.ToolCall{}
	for ev, err := range r.Events(ctx, run, 0) {
		if err != nil {
			return err
		}
		t.take(ev)
	}
	return nil
}

func (t *teller) readBelow(ctx context.Context, r Reader, root rein.RunID) error {
	t.below = true
	for info, err := range r.Runs(ctx, store.Filter{Tree: root, Limit: maxTree}) {
		if err != nil {
			return err
		}
		if info.ID == root {
			continue
		}
		if err := t.read(ctx, r, info.ID); err != nil {
			return err
		}
	}
	return nil
}

// take adds what an event tells. One that cannot be read tells nothing.
func (t *teller) take(ev rein.Event) {
	switch ev.Kind {
	case rein.RunStarted:
		var start rein.RunStart
		if decode(ev, &start) && !t.below {
			t.Asked = append(t.Asked, userTexts(start.Task.Messages)...)
		}
	case rein.AskOpened:
		var ask rein.Ask
		if decode(ev, &ask) && ask.Kind == rein.AskQuestion && !t.below {
			t.asks[ask.ID] = ask.Text
		}
	case rein.CommandAnswer.EventKind():
		t.takeAnswer(ev)
	case rein.StepStarted:
		var start rein.StepStart
		if decode(ev, &start) && start.Call != nil && !start.Call.Internal {
			t.calls[ev.Step] = start.Call
		}
	case rein.StepDone:
		t.takeDone(ev)
	}
}

func (t *teller) takeAnswer(ev rein.Event) {
	var c rein.Command
	if !decode(ev, &c) || c.Answer.State != rein.AskAnswered {
		return
	}
	if question, ok := t.asks[c.Ask]; ok {
		t.Asides = append(t.Asides, Aside{clip(question), clip(c.Answer.Text)})
	}
}

func (t *teller) takeDone(ev rein.Event) {
	var done rein.StepEnd
	if !decode(ev, &done) {
		return
	}
	for _, item := range done.Items { // a message that was not read may have started the next run
		if !t.below {
			t.Asked = append(t.Asked, clip(item.Text))
		}
	}
	if call := t.calls[ev.Step]; call != nil && done.Result != nil {
		t.Did = append(t.Did, line(*call, *done.Result))
	}
}

func decode(ev rein.Event, into any) bool { return json.Unmarshal(ev.Data, into) == nil }

// userTexts returns what the user says at the end of the messages; what came before is an older
// conversation that was handed in.
func userTexts(messages []rein.Message) []string {
	var texts []string
	for _, m := range slices.Backward(messages) {
		if m.Role != rein.User {
			break
		}
		texts = append(texts, clip(m.Text))
	}
	slices.Reverse(texts)
	return texts
}

func line(call rein.ToolCall, result rein.ToolResult) string {
	first, _, _ := strings.Cut(result.Text, "\n")
	return fmt.Sprintf("%s %s: %s, %s", call.Name, cut(string(call.Args), 200), result.Status, cut(first, 200))
}

func clip(s string) string { return cut(s, maxText) }

func cut(s string, most int) string {
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
