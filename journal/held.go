package journal

import "rein"

// Held works out what an unfinished run has reserved and not spent: a ledger's sum holds both, and people
// want to know what they have paid for. It reads less of a log than Steps.
type Held struct {
	reserve rein.Amount
	open    map[rein.StepKey]rein.Amount // steps, and model calls inside them
}

// See takes the next event of the run.
func (h *Held) See(e rein.Event) {
	switch e.Kind {
	case rein.RunStarted:
		h.reserve = read[rein.RunStart](e).Reserve
	case rein.StepStarted, rein.SubStarted:
		bound := read[rein.StepStart](e).Bound
		if (e.Spend == rein.Amount{}) && bound != (rein.Amount{}) {
			h.reserve = rein.Amount{} // it is paid out of the run's reserve
		}
		h.hold(e.Step, bound)
	case rein.StepAttempt:
		h.hold(e.Step, read[rein.Attempt](e).Bound)
	case rein.StepRenewed:
		h.hold(e.Step, read[rein.Renewed](e).Bound)
	case rein.StepWaiting:
		if read[rein.Waiting](e).Failure != nil { // before another try: what was left of the reservation is given back
			delete(h.open, e.Step)
		}
	case rein.StepDone, rein.SubDone:
		delete(h.open, e.Step)
	case rein.RunCompleted, rein.RunStopped, rein.RunFailed:
		*h = Held{}
	}
}

func (h *Held) hold(step rein.StepKey, bound rein.Amount) {
	if h.open == nil {
		h.open = map[rein.StepKey]rein.Amount{}
	}
	h.open[step] = bound
}

// Sum returns what is reserved. It leaves out rounds, calls and runs, which are used as soon as they are
// reserved.
func (h *Held) Sum() rein.Amount {
	all := h.reserve
	for _, bound := range h.open {
		all = all.Plus(bound)
	}
	return rein.Amount{Tokens: all.Tokens, Micros: all.Micros, DrivenMS: all.DrivenMS}
}
