package usage

import (
	"context"
	"encoding/json"

	"rein"
)

// held works out what an unfinished run has reserved and not spent: the ledger's sum holds both,
// and people want to know what they have paid for.
type held struct {
	reserve rein.Amount
	open    map[rein.StepKey]rein.Amount
}

// Held reads from the log of a run what it has reserved and not spent.
func Held(ctx context.Context, s Source, run rein.RunID) (rein.Amount, error) {
	h := held{open: map[rein.StepKey]rein.Amount{}}
	for e, err := range s.Events(ctx, run, 0) {
		if err != nil {
			return rein.Amount{}, err
		}
		h.apply(e)
	}
	return h.sum(), nil
}

func (h *held) apply(e rein.Event) {
	switch e.Kind {
	case rein.RunStarted:
		h.reserve = payload[rein.RunStart](e).Reserve
	case rein.StepStarted:
		h.open[e.Step] = payload[rein.StepStart](e).Bound
		if (e.Spend == rein.Amount{}) && h.open[e.Step] != (rein.Amount{}) {
			h.reserve = rein.Amount{} // it is paid out of the run's reserve
		}
	case rein.StepAttempt:
		h.open[e.Step] = payload[rein.Attempt](e).Bound
	case rein.StepRenewed:
		h.open[e.Step] = payload[rein.Renewed](e).Bound
	case rein.StepDone:
		delete(h.open, e.Step)
	case rein.RunCompleted, rein.RunStopped, rein.RunFailed:
		*h = held{open: map[rein.StepKey]rein.Amount{}}
	}
}

// sum leaves out rounds, calls and runs, which are used as soon as they are reserved.
func (h *held) sum() rein.Amount {
	all := h.reserve
	for _, bound := range h.open {
		all = all.Plus(bound)
	}
	return rein.Amount{Tokens: all.Tokens, Micros: all.Micros, DrivenMS: all.DrivenMS}
}

func payload[T any](e rein.Event) (v T) {
	_ = json.Unmarshal(e.Data, &v) // what was erased or cannot be read holds nothing
	return v
}
