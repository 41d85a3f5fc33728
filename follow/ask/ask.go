// Package ask lets a Go function answer what runs ask. It follows the open asks and answers them
// with commands, like any other client. Runs do not depend on it: without a handler an ask stays
// open, and somebody else can answer it.
package ask

import (
	"context"
	"log/slog"
	"time"

	"rein"
	"rein/store"
)

// A Handler answers a question of a run. Not ok declines it. The context ends when the question is
// closed by somebody else, or the run by anybody.
type Handler func(ctx context.Context, run rein.RunID, question rein.Ask) (answer string, ok bool)

// Source is where open questions are seen: any store.Store.
type Source interface {
	Asks(context.Context, store.AskFilter) ([]rein.Ask, error)
	store.Watcher
}

// Sender takes commands: an engine.
type Sender interface {
	Command(context.Context, rein.Command) (rein.Receipt, error)
}

// Options say whose questions are answered, and as whom. The zero value answers all that anyone may.
type Options struct {
	Tree rein.RunID   // only of this run and everything below it
	By   string       // who answers; a question that is for somebody else stays open
	Log  *slog.Logger // nil is silent
}

// patience is how long Serve waits, at its end, for handlers that do not heed their context.
const patience = 5 * time.Second

// Serve puts every open question, and every one that opens, to the handler until the context ends.
// Each has a goroutine of its own, so none holds up another. A handler that panics has declined.
// Approvals and unknown outcomes are not questions: they stay open. So does what is unanswered when
// the context ends, and what could not be answered. The error is the store's; the context's end is none.
func Serve(ctx context.Context, from Source, to Sender, h Handler, o Options) error {
	if h == nil {
		return rein.Errorf(rein.CodeInvalid, "ask: there is no handler: give a function that answers")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	d := &desk{opts: o, from: from, to: to, handle: h, hands: map[rein.AskID]*hand{}, idle: make(chan struct{}, 1)}
	look := make(chan struct{}, 1)
	unwatch := from.Watch(func(marks []store.Mark) {
		for _, m := range marks {
			if m.Kind == rein.AskOpened || m.Kind.Command() != "" || m.Kind.Ends() {
				select {
				case look <- struct{}{}:
				default: // it has not looked yet
				}
				return
			}
		}
	})
	defer unwatch()
	defer d.leave()
	for {
		if err := d.look(ctx); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		select {
		case <-look:
		case <-ctx.Done():
			return nil
		}
	}
}
