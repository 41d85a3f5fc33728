package sqlite

import (
	"context"
	"database/sql"

	"rein"
)

// stop records a command that ends a run, and repeats it to everything below.
func (w *writer) stop(h *head, c *sent) (rein.Receipt, error) {
	if h.ending.Force() >= c.Kind.Force() {
		return w.alreadyEnding(h, c)
	}
	receipt, err := w.stopOne(h, c)
	if err != nil {
		return receipt, err
	}
	err = w.stopBelow(h, c, &receipt)
	return receipt, err
}

// alreadyEnding names the command that already ends the run.
func (w *writer) alreadyEnding(h *head, c *sent) (rein.Receipt, error) {
	return w.obeyed(h, c, h.ending)
}

// obeyed is the receipt for a command that changes nothing: it names the newest one of the kind that
// the run obeys, if there was one.
func (w *writer) obeyed(h *head, c *sent, kind rein.CommandKind) (rein.Receipt, error) {
	receipt := rein.Receipt{Kind: c.Kind, State: rein.ReceiptApplied}
	var seq int64
	err := w.getEnding.QueryRowContext(context.Background(), h.n, string(kind)).Scan(&seq)
	if seq > 0 {
		receipt.Command = rein.NewCommandID(h.id, seq)
	}
	return receipt, err
}

func (w *writer) stopOne(h *head, c *sent) (rein.Receipt, error) {
	h.ending, h.paused = c.Kind, false
	if err := w.withdrawAsks(h, c.By, c.at); err != nil {
		return rein.Receipt{}, err
	}
	return w.record(h, c, rein.ReceiptApplied, "")
}

// stopBelow repeats the command to all unfinished descendants that do not obey it already.
func (w *writer) stopBelow(h *head, c *sent, receipt *rein.Receipt) error {
	ids, err := w.unfinishedBelow(h)
	if err != nil {
		return err
	}
	for _, id := range ids {
		below, err := w.head(id)
		if err != nil {
			return err
		}
		if below.ending.Force() >= c.Kind.Force() {
			continue
		}
		follow, err := following(c, id, receipt.Command)
		if err != nil {
			return err
		}
		if _, err := w.stopOne(below, follow); err != nil {
			return err
		}
		receipt.Touched = append(receipt.Touched, id)
	}
	return nil
}

func (w *writer) unfinishedBelow(h *head) ([]rein.RunID, error) {
	return runIDs(w.openRuns, string(h.id))
}

// runIDs reads the IDs that a statement selects.
func runIDs(st *sql.Stmt, arg any) (ids []rein.RunID, err error) {
	rows, err := st.QueryContext(context.Background(), arg)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id rein.RunID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// following is the command as it is repeated to another run. It has no key: nobody sends it again.
func following(c *sent, run rein.RunID, cause rein.CommandID) (*sent, error) {
	command := rein.Command{Kind: c.Kind, Run: run, By: c.By, Text: c.Text, Mode: c.Mode, Cause: cause}
	p, err := newPayload(command)
	return &sent{Command: command, at: c.at, payload: p, digest: c.digest}, err
}

// stopExpired stops a run because nobody answered it in time.
func (w *writer) stopExpired(h *head, c *sent, receipt *rein.Receipt) error {
	stop := &sent{Command: rein.Command{Kind: rein.CommandStop, By: system, Text: "nobody answered in time"}, at: c.at}
	if h.ending.Force() >= stop.Kind.Force() {
		return nil
	}
	own, err := following(stop, h.id, receipt.Command)
	if err != nil {
		return err
	}
	first, err := w.stopOne(h, own)
	if err != nil {
		return err
	}
	if err := w.stopBelow(h, stop, &first); err != nil {
		return err
	}
	receipt.Touched = append(receipt.Touched, first.Touched[1:]...)
	return nil
}
