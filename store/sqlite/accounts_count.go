package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"rein"
	"rein/store"
)

// mayStart refuses a run that its user or household may not have.
func (w *writer) mayStart(h *head, s *starting) error {
	return w.allows(h.account, rein.Quota{}, s.needs(), rein.CodeQuota, s.At)
}

// needs is what a run takes from its account when it starts.
func (s *starting) needs() rein.Quota {
	q := rein.Quota{Driven: 1, Bytes: s.payload.mostSize(), Tokens: s.spend.Tokens, Micros: s.spend.Micros}
	if s.Run.Parent() == "" {
		q.Frames = 1 // a child is started by its parent, not by a person
	}
	return q
}

// countStart counts a run that was just created; its bytes are counted with its event.
func (w *writer) countStart(h *head, s *starting) error {
	h.driven = true
	q := s.needs()
	q.Bytes = 0
	return w.change(h.account, q, s.At)
}

// isFrame reports whether people may send only so many commands of this kind. What ends a run, or
// answers it, is always taken.
func isFrame(k rein.CommandKind) bool {
	return k == rein.CommandMessage || k == rein.CommandModify || k == rein.CommandComment
}

// maySend counts what someone sends to a run, if they may.
func (w *writer) maySend(h *head, c *sent) error {
	if !isFrame(c.Kind) {
		return nil
	}
	sender, err := w.senderOf(h, c)
	if err != nil {
		return err
	}
	frame := rein.Quota{Frames: 1}
	if err := w.allows(sender, rein.Quota{}, frame, rein.CodeQuota, c.at); err != nil {
		return err
	}
	if err := w.allows(h.account, rein.Quota{}, rein.Quota{Bytes: c.payload.mostSize()}, rein.CodeQuota, c.at); err != nil {
		return err
	}
	return w.change(sender, frame, c.at)
}

// senderOf is the account of who sends a command.
func (w *writer) senderOf(h *head, c *sent) (*account, error) {
	if c.By == "" {
		return h.account, nil
	}
	return w.accountOf(h.household, c.By)
}

// countFollowing counts a command that follows from another one. It is never refused.
func (w *writer) countFollowing(h *head, c *sent) error {
	sender, err := w.senderOf(h, c)
	if err != nil {
		return err
	}
	return w.change(sender, rein.Quota{Frames: 1}, c.at)
}

// mayReserve refuses a driver's batch that reserves more than is left of the day, or writes more than
// may be kept. What reserves nothing is always taken: a run must be able to end. before is what the request
// takes beside.
func (w *writer) mayReserve(h *head, b *batch, before rein.Quota) error {
	if w.limits == (store.Limits{}) && w.store.roles == nil {
		return nil
	}
	for i := range b.drafts {
		d := &b.drafts[i]
		spend := rein.Quota{Tokens: d.Spend.Tokens, Micros: d.Spend.Micros}
		if d.Reserve {
			spend.Bytes = d.payload.mostSize()
			if err := w.allows(h.account, before, spend, rein.CodeBudget, d.At); err != nil {
				return err
			}
		}
		if crosses(h, d.At) { // what it gives back may be yesterday's
			spend.Tokens, spend.Micros = max(spend.Tokens, 0), max(spend.Micros, 0)
		}
		before = before.Plus(spend)
	}
	return nil
}

// crosses reports whether midnight has passed since the run was started.
func crosses(h *head, at time.Time) bool { return store.Day(micros(h.started)) < store.Day(at) }

// spendDay counts what a batch spends in the day's account. What it gives back counts on the day when
// it was reserved.
func (w *writer) spendDay(h *head, b *batch) error {
	for i := range b.drafts {
		d := &b.drafts[i]
		if d.Spend.Tokens == 0 && d.Spend.Micros == 0 {
			continue
		}
		q := rein.Quota{Tokens: d.Spend.Tokens, Micros: d.Spend.Micros}
		if crosses(h, d.At) && (q.Tokens < 0 || q.Micros < 0) {
			day, err := w.reservedOn(h, b, i)
			if err != nil {
				return err
			}
			if err := w.giveBack(h.account, day, min(q.Tokens, 0), min(q.Micros, 0), d.At); err != nil {
				return err
			}
			q = rein.Quota{Tokens: max(q.Tokens, 0), Micros: max(q.Micros, 0)}
		}
		if err := w.change(h.account, q, d.At); err != nil {
			return err
		}
	}
	return nil
}

// reservedOn returns the day on which that was reserved which a draft gives back: the day of the last
// event of its step that spent something, save time alone. What a run gives back that is no step's, it took at its start.
func (w *writer) reservedOn(h *head, b *batch, i int) (int64, error) {
	d := &b.drafts[i]
	if d.Step == "" {
		return store.Day(micros(h.started)), nil
	}
	for ; i > 0; i-- {
		if e := &b.drafts[i-1]; e.Step == d.Step && e.Kind != rein.StepRenewed && e.Spend != (rein.Amount{}) {
			return store.Day(e.At), nil
		}
	}
	var at int64
	err := w.getReserved.QueryRowContext(context.Background(), h.n, string(d.Step)).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return store.Day(d.At), nil
	}
	return store.Day(micros(at)), err
}
