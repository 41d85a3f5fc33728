package journal

import (
	"slices"
	"time"

	"rein"
)

// A Course is a step with everything that happened to it on the way.
type Course struct {
	*Step
	First, Last int64 // the sequence numbers of its first event and of its newest
	Tries       []Try
	Waits       []Wait
	Questions   []rein.Ask // that it opened; without their texts in a page
	Erased      bool       // the payload of one of its events was erased
	Cut         bool       // the run ended before it did

	folds *rein.Folded // the summary in its newest try, if a wait changed it
}

// A Try is one dispatch of a step.
type Try struct {
	N   int
	At  time.Time
	Why string // why it was tried again
}

// A Wait is a time in which a model call waited for its turn, or before another try.
type Wait struct {
	From, Until time.Time
	Why         string
	Model       string        // the next model, if it is another one
	Failure     *rein.Failure // of the try before
}

// maxNoted is how many tries, and how many waits, of a step are kept: the newest.
const maxNoted = 100

func (c *Course) see(e rein.Event) {
	if c.First == 0 {
		c.First = e.Seq
	}
	c.Last, c.Erased = e.Seq, c.Erased || e.Erased
	switch e.Kind {
	case rein.StepStarted, rein.SubStarted:
		if c.Attempts > 0 && len(c.Tries) == 0 {
			c.Tries = append(c.Tries, Try{N: 1, At: e.At})
		}
	case rein.StepAttempt:
		c.Tries = noted(c.Tries, Try{N: c.Attempts, At: e.At, Why: read[rein.Attempt](e).Why})
	case rein.StepWaiting:
		w := read[rein.Waiting](e)
		c.Waits = noted(c.Waits, Wait{From: e.At, Until: w.Until, Why: w.Why, Model: w.Model, Failure: w.Failure})
		if w.Folds != nil {
			c.folds = w.Folds
		}
	}
}

func noted[T any](all []T, one T) []T {
	if len(all) == maxNoted {
		all = slices.Delete(all, 0, 1)
	}
	return append(all, one)
}

// asked takes in an ask of the step that opened or closed.
func (c *Course) asked(ask rein.Ask) {
	same := func(known rein.Ask) bool { return known.ID == ask.ID }
	if i := slices.IndexFunc(c.Questions, same); i >= 0 {
		c.Questions[i] = ask
	} else {
		c.Questions = append(c.Questions, ask)
	}
}

// trim drops what was said in the step, so that a page of steps is small however long their texts are.
func (c *Course) trim() {
	if s := c.Start; s != nil {
		c.Start = &rein.StepStart{Verb: s.Verb, About: s.About, Child: s.Child, Bound: s.Bound}
		if s.Call != nil {
			c.Start.Call = &rein.ToolCall{ID: s.Call.ID, Name: s.Call.Name, Internal: s.Call.Internal}
		}
	}
	c.Mend.Args = nil
	if c.Intent != nil {
		c.Intent.Args = nil
	}
	if s := c.End; s != nil {
		end := rein.StepEnd{Verb: s.Verb, Tool: s.Tool, Child: s.Child, Failure: s.Failure, Model: s.Model, Overrun: s.Overrun, Redacted: s.Redacted, Duration: s.Duration}
		if s.Result != nil {
			end.Result = &rein.ToolResult{Status: s.Result.Status, Mended: s.Result.Mended}
		}
		if s.Answer != nil {
			end.Answer = &rein.Answer{State: s.Answer.State, By: s.Answer.By}
		}
		c.End = &end
	}
	for i, ask := range c.Questions {
		c.Questions[i] = rein.Ask{ID: ask.ID, Run: ask.Run, Step: ask.Step, Kind: ask.Kind, State: ask.State, Opened: ask.Opened, Closed: ask.Closed}
	}
}
