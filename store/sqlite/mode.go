package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"rein"
)

// startMode keeps the mode that a run starts with. Most start with none.
func (w *writer) startMode(h *head, m rein.Mode) error {
	if h.mode = m; m == "" {
		return nil
	}
	return w.put(w.setMode, string(m), nil, h.n)
}

// mode records a command that changes the mode of a session, and repeats it to all of its runs that have not ended
// and are not ending. If it changes nothing, the receipt names the command that set the mode.
func (w *writer) mode(h *head, c *sent) (rein.Receipt, error) {
	switch {
	case h.id.Parent() != "":
		return rein.Receipt{}, rein.Errorf(rein.CodeInvalid, "run %s has the mode of its session: send the command to run %s", h.id, h.id.Root())
	case h.ending != "":
		return rein.Receipt{}, rein.Errorf(endingCode(h.ending), "run %s is ending (%s): its mode cannot be changed", h.id, h.ending)
	}
	others, err := w.otherMode(h, c)
	if err != nil {
		return rein.Receipt{}, err
	}
	if len(others) == 0 && h.hasMode(c.Mode) {
		return w.obeyed(h, c, c.Kind)
	}
	receipt, err := w.modeOne(h, c)
	if err != nil {
		return receipt, err
	}
	for _, run := range others {
		follow, err := following(c, run.id, receipt.Command)
		if err != nil {
			return receipt, err
		}
		if _, err := w.modeOne(run, follow); err != nil {
			return receipt, err
		}
		receipt.Touched = append(receipt.Touched, run.id)
	}
	return receipt, nil
}

// acceptPlan changes the mode to the one in which the work continues.
func (w *writer) acceptPlan(h *head, c *sent, m rein.Mode, receipt *rein.Receipt) error {
	mode := &sent{Command: rein.Command{Kind: rein.CommandMode, By: c.By, Mode: m, Text: "the plan was accepted"}, at: c.at}
	own, err := following(mode, h.id, receipt.Command)
	if err != nil {
		return err
	}
	followed, err := w.mode(h, own)
	if len(followed.Touched) > 1 {
		receipt.Touched = append(receipt.Touched, followed.Touched[1:]...)
	}
	return err
}

// otherMode returns the other unfinished runs of the session that the command changes.
func (w *writer) otherMode(h *head, c *sent) (runs []*head, err error) {
	ids, err := w.unfinishedOf(h.session)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		other, err := w.head(id)
		if err != nil {
			return nil, err
		}
		if other != h && other.ending == "" && !other.hasMode(c.Mode) {
			runs = append(runs, other)
		}
	}
	return runs, nil
}

func (w *writer) unfinishedOf(session int64) ([]rein.RunID, error) {
	return runIDs(w.openOfSession, session)
}

func (h *head) hasMode(m rein.Mode) bool { return h.mode.Or(rein.ModeAsk) == m.Or(rein.ModeAsk) }

// modeOne records the command in one run.
func (w *writer) modeOne(h *head, c *sent) (rein.Receipt, error) {
	h.mode = c.Mode
	if err := w.put(w.setMode, string(c.Mode), c.at.UnixMicro(), h.n); err != nil {
		return rein.Receipt{}, err
	}
	return w.record(h, c, rein.ReceiptApplied, "")
}

// followMode gives a child that was just started the mode of its parent, if that was changed after the parent made
// the child's task.
func (w *writer) followMode(h, parent *head, at time.Time) error {
	if h.hasMode(parent.mode) {
		return nil
	}
	mode := &sent{Command: rein.Command{Kind: rein.CommandMode, By: system, Mode: parent.mode.Or(rein.ModeAsk), Text: "the mode of its parent"}, at: stamp(at)}
	follow, err := following(mode, h.id, "")
	if err == nil {
		_, err = w.modeOne(h, follow)
	}
	return err
}

// selectMode takes the newest of two: the last root of the session, and the last one whose mode was set.
const selectMode = `SELECT mode FROM (
	SELECT * FROM (SELECT r.mode AS mode, r.started AS at FROM sessions s JOIN runs r ON r.session_n = s.n WHERE s.id = +?1 AND r.depth = 0 ORDER BY r.n DESC LIMIT 1)
	UNION ALL
	SELECT * FROM (SELECT r.mode AS mode, r.mode_at AS at FROM sessions s JOIN runs r ON r.session_n = s.n
		WHERE s.id = +?1 AND r.depth = 0 AND r.mode_at IS NOT NULL ORDER BY r.mode_at DESC LIMIT 1)
) ORDER BY at DESC LIMIT 1`

// SessionMode implements store.DriverViews.
func (s *Store) SessionMode(ctx context.Context, session string) (mode rein.Mode, found bool, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		err := v.tx.QueryRowContext(ctx, selectMode, session).Scan(&mode)
		if found = err == nil; errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return mode, found, err
}
