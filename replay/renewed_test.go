package replay_test

import (
	"encoding/json"
	"slices"
	"testing"

	"rein"
	"rein/replay/cassette"
)

// A call that got more time, because its model talked for long, is played as any other, and what the run
// cost is still compared.
//
// Covers: LAW-2
func TestRenewedCallsAreReplayed(t *testing.T) {
	for _, c := range []struct {
		what     string
		tamper   rein.Amount
		differs  bool
		renewals int
	}{
		{what: "as it was"},
		{what: "renewed", renewals: 3},
		{what: "renewed, and tampered with", renewals: 3, tamper: rein.Amount{Tokens: 1}, differs: true},
	} {
		tape := tapes(t, "../flow/answer/testdata/a1_cited.txtar", 1)[0]
		renew(t, tape, c.renewals)
		last := &tape.Events[len(tape.Events)-1]
		last.Spend = last.Spend.Plus(c.tamper)
		if d := play(t, tape); (d != nil) != c.differs {
			t.Errorf("%s: the difference is %v", c.what, d)
		}
	}
}

// renew lets the first call of a model get more time, so many times.
func renew(t *testing.T, tape *cassette.Tape, times int) {
	t.Helper()
	at := slices.IndexFunc(tape.Events, func(e rein.Event) bool {
		start, err := rein.Payload[rein.StepStart](e)
		return err == nil && e.Kind == rein.StepStarted && start.Prompt != nil
	})
	if at < 0 {
		t.Fatal("the tape has no call of a model")
	}
	more := rein.Amount{DrivenMS: 120_000}
	data, err := json.Marshal(rein.Renewed{Bound: more})
	if err != nil {
		t.Fatal(err)
	}
	for range times {
		e := tape.Events[at]
		e.Kind, e.Data, e.Spend = rein.StepRenewed, data, more
		tape.Events = slices.Insert(tape.Events, at+1, e)
	}
	for i := range tape.Events {
		tape.Events[i].Seq = int64(i + 1)
	}
}
