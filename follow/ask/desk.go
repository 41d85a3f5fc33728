package ask

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"rein"
	"rein/store"
)

// desk holds the questions that are in somebody's hands.
type desk struct {
	opts   Options
	from   Source
	to     Sender
	handle Handler

	mu    sync.Mutex
	hands map[rein.AskID]*hand
	idle  chan struct{} // told when a hand is empty
}

// A hand has one question. It is kept until the question is seen to be closed, so that none is put
// to the handler twice.
type hand struct {
	cancel context.CancelFunc
	empty  bool
}

// look takes up what is open and takes back what is not any more.
func (d *desk) look(ctx context.Context) error {
	asks, err := d.from.Asks(ctx, store.AskFilter{Tree: d.opts.Tree, Pending: true})
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	open := map[rein.AskID]bool{}
	for _, a := range asks {
		open[a.ID] = true
		if a.Kind != rein.AskQuestion || a.For != "" && a.For != d.opts.By {
			continue
		}
		if _, taken := d.hands[a.ID]; !taken {
			held, cancel := context.WithCancel(ctx)
			d.hands[a.ID] = &hand{cancel: cancel}
			go d.answer(ctx, held, a)
		}
	}
	for id, hand := range d.hands {
		if open[id] {
			continue
		}
		if hand.cancel(); hand.empty {
			delete(d.hands, id)
		}
	}
	return nil
}

// answer has one question answered. If it was closed meanwhile, or the desk is, nothing is sent.
func (d *desk) answer(ctx, held context.Context, a rein.Ask) {
	defer d.done(a.ID)
	answer := d.ask(held, a)
	if held.Err() != nil {
		return
	}
	err := d.send(ctx, a, answer)
	if rein.CodeOf(err) == rein.CodeInvalid && answer.State == rein.AskAnswered { // too long, say
		d.opts.Log.Error("the answer to a question is refused; it counts as declined", "ask", a.ID, "error", err)
		err = d.send(ctx, a, rein.Answer{State: rein.AskDeclined})
	}
	switch rein.CodeOf(err) {
	case "", rein.CodeClosed, rein.CodeFinished: // done, or somebody was faster
	default:
		d.opts.Log.Error("a question could not be answered; it stays open", "ask", a.ID, "error", err)
	}
}

func (d *desk) ask(held context.Context, a rein.Ask) (answer rein.Answer) {
	defer func() {
		if wrong := recover(); wrong != nil {
			d.opts.Log.Error("the handler of a question panicked; it counts as declined", "ask", a.ID, "panic", fmt.Sprint(wrong))
			answer = rein.Answer{State: rein.AskDeclined}
		}
	}()
	text, ok := d.handle(held, a.Run, a)
	if !ok {
		return rein.Answer{State: rein.AskDeclined, Text: text}
	}
	return rein.Answer{State: rein.AskAnswered, Text: text}
}

func (d *desk) send(ctx context.Context, a rein.Ask, answer rein.Answer) error {
	answer.By = cmp.Or(d.opts.By, "handler")
	_, err := d.to.Command(ctx, a.Reply(answer))
	return err
}

// done empties a hand.
func (d *desk) done(id rein.AskID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hands[id].cancel()
	d.hands[id].empty = true
	select {
	case d.idle <- struct{}{}:
	default: // leave has not looked yet
	}
}

// leave waits for the handlers, whose contexts have ended, but not for ever.
func (d *desk) leave() {
	patience := time.After(patience)
	for d.busy() {
		select {
		case <-d.idle:
		case <-patience:
			d.opts.Log.Warn("a handler of questions does not heed its context")
			return
		}
	}
}

// busy takes the questions back and reports whether a handler still has one.
func (d *desk) busy() (busy bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, hand := range d.hands {
		hand.cancel()
		busy = busy || !hand.empty
	}
	return busy
}
