package journal

import (
	"time"

	"rein"
)

// A Transcript tells what was said and done in a run, or in a tree of runs, in the order of the log. It
// is what happened, not what a model was sent: prompts are in the steps.
type Transcript struct {
	steps Steps
	asks  Asks
}

// Said is one entry of a transcript: a message of the task, a model's reply, the result of a call, a
// question, its answer, what a person said to the run, or how the run ended.
type Said struct {
	Run rein.RunID
	Seq int64 // of the event
	At  time.Time
	By  string // the person, if one said it
	rein.Message
	Step *Step     // of a reply and a result
	Ask  *rein.Ask // of a question, and of its answer
	Item *rein.Item
	End  *rein.RunEnd
}

// See takes the next event and returns what it adds.
func (t *Transcript) See(e rein.Event) []Said {
	all := entries(e, t.steps.See(e), t.asks.See(e))
	if e.Kind.Ends() {
		t.steps.Drop(e.Run)
	}
	return all
}

// entries returns what an event adds to a transcript, given its step and the asks that it opens or closes.
func entries(e rein.Event, step *Step, asks []rein.Ask) []Said {
	switch {
	case e.Kind == rein.RunStarted:
		return taskSaid(e)
	case e.Kind == rein.StepDone && step.Over():
		return stepSaid(e, step)
	case e.Kind.Ends():
		end := EndOf(e)
		return []Said{from(e, Said{Message: rein.Message{Role: rein.Assistant, Text: end.Text}, End: &end})}
	}
	return asksSaid(e, asks)
}

// from fills in where an entry comes from.
func from(e rein.Event, s Said) Said {
	s.Run, s.Seq, s.At = e.Run, e.Seq, e.At
	return s
}

func taskSaid(e rein.Event) (all []Said) {
	for _, m := range read[rein.RunStart](e).Task.Messages {
		all = append(all, from(e, Said{Message: m, By: e.By}))
	}
	return all
}

func stepSaid(e rein.Event, step *Step) (all []Said) {
	for i, item := range step.End.Items {
		said := rein.Message{Role: rein.User, Text: item.Text}
		if item.From != "" {
			said.Role = rein.Developer // another run said it, not a person
		}
		all = append(all, from(e, Said{Message: said, By: item.By, Item: &step.End.Items[i]}))
	}
	switch {
	case step.End.Message != nil:
		all = append(all, from(e, Said{Message: *step.End.Message, Step: step}))
	case step.End.Result != nil && step.Call() != nil:
		all = append(all, from(e, Said{Message: step.Call().Answer(*step.End.Result), Step: step}))
	}
	return all
}

// asksSaid adds questions when they open and answers when they come. That an ask was withdrawn or
// expired is not said by anybody.
func asksSaid(e rein.Event, asks []rein.Ask) (all []Said) {
	for _, ask := range asks {
		switch {
		case e.Kind == rein.AskOpened:
			all = append(all, from(e, Said{Message: rein.Message{Role: rein.Assistant, Text: ask.Text}, Ask: &ask}))
		case e.Kind.Command() == rein.CommandAnswer:
			all = append(all, from(e, Said{Message: rein.Message{Role: rein.User, Text: ask.Answer.Text}, By: ask.Answer.By, Ask: &ask}))
		}
	}
	return all
}
