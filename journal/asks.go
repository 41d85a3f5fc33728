package journal

import (
	"cmp"
	"slices"
	"time"

	"rein"
)

// Asks follows the asks of a run, or of a tree of runs. It knows those that are open.
type Asks struct {
	// Trim, if not nil, takes out of an ask that stays open what its reader does not need.
	Trim func(*rein.Ask)

	open   []rein.Ask // the oldest first
	ending map[rein.RunID]bool
}

// See takes the next event and returns the asks that it opens or closes, as they are then.
func (a *Asks) See(e rein.Event) []rein.Ask {
	switch kind := e.Kind.Command(); {
	case e.Kind == rein.AskOpened:
		return a.opened(e)
	case kind == rein.CommandAnswer:
		c := read[rein.Command](e)
		c.Answer.State = cmp.Or(c.Answer.State, rein.AskAnswered)
		return a.close(c.Answer, e.At, func(ask rein.Ask) bool { return ask.ID == c.Ask })
	case kind == rein.CommandExpire:
		c := read[rein.Command](e)
		return a.close(rein.Answer{State: rein.AskExpired, By: c.By}, e.At, func(ask rein.Ask) bool { return ask.ID == c.Ask })
	case kind == rein.CommandModify, kind.Force() > 0, e.Kind.Ends():
		by := e.By
		switch {
		case e.Kind.Ends():
			by = "" // nobody's doing
		case kind.Force() > 0:
			a.end(e.Run)
		}
		return a.close(rein.Answer{State: rein.AskWithdrawn, By: by}, e.At, func(ask rein.Ask) bool { return ask.Run == e.Run })
	}
	return nil
}

// opened takes in an ask. In a run that is ending nobody is asked: it opens withdrawn. One that cannot be
// read waits for nobody.
func (a *Asks) opened(e rein.Event) []rein.Ask {
	ask, err := rein.Payload[rein.Ask](e)
	if err != nil {
		return nil
	}
	ask.ID, ask.Run, ask.Step = cmp.Or(ask.ID, rein.NewAskID(e.Run, e.Step)), e.Run, cmp.Or(ask.Step, e.Step.Step())
	if ask.State = cmp.Or(ask.State, rein.AskPending); ask.Opened.IsZero() {
		ask.Opened = e.At
	}
	switch {
	case ask.State != rein.AskPending:
	case a.ending[e.Run]:
		ask = closed(ask, rein.Answer{State: rein.AskWithdrawn}, ask.Opened)
	default:
		if a.Trim != nil {
			a.Trim(&ask)
		}
		a.open = append(a.open, ask)
	}
	return []rein.Ask{ask}
}

func (a *Asks) end(run rein.RunID) {
	if a.ending == nil {
		a.ending = map[rein.RunID]bool{}
	}
	a.ending[run] = true
}

// close closes the open asks that the function selects.
func (a *Asks) close(answer rein.Answer, at time.Time, selects func(rein.Ask) bool) (changed []rein.Ask) {
	a.open = slices.DeleteFunc(a.open, func(ask rein.Ask) bool {
		if !selects(ask) {
			return false
		}
		changed = append(changed, closed(ask, answer, at))
		return true
	})
	return changed
}

func closed(ask rein.Ask, answer rein.Answer, at time.Time) rein.Ask {
	ask.State, ask.Answer, ask.Closed = answer.State, answer, at
	return ask
}

// Open returns the asks that wait for a person, the oldest first.
func (a *Asks) Open() []rein.Ask { return slices.Clone(a.open) }
