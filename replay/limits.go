package replay

import (
	"context"
	"strings"

	"rein"
	"rein/engine"
	"rein/internal/logtext"
	"rein/replay/cassette"
	"rein/store"
)

// A limited store refuses what limits of a user or household refused when the tape was recorded: what
// others used that day is not on the tape.
type limited struct {
	engine.Store
	refused map[place]refusal
	subs    map[place]bool // model calls inside steps that were made
}

type place struct {
	run  rein.RunID
	step rein.StepKey
}

type refusal struct {
	failure rein.Failure
	after   int // reservations of the step that were granted
}

// withLimits returns the store as one that refuses what the tape says; the store itself if that is
// nothing.
func withLimits(s engine.Store, t *cassette.Tape) engine.Store {
	l := &limited{Store: s, refused: map[place]refusal{}, subs: map[place]bool{}}
	granted := map[place]int{}
	for _, e := range t.Events {
		at := place{e.Run, e.Step}
		switch e.Kind {
		case rein.StepStarted:
			if start, err := rein.Payload[rein.StepStart](e); err == nil && start.Bound != (rein.Amount{}) {
				granted[at]++
			}
		case rein.StepAttempt:
			if again, err := rein.Payload[rein.Attempt](e); err == nil && again.Bound != (rein.Amount{}) {
				granted[at]++
			}
		case rein.SubStarted:
			l.subs[at] = true
		case rein.StepDone, rein.SubDone:
			if end, err := rein.Payload[rein.StepEnd](e); err == nil && end.Failure != nil && rein.IsQuota(end.Failure.Dim) {
				l.refused[at] = refusal{*end.Failure, granted[at]}
			}
		}
	}
	if len(l.refused) == 0 {
		return s
	}
	return l
}

// Append implements store.Writer.
func (l *limited) Append(ctx context.Context, b store.Batch) ([]rein.Event, error) {
	if err := l.refuses(b.Run, b.Drafts); err != nil {
		return nil, err
	}
	return l.Store.Append(ctx, b)
}

// Start implements store.Writer.
func (l *limited) Start(ctx context.Context, s store.Start) (rein.RunInfo, bool, error) {
	if err := l.refuses(s.Run, s.Drafts); err != nil {
		return rein.RunInfo{}, false, err
	}
	return l.Store.Start(ctx, s)
}

func (l *limited) refuses(run rein.RunID, drafts []store.Draft) error {
	for _, d := range drafts {
		at := place{run, d.Step}
		if d.Kind == rein.SubStarted && !l.subs[at] {
			return rein.ErrBudget
		}
		if r, ok := l.refused[at]; ok && (d.Starts != nil || d.Reserve && reservation(d) > r.after) {
			return r.err(d.Starts != nil)
		}
	}
	return nil
}

// reservation is which of its step's a reservation is.
func reservation(d store.Draft) int {
	if attempt, ok := d.Data.(*rein.Attempt); ok {
		return attempt.N
	}
	return 1
}

// err is the refusal as the store gave it. Of a child the engine says more than that.
func (r refusal) err(child bool) error {
	err := &rein.Error{Code: r.failure.Code, Msg: r.failure.Msg, Dim: r.failure.Dim}
	if child {
		err.Code, err.Msg = rein.CodeQuota, strings.TrimPrefix(err.Msg, logtext.NotStarted)
	}
	return err
}
