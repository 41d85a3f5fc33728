// Package keeper starts background runs: one that remembers, after each run of a person, and one
// that summarises when a session or a day is over. It follows the logs, and no run waits for it.
// The IDs of the runs it starts are derived from what they are about, so neither a crash nor a
// second keeper starts one twice.
package keeper

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"rein"
	"rein/store"
)

// A Keeper watches a store. Store and Start are needed; the zero value of the rest is useful.
type Keeper struct {
	Store store.Reader
	// Start starts a run, as an engine does.
	Start func(context.Context, rein.RunID, rein.Task) (rein.RunInfo, error)

	Flows    []string      // the flows whose runs are remembered and summed up
	Silence  time.Duration // after which a session is over; zero means 15 minutes
	LookBack time.Duration // how far a sweep looks for what was missed; zero means 48 hours
	Budget   *rein.Budget  // of each background run; nil means DefaultBudget
	Model    string        // of the background runs; empty takes that of the run they follow
	Log      *slog.Logger  // is told of runs that could not be started; nil is silent
}

// The flows that a keeper starts.
const (
	rememberFlow  = "remember"
	summariseFlow = "summarise"
)

const (
	// Silence is how long nobody must say anything for a session to be over.
	Silence = 15 * time.Minute

	lookBack   = 48 * time.Hour
	sweepEvery = time.Hour
)

// DefaultBudget is what one background run may use: one model call with what it may read, in the
// worst case of a byte a token.
func DefaultBudget() rein.Budget {
	return rein.Budget{Amount: rein.Amount{
		Rounds: 4, ToolCalls: 1, Tokens: 120_000, Micros: 1_500_000, DrivenMS: (5 * time.Minute).Milliseconds(), Runs: 1,
	}}
}

// Serve starts what is due, looks for what was missed, and goes on until the context ends. A run that
// cannot be started is logged, and tried again with the next sweep.
func (k *Keeper) Serve(ctx context.Context) error {
	if k.Store == nil || k.Start == nil {
		return rein.Errorf(rein.CodeInvalid, "a keeper needs a store and a way to start runs")
	}
	b := &bench{Keeper: k, names: NewNames(), background: map[string]string{}, sessions: map[string]time.Time{}, days: map[day]due{}}
	notes := store.NewNotes[news]()
	stop := notes.Watch(k.Store, (*news).take)
	defer stop()
	b.sweep(ctx)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		timer.Reset(time.Until(b.next()))
		select {
		case <-ctx.Done():
		case <-notes.Some:
			found := notes.Read()
			if found.missed {
				b.sweep(ctx)
			}
			for _, run := range found.ended {
				b.ended(ctx, run)
			}
		case <-timer.C:
			b.tick(ctx)
		}
	}
	return nil
}

// A bench is what a keeper has in mind while it serves. All of it can be found again by a sweep.
type bench struct {
	*Keeper
	names      *Names
	background map[string]string    // the session of background runs, by user
	sessions   map[string]time.Time // when each may be over
	days       map[day]due
	swept      time.Time
}

// next returns when there is something to do.
func (b *bench) next() time.Time {
	next := b.swept.Add(sweepEvery)
	for _, at := range b.sessions {
		next = earlier(next, at)
	}
	for _, d := range b.days {
		next = earlier(next, d.at)
	}
	return next
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// tick does what is due.
func (b *bench) tick(ctx context.Context) {
	now := time.Now()
	for session, at := range b.sessions {
		if !at.After(now) {
			delete(b.sessions, session)
			b.isOver(ctx, session)
		}
	}
	for d, due := range b.days {
		if !due.at.After(now) {
			delete(b.days, d)
			b.start(ctx, dayID(d), due.after, task(summariseFlow, map[string]string{"day": d.date}))
		}
	}
	if !b.swept.Add(sweepEvery).After(now) {
		b.sweep(ctx)
	}
}

// keeps reports whether the keeper cares for a run.
func (k *Keeper) keeps(info rein.RunInfo) bool {
	own := info.Flow == rememberFlow || info.Flow == summariseFlow
	return info.ID.Depth() == 0 && !info.Erased && !own && slices.Contains(k.Flows, info.Flow)
}

func (k *Keeper) silence() time.Duration { return cmp.Or(k.Silence, Silence) }

func (k *Keeper) warn(what string, args ...any) {
	if k.Log != nil {
		k.Log.Warn(what, args...)
	}
}
