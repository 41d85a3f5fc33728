package usage

import (
	"encoding/json"
	"testing"

	"rein"
)

// What is only reserved is not what was paid.
//
// Covers: ENG-56
func TestHeld(t *testing.T) {
	tokens := func(n int64) rein.Amount { return rein.Amount{Tokens: n} }
	h := held{open: map[rein.StepKey]rein.Amount{}}
	for _, c := range []struct {
		kind    rein.Kind
		step    rein.StepKey
		payload any
		spend   rein.Amount
		want    int64
	}{
		{rein.RunStarted, "", rein.RunStart{Reserve: tokens(100)}, tokens(100), 100},
		{rein.StepStarted, "1", rein.StepStart{Bound: tokens(30)}, tokens(30), 130},
		{rein.StepDone, "1", rein.StepEnd{}, tokens(-20), 100},
		{rein.StepStarted, "2", rein.StepStart{Bound: tokens(50)}, tokens(50), 150},
		{rein.StepAttempt, "2", rein.Attempt{Bound: tokens(40)}, tokens(40), 140}, // the first 50 are lost
		{rein.StepDone, "2", rein.StepEnd{}, tokens(-40), 100},
		{rein.StepStarted, "3", rein.StepStart{Bound: tokens(100)}, tokens(0), 100}, // out of the reserve
		{rein.StepDone, "3", rein.StepEnd{}, tokens(-90), 0},
	} {
		data, err := json.Marshal(c.payload)
		if err != nil {
			t.Fatal(err)
		}
		h.apply(rein.Event{Kind: c.kind, Step: c.step, Data: data, Spend: c.spend})
		if got := h.sum().Tokens; got != c.want {
			t.Errorf("after %s %s: %d, want %d", c.kind, c.step, got, c.want)
		}
	}
}
