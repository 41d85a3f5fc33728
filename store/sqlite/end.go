package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"rein"
	"rein/store"
)

// end closes a run: no ask stays open, no message without a receipt, and its parent is told.
func (w *writer) end(h *head, d *draft) error {
	h.status, h.done, h.paused, h.wake = d.Status, true, false, sql.NullInt64{}
	w.setDriven(h, false)
	outcome, err := w.outcome(h, d)
	if err != nil {
		return err
	}
	h.outcome = outcome
	if err := w.withdrawAsks(h, "", d.At); err != nil {
		return err
	}
	switch {
	case d.refused != nil:
		err = w.refuseNext(h, d, d.refused)
	case d.next != nil:
		err = w.startNext(h, d)
	}
	if err != nil {
		return err
	}
	if h.command > 0 {
		if err := w.put(w.closeReceipts, fmt.Sprintf("the run ended (%s) before it was read", h.status), h.n); err != nil {
			return err
		}
	}
	if err := w.foldEnd(h); err != nil {
		return err
	}
	if h.id.Parent() == "" {
		return w.put(w.touchSession, h.changed, h.session)
	}
	if d.child == nil {
		return nil // a rebuild, of this run alone
	}
	return w.tellParent(h, d)
}

// outcome packs what the view shows of the end. As a rule that is the event's payload.
func (w *writer) outcome(h *head, d *draft) ([]byte, error) {
	if d.payload.data != nil && (d.Data == nil || d.Data == any(d.Outcome)) {
		return d.payload.blob, nil
	}
	return w.keep(h, d.Outcome)
}

// startNext starts the run that the unread messages of this one ask for.
func (w *writer) startNext(h *head, d *draft) error {
	next, _, err := w.start(d.next)
	if rein.CodeOf(err) == rein.CodeQuota {
		return nextRefused{err} // the log already says that it starts: Append undoes that
	}
	if err != nil {
		return err
	}
	if next.session != h.session {
		return rein.Errorf(rein.CodeInvalid, "run %s cannot follow run %s: it is of another session", next.id, h.id)
	}
	for _, id := range d.Next.Messages {
		if err := w.receipt(h, id, rein.Receipt{State: rein.ReceiptStarted, Started: next.id}); err != nil {
			return err
		}
	}
	return nil
}

// A nextRefused says which limit does not let unread messages start another run.
type nextRefused struct{ error }

func (r nextRefused) Unwrap() error { return r.error }

// withoutNext readies a batch again whose next run was refused: the event says that there is none.
func withoutNext(b store.Batch, why nextRefused) (*batch, error) {
	b.Drafts = slices.Clone(b.Drafts)
	last := &b.Drafts[len(b.Drafts)-1]
	if last.Outcome != nil && last.Outcome.Next != nil {
		same, outcome := last.Data == any(last.Outcome), *last.Outcome
		outcome.Next = nil
		if last.Outcome = &outcome; same {
			last.Data = &outcome
		}
	}
	ready, err := prepareBatch(b)
	if err == nil {
		ready.drafts[len(ready.drafts)-1].refused = why.error
	}
	return ready, err
}

// refusedNext begins the reason of a receipt whose message could not start a run.
const refusedNext = "the next run could not be started: "

// refuseNext completes a run whose unread messages may not start another: that is no fault of its own.
// Whoever sent them learns why.
func (w *writer) refuseNext(h *head, d *draft, why error) error {
	for _, id := range d.Next.Messages {
		reason := refusedNext + why.Error()
		if err := w.receipt(h, id, rein.Receipt{State: rein.ReceiptNotApplied, Reason: reason}); err != nil {
			return err
		}
	}
	return nil
}

// tellParent records the end in the parent's log, unless that is closed too.
func (w *writer) tellParent(h *head, d *draft) error {
	parent, err := w.head(h.id.Parent())
	if err != nil || parent.done {
		return err
	}
	if _, err := w.appendCommand(parent, rein.Command{Kind: rein.CommandChild}, d.child, d.At); err != nil {
		return err
	}
	if parent.status == rein.StatusWaiting {
		parent.wakeBy(d.At)
	}
	return w.saveHead(parent)
}

// runCommit lets a tool write its own tables inside the transaction.
func (w *writer) runCommit(ctx context.Context, commit func(context.Context, rein.Tx) error) error {
	if err := w.runTables(ctx, commit); err != nil {
		return fmt.Errorf("%w: %w", store.ErrCommit, err)
	}
	return nil
}

// runTables lets someone else's function write inside the transaction.
func (w *writer) runTables(ctx context.Context, do func(context.Context, rein.Tx) error) (err error) {
	tx := &toolTx{conn: w.conn, w: w}
	w.wrote, w.wroteTables = true, true
	w.forgetKept()
	defer func() {
		tx.close()
		if r := recover(); r != nil {
			err = fmt.Errorf("it panicked: %v", r)
		}
	}()
	// Cancelling a statement would roll back everyone's writes, so the function's context never ends.
	return do(context.WithoutCancel(ctx), tx)
}

// A toolTx is good for as long as the function runs that it was given to.
type toolTx struct {
	conn *sql.Conn
	w    *writer
	rows []*sql.Rows
}

func (t *toolTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if t.conn == nil {
		return nil, sql.ErrTxDone
	}
	return t.conn.ExecContext(context.WithoutCancel(ctx), query, args...)
}

func (t *toolTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if t.conn == nil {
		return nil, sql.ErrTxDone
	}
	rows, err := t.conn.QueryContext(context.WithoutCancel(ctx), query, args...)
	if err == nil {
		t.rows = append(t.rows, rows)
	}
	return rows, err
}

// close ends what was left open.
func (t *toolTx) close() {
	t.conn = nil
	for _, rows := range t.rows {
		rows.Close()
	}
}
