package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/replay"
	"rein/replay/cassette"
)

// again does recorded runs again, for the API.
type again struct{ *owner }

// What a replay for the API may take; rein replay plays longer runs in a process of its own.
const (
	maxPlaying    = 2
	maxPlayed     = 16 << 20 // bytes of the logs
	maxPlayTime   = time.Minute
	playNotWithin = "it takes more than a minute here: play it with rein replay"
)

// Fork implements server.Again.
func (a again) Fork(ctx context.Context, run rein.RunID, step rein.StepKey, text *string, allow []string) (rein.Task, error) {
	return a.forks.Task(ctx, run, step, text, allow)
}

// Replay implements server.Again.
func (a again) Replay(ctx context.Context, run rein.RunID) (api.Replayed, error) {
	limited, cancel := context.WithTimeout(ctx, maxPlayTime)
	defer cancel()
	select {
	case a.playing <- struct{}{}:
		defer func() { <-a.playing }()
	case <-limited.Done():
		return api.Replayed{}, rein.Errorf(rein.CodeRateLimited, "%d runs are being replayed already: try again when one of them has ended", maxPlaying)
	}
	report, err := a.replay(limited, run)
	switch {
	case ctx.Err() != nil:
		return report, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return api.Replayed{Steps: report.Steps, Why: playNotWithin}, nil
	case rein.CodeOf(err) == rein.CodeLimit, rein.CodeOf(err) == rein.CodeNotFound, rein.CodeOf(err) == rein.CodeInvalid:
		return api.Replayed{Steps: report.Steps, Why: err.Error()}, nil // it is too long, or was erased
	}
	return report, err
}

func (a again) replay(ctx context.Context, run rein.RunID) (report api.Replayed, err error) {
	settings, _ := a.live.now()
	tape, err := replay.RecordUpTo(ctx, a.store, run, a.worker, settings.Tools.Policy, maxPlayed)
	if err != nil {
		return report, err
	}
	report.Steps = stepsOf(tape)
	d, err := replay.Play(ctx, tape, replay.Options{Flows: a.setup.Flows(), OtherTools: true, Mask: a.masked})
	if err != nil {
		return report, err
	}
	if report.Same = d == nil; d != nil {
		what := strings.TrimPrefix(string(d.Kind)+" "+d.Field, " ")
		report.Differences = []api.Difference{{Run: d.Run, Step: d.Step, What: strings.TrimSuffix(what, " "), Was: d.Was, Is: d.Is}}
	}
	return report, nil
}

func stepsOf(t *cassette.Tape) (n int) {
	for _, e := range t.Events {
		if e.Kind == rein.StepStarted {
			n++
		}
	}
	return n
}
