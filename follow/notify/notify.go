// Package notify sends webhooks when something waits for a person or a run ends. It follows the
// logs and checks pending asks, writes what must be sent to an outbox, and delivers it at least
// once to each target. No run waits for it. The content of a delivery is read when it is sent.
package notify

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"rein"
	"rein/store"
)

// A Store is what a notifier watches, reads and keeps its outbox in.
type Store interface {
	store.Reader
	store.Tables
}

// Options are a notifier's. Store is needed; the zero value of the rest is useful.
type Options struct {
	Store   Store
	Targets []Target
	// Link returns where a person can look at a run or answer an ask; the ask is empty for a run.
	Link  func(rein.RunID, rein.AskID) string
	Pause time.Duration // before the second try; zero means 5 s. It doubles with each
	Log   *slog.Logger  // is told of what goes wrong; nil is silent
}

const (
	firstPause = 5 * time.Second
	mostPause  = time.Hour
	// Patience is how long a delivery is tried before it is given up.
	Patience   = 24 * time.Hour
	sweepEvery = 5 * time.Minute
	sweepSoon  = 15 * time.Second // after something went wrong
	pruneEvery = time.Hour
	tryLimit   = 10 * time.Second
)

// A Notifier tells its targets what happens. New makes one.
type Notifier struct {
	opts     Options
	notes    *store.Notes[news]
	couriers []*courier
}

// New checks the targets and makes a notifier, which does nothing until it is served.
func New(o Options) (*Notifier, error) {
	if o.Store == nil {
		return nil, rein.Errorf(rein.CodeInvalid, "a notifier needs a store")
	}
	if o.Pause <= 0 {
		o.Pause = firstPause
	}
	n := &Notifier{opts: o, notes: store.NewNotes[news]()}
	names := map[string]bool{}
	for _, t := range o.Targets {
		address, err := t.check()
		if err != nil {
			return nil, err
		}
		if names[t.Name] {
			return nil, rein.Errorf(rein.CodeInvalid, "two webhooks are named %q: rename one", t.Name)
		}
		names[t.Name] = true
		n.couriers = append(n.couriers, newCourier(n, t, address))
	}
	return n, nil
}

// Serve tells what is to be told until the context ends. A try that is under way then is cut off, and
// made again, under the same ID, by the next one who serves.
func (n *Notifier) Serve(ctx context.Context) error {
	if len(n.couriers) == 0 {
		<-ctx.Done()
		return nil
	}
	stop := n.notes.Watch(n.opts.Store, (*news).take)
	defer stop()
	for ctx.Err() == nil && !n.attempt(ctx, "begin", n.adoptTargets) {
		after(ctx, sweepSoon, nil)
	}
	var wait sync.WaitGroup
	for _, c := range n.couriers {
		wait.Go(func() { c.serve(ctx) })
	}
	n.gather(ctx)
	wait.Wait()
	return nil
}

func (n *Notifier) warn(what string, args ...any) {
	if n.opts.Log != nil {
		n.opts.Log.Warn(what, args...)
	}
}

// after waits, unless the context ends first.
func after(ctx context.Context, pause time.Duration, wake <-chan struct{}) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-wake:
	case <-timer.C:
	}
}
