package crash

import (
	"context"
	"fmt"

	"rein"
	"rein/store"
	"rein/store/sqlite"
)

// noteDoubt looks whether a killed process has left the patient run's call cut off before the other run
// sent its own.
func (r *result) noteDoubt(ctx context.Context, dir string) {
	s, err := sqlite.OpenReader(ctx, dbPath(dir))
	if err != nil {
		r.broken = append(r.broken, err.Error())
		return
	}
	defer s.Close()
	patient, first := r.sent(ctx, s, r.trial.scenario.patient), r.sent(ctx, s, r.trial.scenario.first)
	if patient[rein.StepIntent] > 0 && patient[rein.StepDone] == 0 && first[rein.StepIntent] == 0 && first[rein.AskOpened] == 0 {
		r.doubted = true
	}
}

// findUnasked wants the other run to have asked before it sent anything.
func (r *result) findUnasked(ctx context.Context, s store.Store) {
	if first := r.sent(ctx, s, r.trial.scenario.first); first[rein.AskOpened] == 0 {
		r.doubled = append(r.doubled, fmt.Sprintf("run %s made a call whose equal may have happened, and asked nobody", r.trial.scenario.first))
	}
}

// sent counts what the log of a run says of its only tool call.
func (r *result) sent(ctx context.Context, s store.Store, run rein.RunID) map[rein.Kind]int {
	count := map[rein.Kind]int{}
	for e, err := range s.Events(ctx, run, 0) {
		if rein.CodeOf(err) == rein.CodeNotFound {
			break // it was not started before the kill
		}
		if err != nil {
			r.broken = append(r.broken, err.Error())
			break
		}
		if stepOf(e.Step) == "2" {
			count[e.Kind]++
		}
	}
	return count
}
