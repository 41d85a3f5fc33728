package server_test

import (
	"context"

	"rein"
	"rein/api"
	"rein/replay"
	"rein/replay/cassette"
)

// An again forks and replays with the parts that the program uses, without its bounds.
type again struct {
	*replay.Forks
	rig *rig
}

func (a again) Fork(ctx context.Context, run rein.RunID, step rein.StepKey, text *string, allow []string) (rein.Task, error) {
	return a.Task(ctx, run, step, text, allow)
}

func (a again) Replay(ctx context.Context, run rein.RunID) (api.Replayed, error) {
	tape, err := replay.RecordUpTo(ctx, a.rig.store, run, a.rig.worker, rein.Policy{}, cassette.MaxBytes)
	if err != nil {
		return api.Replayed{}, err
	}
	d, err := replay.Play(ctx, tape, replay.Options{Flows: a.rig.flows, OtherTools: true})
	return api.Replayed{Same: d == nil}, err
}
