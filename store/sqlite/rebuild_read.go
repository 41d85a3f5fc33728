package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"rein"
	"rein/store"
)

// What a payload said that was erased, the rebuild takes from the store, as far as what is left of the
// log does not contradict it.

// startOf reads how the run was started.
func (r *rebuild) startOf(l *logRow) (start rein.RunStart, err error) {
	if l.Kind != rein.RunStarted {
		return start, fmt.Errorf("a log begins with %s, not with %s", rein.RunStarted, l.Kind)
	}
	if l.Erased {
		start.Task = rein.Task{Mode: r.row.Mode, Flow: r.row.Flow, Workspace: r.row.Workspace, Household: r.row.Household, User: l.By, Session: r.row.Session}
	} else if start, err = decode[rein.RunStart](l); err != nil {
		return start, err
	}
	task := &start.Task
	if parent := l.Run.Parent(); parent != "" {
		task.Household, task.User, task.Session = r.row.Household, r.row.User, r.row.Session
		return start, r.isOf(parent)
	}
	r.budget = task.Budget
	if start.After != "" {
		err = r.startedBy(start.After)
	}
	return start, err
}

// isOf finds a child that is not of its parent's session.
func (r *rebuild) isOf(parent rein.RunID) error {
	up, err := r.run(parent)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return fmt.Errorf("its parent, run %s, is missing", parent)
	}
	if err == nil && up.Session != r.row.Session {
		r.wrong("its session is %q, but that of its parent is %q", r.row.Session, up.Session)
	}
	return err
}

// startedBy finds a run that another one started whose receipts do not say so.
func (r *rebuild) startedBy(before rein.RunID) error {
	var n int64
	err := r.tx.QueryRowContext(r.ctx, `SELECT count(*) FROM commands c JOIN runs r ON r.n = c.run_n WHERE r.id = ? AND c.started = ?`,
		string(before), string(r.Run)).Scan(&n)
	if err == nil && n == 0 {
		r.wrong("messages to run %s started it, but no receipt of that run says so", before)
	}
	return err
}

// follows reads from a log that it goes on with what was sent to this run.
func (r *rebuild) follows(next rein.RunID) error {
	row, err := r.run(next)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return fmt.Errorf("run %s, which its messages started, is missing", next)
	}
	if err != nil {
		return err
	}
	rows, _, err := r.logRows(row, 1, 1)
	if err != nil || len(rows) == 0 {
		return err // its own audit says what is wrong
	}
	first := rows[0]
	if err := first.restore(r.texts(row.household)); err != nil || first.Erased {
		return nil
	}
	start, err := decode[rein.RunStart](first)
	if err == nil && start.After != r.Run {
		return fmt.Errorf("a receipt says that it started run %s, whose log does not", next)
	}
	return err
}

// isThere finds a child that the log names and the store does not have.
func (r *rebuild) isThere(child rein.RunID, l *logRow) error {
	if child == "" {
		return nil // erased
	}
	var n int64
	err := r.tx.QueryRowContext(r.ctx, `SELECT n FROM runs WHERE id = ?`, string(child)).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		r.wrong("run %s, which event %d names, is missing", child, l.Seq)
		return nil
	}
	return err
}

// commandOf reads what was sent.
func (r *rebuild) commandOf(l *logRow) (rein.Command, error) {
	if !l.Erased {
		return decode[rein.Command](l)
	}
	c := rein.Command{Kind: l.Kind.Command(), Run: l.Run, By: l.By}
	if c.Kind == rein.CommandMode {
		c.Mode = r.row.Mode
	}
	if row := r.receipts[l.Seq]; row != nil {
		c.Key = row.Key
	}
	if c.Kind != rein.CommandAnswer && c.Kind != rein.CommandExpire {
		return c, nil
	}
	for id, ask := range r.asks {
		now, err := r.w.ask(r.h, id)
		if err == nil && now.State == rein.AskPending && ask.Closed.Equal(l.At) && ask.Answer.By == l.By {
			c.Ask, c.Answer = id, ask.Answer
			return c, nil
		}
	}
	return c, fmt.Errorf("it closed an ask, but none was closed by %q at %s", l.By, l.At)
}

// draftOf reads what goes with an event of the driver.
func (r *rebuild) draftOf(l *logRow) (d *draft, err error) {
	d = &draft{Draft: &store.Draft{Kind: l.Kind, Step: l.Step, At: l.At}}
	switch {
	case l.Kind == rein.AskOpened:
		var ask rein.Ask
		if ask, err = r.askOf(l); err == nil {
			d.Opens = &ask
			d.opens, err = prepareAsk(l.Run, d)
		}
	case l.Kind == rein.StepDone:
		err = r.readStep(l, d)
	case l.Kind == rein.RunParked:
		var parked rein.Parked
		parked, err = decode[rein.Parked](l)
		d.Status, d.Until = rein.StatusWaiting, parked.Until
	case l.Kind == rein.RunBlocked:
		d.Status = rein.StatusBlocked
	case l.Kind.Ends():
		err = r.readEnd(l, d)
	}
	return d, err
}

func (r *rebuild) askOf(l *logRow) (rein.Ask, error) {
	if !l.Erased {
		return decode[rein.Ask](l)
	}
	id := rein.NewAskID(l.Run, l.Step)
	ask := r.asks[id]
	ask.ID, ask.Run, ask.State, ask.Answer, ask.Closed = id, l.Run, rein.AskPending, rein.Answer{}, time.Time{}
	return ask, nil
}

// readStep reads which messages a step was the reading of, and which child it started.
func (r *rebuild) readStep(l *logRow, d *draft) error {
	if l.Erased {
		for seq, row := range r.receipts {
			if row.State == string(rein.ReceiptApplied) && row.Step == l.Step && seq < l.Seq && isRead(row.Kind) {
				d.Applied = append(d.Applied, rein.NewCommandID(l.Run, seq))
			}
		}
		return nil
	}
	end, err := decode[rein.StepEnd](l)
	for _, item := range end.Items {
		d.Applied = append(d.Applied, item.Command)
	}
	if err == nil && end.Failure == nil {
		err = r.isThere(end.Child, l)
	}
	return err
}

// isRead reports whether a run reads commands of this kind.
func isRead(k rein.CommandKind) bool { return k == rein.CommandMessage || k == rein.CommandModify }

func (r *rebuild) readEnd(l *logRow, d *draft) error {
	end, err := decode[rein.RunEnd](l)
	if l.Erased {
		if end.End = rein.End(r.row.Status); end.End.EndKind() != l.Kind {
			return fmt.Errorf("it is %s, but the status of the run is %q", l.Kind, r.row.Status)
		}
	}
	d.Status, d.Outcome = rein.Status(end.End), &end
	return err
}
