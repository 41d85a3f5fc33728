package journal

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"rein"
	"rein/internal/prose"
)

// A Step is one recorded act of a run, as its events tell it so far.
type Step struct {
	Run    rein.RunID
	Key    rein.StepKey
	Inside rein.StepKey // of a call inside a step (a repair, a summary, a fork of a tool): that step
	Verb   rein.Verb
	Tool   string // the tool that is called, which the model may have spelled differently
	rein.About

	Began    time.Time       // when the first event of the step was written
	Start    *rein.StepStart // nil: it has not been started, or was over as soon as it began
	Attempts int             // how often it was dispatched
	Mend     rein.Mend       // what the newest attempt made of the arguments
	Intent   *rein.Intent    // the newest
	Checked  *rein.Checked   // the newest
	Waiting  *rein.Waiting   // what it waits for; nil: it does not
	Model    string          // who is asked now
	Child    rein.RunID      // the run that it spawns or waits for
	Asks     []rein.AskID    // that it opened

	Bound rein.Amount // what is reserved for it
	Spend rein.Amount // what its events changed in the ledger; reserved while it is under way
	Usage rein.Usage  // what its model calls took, those that failed too

	End   *rein.StepEnd // nil: it is under way
	Ended time.Time
}

// Over reports whether the step has ended. A nil step has not.
func (s *Step) Over() bool { return s != nil && s.End != nil }

// Args returns the arguments that the tool was given, as far as the log tells.
func (s *Step) Args() json.RawMessage {
	switch {
	case s.Intent != nil && s.Intent.Args != nil:
		return s.Intent.Args
	case s.Mend.Args != nil:
		return s.Mend.Args
	}
	if call := s.Wrote(); call != nil {
		return call.Args
	}
	return nil
}

// Wrote returns the call as the model or a flow wrote it, also of one that was over before it began; nil: there is none,
// or the log does not say.
func (s *Step) Wrote() *rein.ToolCall {
	switch {
	case s.Start != nil:
		return s.Start.Call
	case s.End != nil:
		return s.End.Call
	}
	return nil
}

// Call returns the call of a step that uses a tool for the run, or nil. What a flow reads for itself is
// none.
func (s *Step) Call() *rein.ToolCall {
	if s.Start == nil || s.Start.Call == nil || s.Start.Call.Internal {
		return nil
	}
	return s.Start.Call
}

// Streams reports whether people are shown the model's reply while it is written. Of a reply that may not be
// prose that is known when it is whole.
func (s *Step) Streams() bool {
	switch {
	case s.Start == nil || s.Start.Prompt == nil:
		return false
	case s.Start.Prompt.Stream || !s.Start.Prompt.Prose || s.End == nil || s.End.Message == nil:
		return s.Start.Prompt.Stream || s.Start.Prompt.Prose
	}
	_, shown := Prose(*s.End.Message)
	return shown
}

// Thinks reports whether the reply is not the answer, but something that people want to follow: what a model says to
// itself in some phases.
func (s *Step) Thinks() bool {
	return slices.Contains([]string{"reason", "observe", "plan", "reflect"}, s.Phase)
}

// Prose returns what people are shown of the whole reply to a prompt with Prose. ok is false of one that was
// not for them: it has calls, or is not prose.
func Prose(reply rein.Message) (text string, ok bool) {
	if len(reply.Calls) > 0 {
		return "", false
	}
	return prose.Of(reply.Text)
}

// see takes in an event of the step.
func (s *Step) see(e rein.Event) {
	s.Spend = s.Spend.Plus(e.Spend)
	switch e.Kind {
	case rein.StepStarted, rein.SubStarted:
		s.start(read[rein.StepStart](e))
	case rein.StepAttempt:
		p := read[rein.Attempt](e)
		s.Attempts, s.Bound, s.Waiting = max(p.N, 1), p.Bound, nil
		s.mend(p.Mend)
	case rein.StepRenewed:
		s.Bound = read[rein.Renewed](e).Bound
	case rein.StepWaiting:
		s.wait(read[rein.Waiting](e))
	case rein.StepIntent:
		p := read[rein.Intent](e)
		s.Intent, s.Checked, s.Tool = &p, nil, cmp.Or(p.Tool, s.Tool)
	case rein.StepChecked:
		p := read[rein.Checked](e)
		s.Checked = &p
	case rein.AskOpened:
		s.Asks = append(s.Asks, rein.NewAskID(e.Run, e.Step))
	case rein.StepDone, rein.SubDone:
		s.end(read[rein.StepEnd](e), e.At)
	}
}

func (s *Step) start(p rein.StepStart) {
	s.Start, s.Verb, s.About, s.Bound, s.Waiting = &p, p.Verb, p.About, p.Bound, nil
	s.Child = cmp.Or(p.Child, s.Child)
	if p.Bound != (rein.Amount{}) {
		s.Attempts = max(s.Attempts, 1)
	}
	if p.Prompt != nil {
		s.Model = cmp.Or(s.Model, p.Prompt.Model)
	}
	s.mend(p.Mend)
}

func (s *Step) mend(m rein.Mend) {
	s.Mend, s.Tool = m, cmp.Or(m.Tool, s.Tool)
}

func (s *Step) wait(w rein.Waiting) {
	s.Waiting, s.Verb = &w, rein.VerbModel
	s.Model = cmp.Or(w.Model, s.Model)
	s.use(w.Usage)
	if w.Failure != nil {
		s.Bound = rein.Amount{} // the event gave back what the try has left of it
	}
}

func (s *Step) end(p rein.StepEnd, at time.Time) {
	if s.Start == nil && s.Began.Equal(at) { // it was over as soon as it began
		s.Began = at.Add(-p.Duration)
	}
	s.End, s.Ended, s.Bound, s.Waiting = &p, at, rein.Amount{}, nil
	s.Verb, s.Tool, s.Child = cmp.Or(s.Verb, p.Verb), cmp.Or(s.Tool, p.Tool), cmp.Or(s.Child, p.Child, p.Waited())
	s.use(p.Usage)
}

func (s *Step) use(u *rein.Usage) {
	if u != nil {
		s.Usage = Sum(s.Usage, *u)
	}
}

// Sum adds what two model calls took.
func Sum(a, b rein.Usage) rein.Usage {
	return rein.Usage{
		Input: a.Input + b.Input, Output: a.Output + b.Output, Micros: a.Micros + b.Micros,
		Cached: a.Cached + b.Cached, CacheWrite: a.CacheWrite + b.CacheWrite, Reasoning: a.Reasoning + b.Reasoning,
	}
}
