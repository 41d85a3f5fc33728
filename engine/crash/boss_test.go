package crash

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"rein"
	"rein/engine"
	"rein/store"
)

// An order is what people do when they see an event: they send commands, one after the other. After
// a restart the event is in the log still and the orders are carried out again; a command that was
// recorded before has its key, so it counts once.
type order struct {
	run  rein.RunID
	kind rein.Kind
	step rein.StepKey
	send []rein.Command
}

// A hold keeps a model call from answering until an order has been carried out.
type hold struct {
	run   rein.RunID
	step  rein.StepKey
	order int
}

// A boss is everybody who sends commands: the people of a scenario, and the person who is asked
// about unknown outcomes. It follows the log as anybody could, after the fact.
type boss struct {
	child  *child
	orders []order
	holds  []hold
	put    scenario        // whose people they are
	later  []rein.Event    // asks of the patient run, which nobody has answered yet
	ended  bool            // the run has that comes first
	given  []chan struct{} // closed when the order has been carried out

	mu    sync.Mutex
	done  map[string]bool // steps whose end is durable
	queue []rein.Event
	came  chan struct{} // holds one token when the queue is not empty
}

func newBoss(c *child, s scenario) *boss {
	b := &boss{child: c, put: s, orders: s.orders, holds: s.holds, done: map[string]bool{}, came: make(chan struct{}, 1)}
	for range s.orders {
		b.given = append(b.given, make(chan struct{}))
	}
	return b
}

// see takes in events that are durable. It does not block.
func (b *boss) see(events ...rein.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range events {
		if e.Kind == rein.StepDone || e.Kind == rein.SubDone {
			b.done[place(e.Run, e.Step)] = true
		}
	}
	b.queue = append(b.queue, events...)
	select {
	case b.came <- struct{}{}:
	default:
	}
}

func place(run rein.RunID, step rein.StepKey) string { return string(run) + " " + string(step) }

// recorded reports whether the end of a step is durable.
func (b *boss) recorded(run rein.RunID, step rein.StepKey) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.done[place(run, step)]
}

// hold returns when the call may go on.
func (b *boss) hold(ctx context.Context, run rein.RunID, step rein.StepKey) error {
	for _, h := range b.holds {
		if h.run != run || h.step != step {
			continue
		}
		select {
		case <-b.given[h.order]:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// watch first reads what the log of an earlier process says, then follows this one's.
func (b *boss) watch(ctx context.Context, e *engine.Engine) error {
	for {
		b.mu.Lock()
		events := b.queue
		b.queue = nil
		b.mu.Unlock()
		for _, ev := range events {
			if err := b.obey(ctx, e, ev); err != nil && ctx.Err() == nil {
				return err
			}
		}
		select {
		case <-b.came:
		case <-ctx.Done():
			return nil
		}
	}
}

func (b *boss) obey(ctx context.Context, e *engine.Engine, ev rein.Event) error {
	for i, o := range b.orders {
		if o.run != ev.Run || o.kind != ev.Kind || o.step != ev.Step {
			continue
		}
		for j, c := range o.send {
			c.Key = fmt.Sprintf("order-%d-%d", i, j)
			if c.Kind == rein.CommandAnswer {
				ask, err := b.child.store.Ask(ctx, c.Ask)
				if err != nil {
					return err
				}
				c.Answer.Shown = ask.Shown
			}
			if _, err := e.Command(ctx, c); err != nil {
				return fmt.Errorf("order %d at %s %s of run %s: %w", i, ev.Kind, ev.Step, ev.Run, err)
			}
		}
		b.carriedOut(i)
	}
	switch {
	case ev.Kind == rein.AskOpened && ev.Run == b.put.patient && !b.ended:
		b.later = append(b.later, ev)
	case ev.Kind == rein.AskOpened:
		return b.decide(ctx, e, ev)
	case ev.Kind.Ends() && ev.Run == b.put.first:
		b.ended = true
		for _, ev := range b.later {
			if err := b.decide(ctx, e, ev); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *boss) carriedOut(i int) {
	select {
	case <-b.given[i]:
	default:
		close(b.given[i])
	}
}

// decide answers an ask about an unknown outcome with what is true.
func (b *boss) decide(ctx context.Context, e *engine.Engine, ev rein.Event) error {
	ask, err := rein.Payload[rein.Ask](ev)
	if err != nil || ask.Kind != rein.AskUnknown {
		return err
	}
	switch now, err := b.child.store.Ask(ctx, ask.ID); {
	case err != nil:
		return err
	case now.State != rein.AskPending:
		return nil // it was answered before a crash
	}
	happened := false
	if b.put.commands {
		if happened, err = b.child.ran(ask.Call); err != nil {
			return err
		}
	}
	for _, key := range keysOf(ask) {
		did, err := b.child.happened(ask.Call.Name, key)
		if err != nil {
			return err
		}
		happened = happened || did
	}
	text := rein.RunAgain
	switch {
	case happened && b.child.Skip:
		text = rein.SkipIt
	case happened:
		text = rein.ItHappened
	}
	_, err = e.Command(ctx, ask.Reply(rein.Answer{State: rein.AskAnswered, Text: text, By: "ann"}))
	if code := rein.CodeOf(err); code == rein.CodeClosed || code == rein.CodeFinished {
		return nil // a cancel was faster
	}
	return err
}

// keysOf are the keys of the calls that an ask is about.
func keysOf(ask rein.Ask) []string {
	if len(ask.Earlier) > 0 {
		return ask.Earlier
	}
	return []string{string(ask.Run) + ":" + string(ask.Step)}
}

// answer is a command that answers an ask.
func answer(run rein.RunID, ask rein.AskID, a rein.Answer) rein.Command {
	a.By = "ann"
	return rein.Command{Kind: rein.CommandAnswer, Run: run, Ask: ask, By: "ann", Answer: a}
}

// readLogs has the boss see what earlier processes recorded.
func (b *boss) readLogs(ctx context.Context, s store.Store) error {
	var errs []error
	for info, err := range s.Runs(ctx, store.Filter{}) {
		if err != nil {
			return err
		}
		for ev, err := range s.Events(ctx, info.ID, 0) {
			if err != nil {
				errs = append(errs, err)
				break
			}
			b.see(ev)
		}
	}
	return errors.Join(errs...)
}
