package journal

import (
	"iter"
	"slices"
	"time"

	"rein"
)

// A Run is all that the log of one run tells.
type Run struct {
	ID         rein.RunID
	Seq        int64 // of the last event
	Start      rein.RunStart
	Began      time.Time
	Steps      []*Step    // in the order in which they began, model calls inside others too
	Asks       []rein.Ask // in the order in which they opened
	Children   []Child    // in the order in which they were spawned
	Transcript []Said
	Spend      rein.Amount // the sum of what its events changed in the ledger
	End        *rein.RunEnd
	Ended      time.Time // zero: it has not

	known  map[rein.StepKey]bool
	status Agent
	steps  Steps
	asks   Asks
}

// A Child is a run that another one spawned.
type Child struct {
	Run  rein.RunID
	Step rein.StepKey // that spawned it
	End  rein.End     // empty: its parent does not know of its end
}

// Read reads the log of a run. With an error it returns what it has read so far.
func Read(log iter.Seq2[rein.Event, error]) (*Run, error) {
	r := &Run{}
	for e, err := range log {
		if err != nil {
			return r, err
		}
		r.See(e)
	}
	return r, nil
}

// See takes the next event.
func (r *Run) See(e rein.Event) {
	r.ID, r.Seq, r.Spend = e.Run, e.Seq, r.Spend.Plus(e.Spend)
	step, asks := r.steps.See(e), r.asks.See(e)
	r.seeStep(step)
	r.seeAsks(asks)
	r.status.see(e, step, len(r.asks.open) > 0)
	r.Transcript = append(r.Transcript, entries(e, step, asks)...)
	switch {
	case e.Kind == rein.RunStarted:
		r.Start, r.Began = read[rein.RunStart](e), e.At
	case e.Kind.Ends():
		end := EndOf(e)
		r.End, r.Ended = &end, e.At
	case e.Kind.Command() == rein.CommandChild:
		r.childEnded(read[rein.Command](e))
	case (e.Kind == rein.StepDone || e.Kind == rein.SubDone) && step.Over() && step.Verb == rein.VerbSpawn && step.Child != "":
		r.Children = append(r.Children, Child{Run: step.Child, Step: step.Key})
	}
}

// seeStep adds a step that is new. Whoever took a log over may have ended a step twice: the first counts.
func (r *Run) seeStep(step *Step) {
	if step == nil || r.known[step.Key] {
		return
	}
	if r.known == nil {
		r.known = map[rein.StepKey]bool{}
	}
	r.known[step.Key] = true
	r.Steps = append(r.Steps, step)
}

func (r *Run) seeAsks(changed []rein.Ask) {
	for _, ask := range changed {
		if i := slices.IndexFunc(r.Asks, func(known rein.Ask) bool { return known.ID == ask.ID }); i >= 0 {
			r.Asks[i] = ask
		} else {
			r.Asks = append(r.Asks, ask)
		}
	}
}

func (r *Run) childEnded(c rein.Command) {
	if i := slices.IndexFunc(r.Children, func(child Child) bool { return child.Run == c.Child }); i >= 0 {
		r.Children[i].End = c.End
	}
}

// Usage returns what the run's model calls took, those that failed too.
func (r *Run) Usage() (sum rein.Usage) {
	for _, step := range r.Steps {
		sum = Sum(sum, step.Usage)
	}
	return sum
}

// Status returns where the run stands; empty: it has not started.
func (r *Run) Status() rein.AgentStatus { return r.status.Status() }
