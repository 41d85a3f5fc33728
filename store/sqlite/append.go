package sqlite

import (
	"context"
	"errors"
	"fmt"

	"rein"
	"rein/store"
)

// A batch is a store.Batch that is ready to be written.
type batch struct {
	store.Batch
	drafts []draft
	parks  bool // a draft has a status
	opens  bool // a draft opens an ask
	plain  bool // nothing but events and what they spend
	calls  bool // a draft has a function that writes tables of its own
}

type draft struct {
	*store.Draft
	opens   *rein.Ask // Draft.Opens, complete
	payload payload
	starts  *starting
	next    *starting
	refused error    // why next does not start; nil: it does
	child   *payload // what the parent is told when the run ends
}

// Append implements store.Writer.
func (s *Store) Append(ctx context.Context, b store.Batch) ([]rein.Event, error) {
	leave, err := s.turn(ctx, &b)
	if err != nil {
		return nil, err
	}
	defer leave()
	ready, err := prepareBatch(b)
	if err != nil {
		return nil, err
	}
	events, err := s.appendReady(ctx, ready)
	if refused, ok := errors.AsType[nextRefused](err); ok {
		if ready, err = withoutNext(b, refused); err == nil {
			events, err = s.appendReady(ctx, ready)
		}
	}
	return events, err
}

func (s *Store) appendReady(ctx context.Context, ready *batch) (events []rein.Event, err error) {
	err = s.submit(ctx, &request{safe: ready.plain, once: ready.calls, do: func(w *writer) (err error) {
		events, err = w.appendBatch(ctx, ready)
		return err
	}})
	if err != nil {
		return nil, err
	}
	return events, nil
}

func (w *writer) appendBatch(ctx context.Context, b *batch) ([]rein.Event, error) {
	h, err := w.driven(b)
	if err != nil {
		return nil, err
	}
	// All that can be refused is looked at before the first write: see request.safe.
	root, err := w.spend(h, b)
	if err != nil {
		return nil, err
	}
	if err := w.spendDay(h, b); err != nil {
		return nil, err
	}
	events, err := w.appendDrafts(ctx, h, b)
	if err != nil {
		return nil, err
	}
	if root != nil && root != h {
		if err := w.saveSeq(root); err != nil {
			return nil, err
		}
	}
	if b.parks {
		return events, w.saveHead(h)
	}
	return events, w.saveSeq(h)
}

// appendDrafts writes the events, as many with one statement as it can: what goes with an event comes
// after it.
func (w *writer) appendDrafts(ctx context.Context, h *head, b *batch) ([]rein.Event, error) {
	events := make([]rein.Event, len(b.drafts))
	w.rows.reset()
	for i := range b.drafts {
		d := &b.drafts[i]
		events[i] = h.next(d.event(), &d.payload)
		w.rows.add(events[i], &d.payload)
		if d.plain() && i+1 < len(b.drafts) {
			continue
		}
		if err := w.putRows(h); err != nil {
			return nil, err
		}
		if err := w.follow(ctx, h, d); err != nil {
			return nil, err
		}
		w.rows.reset()
	}
	return events, nil
}

// event is what the draft becomes, without its place in the log.
func (d *draft) event() rein.Event {
	return rein.Event{Kind: d.Kind, Step: d.Step, At: d.At, Spend: d.Spend}
}

// plain reports whether nothing goes with the event but what it spends.
func (d *draft) plain() bool {
	return d.Opens == nil && d.Starts == nil && d.Applied == nil && d.Commit == nil && d.Status == ""
}

// driven returns the head of the run if the batch's driver may append to it.
func (w *writer) driven(b *batch) (*head, error) {
	h, err := w.head(b.Run)
	if err != nil {
		return nil, err
	}
	if b.Epoch != h.epoch || h.epoch == 0 {
		return nil, rein.Errorf(rein.CodeStale, "append to run %s: epoch %d is not the newest (%d): another driver has the run", b.Run, b.Epoch, h.epoch)
	}
	if h.done {
		return nil, h.finished()
	}
	if (b.parks || b.opens && h.ending == "") && h.command > b.Seen {
		return nil, rein.Errorf(rein.CodeUnseen, "append to run %s: command %d has come since %d: read it first", b.Run, h.command, b.Seen)
	}
	return h, nil
}

// spend changes the tree's ledger in memory and returns the root that has it; nil if the batch spends
// nothing. If the batch is refused the root is read again when it is next needed.
func (w *writer) spend(h *head, b *batch) (root *head, err error) {
	if err := w.mayReserve(h, b, rein.Quota{}); err != nil {
		return nil, err
	}
	return w.spendTree(b)
}

// spendTree is spend without the user's quota.
func (w *writer) spendTree(b *batch) (root *head, err error) {
	for i := range b.drafts {
		d := &b.drafts[i]
		if d.Spend == (rein.Amount{}) {
			continue
		}
		if root == nil {
			if root, err = w.payer(b.Run); err != nil {
				return nil, err
			}
		}
		l := root.ledger
		if !d.Reserve {
			l.Overrun = l.Overrun.Plus(d.Spend.Positive())
		} else if err := l.Reserve(d.Spend); err != nil {
			return nil, err
		}
		l.Used = l.Used.Plus(d.Spend)
	}
	return root, nil
}

// follow carries out what goes with an event.
func (w *writer) follow(ctx context.Context, h *head, d *draft) error {
	if d.opens != nil {
		if err := w.openAsk(h, *d.opens); err != nil {
			return err
		}
	}
	if d.starts != nil {
		if _, _, err := w.start(d.starts); err != nil {
			return err
		}
	}
	for _, id := range d.Applied {
		if err := w.receipt(h, id, rein.Receipt{State: rein.ReceiptApplied, Step: d.Step}); err != nil {
			return err
		}
	}
	if d.Commit != nil {
		if err := w.runCommit(ctx, d.Commit); err != nil {
			return fmt.Errorf("append %s %s to run %s: %w", d.Kind, d.Step, h.id, err)
		}
	}
	return w.become(h, d)
}

// become gives the run the status that the draft says.
func (w *writer) become(h *head, d *draft) error {
	switch {
	case d.Status == "":
		return nil
	case d.Status.Ended():
		return w.end(h, d)
	}
	h.status, h.wake.Valid = d.Status, false
	w.setDriven(h, false)
	if d.Status == rein.StatusWaiting && !d.Until.IsZero() {
		h.wakeBy(d.Until)
	}
	return nil
}

// receipt says what became of a message that the run had not read yet.
func (w *writer) receipt(h *head, id rein.CommandID, r rein.Receipt) error {
	if id != rein.NewCommandID(h.id, id.Seq()) {
		return rein.Errorf(rein.CodeInvalid, "command %q is not one of run %s", string(id), h.id)
	}
	changed, err := w.changeOne(w.setReceipt, string(r.State), string(r.Step), string(r.Started), r.Reason, h.n, id.Seq())
	if err == nil && !changed {
		return rein.Errorf(rein.CodeInvalid, "command %s is not a message that run %s has yet to read", id, h.id)
	}
	return err
}
