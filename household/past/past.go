// Package past renders what later runs of a session know about earlier ones: what was said and done
// in each ended run, always rendered the same way, and the summaries that replace the oldest runs.
package past

import (
	"context"
	"slices"
	"time"

	"rein"
	"rein/journal"
	"rein/store"
)

// A Run is what is known of an ended run, in full.
type Run struct {
	ID     rein.RunID
	Ended  time.Time
	End    rein.End
	Asked  []string // what people asked for, and what the run read of them later
	Asides []Aside  // what the run asked people, and was answered
	Calls  []Call   // that it made; of a run that did not come to its end, also those below it
	Answer string
}

// An Aside is a question to a person with its answer.
type Aside struct{ Question, Answer string }

// A Call is a tool call with its result.
type Call struct {
	Run    rein.RunID // that made it
	Step   rein.StepKey
	Name   string
	Args   string
	Status rein.ToolStatus
	Text   string // as the model was given it
	Whole  string // if Text was clipped
}

// maxTree is how many runs below one that was cut off are looked at.
const maxTree = 32

// Read reads one ended run from its log.
func Read(ctx context.Context, r store.Logs, info rein.RunInfo) (Run, error) {
	end := info.End()
	t := &teller{Run: Run{ID: info.ID, Ended: info.Changed, End: end.End, Answer: end.Text}}
	if err := t.read(ctx, r, info.ID); err != nil {
		return t.Run, err
	}
	if !t.End.Completed() {
		if t.partial != "" { // what was on the screen is newer than what the flow said last
			t.Answer = t.partial
		}
		return t.Run, t.readBelow(ctx, r, info.ID)
	}
	return t.Run, nil
}

// A teller makes a Run of events.
type teller struct {
	Run
	from    rein.RunID // whose log it is; if not the run's own, only calls are told
	steps   journal.Steps
	asks    journal.Asks
	partial string // what was shown of the newest answer, if it was cut off
}

func (t *teller) read(ctx context.Context, r store.Logs, run rein.RunID) error {
	t.from = run
	for ev, err := range r.Events(ctx, run, 0) {
		if err != nil {
			return err
		}
		t.take(ev)
	}
	t.steps.Drop(run)
	return nil
}

func (t *teller) readBelow(ctx context.Context, r store.Logs, root rein.RunID) error {
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

func (t *teller) below() bool { return t.from != t.ID }

// take adds what an event tells. One that cannot be read tells nothing.
func (t *teller) take(ev rein.Event) {
	if step := t.steps.See(ev); step.Over() && step.Inside == "" {
		t.takeDone(step)
	}
	if t.below() {
		return
	}
	if ev.Kind == rein.RunStarted {
		start, _ := rein.Payload[rein.RunStart](ev) // then nothing is known of it
		t.Asked = append(t.Asked, userTexts(start.Task.Messages)...)
	}
	for _, ask := range t.asks.See(ev) {
		if ask.Kind == rein.AskQuestion && ask.State == rein.AskAnswered {
			t.Asides = append(t.Asides, Aside{ask.Text, ask.Answer.Text})
		}
	}
}

func (t *teller) takeDone(step *journal.Step) {
	done := step.End
	if !t.below() {
		for _, item := range done.Items { // a message that was not read may have started the next run
			if item.From == "" { // a person's
				t.Asked = append(t.Asked, item.Text)
			}
		}
		if step.Streams() {
			t.partial = done.Partial
		}
	}
	if call := step.Call(); call != nil && done.Result != nil {
		t.Calls = append(t.Calls, Call{
			Run: t.from, Step: step.Key, Name: call.Name, Args: string(call.Args),
			Status: done.Result.Status, Text: call.Answer(*done.Result).Described().Text, Whole: done.Whole,
		})
	}
}

// userTexts returns what the user says at the end of the messages; what came before is an older
// conversation that was handed in.
func userTexts(messages []rein.Message) []string {
	var texts []string
	for _, m := range slices.Backward(messages) {
		if m.Role != rein.User {
			break
		}
		texts = append(texts, m.Described().Text)
	}
	slices.Reverse(texts)
	return texts
}
