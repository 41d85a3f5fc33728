package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"sync"

	"rein"
	"rein/store"
)

// A rebuild writes what people see of one run once more: from its log, by the functions of the writer,
// into tables in memory. So the rules by which an event changes a view are in one place.
type rebuild struct {
	*audit
	w        *writer
	h        *head // nil: the log has not begun, or cannot be followed
	asks     map[rein.AskID]rein.Ask
	receipts map[int64]*receiptRow
	budget   *rein.Budget // of a root that is not erased
}

// A receiptRow is a receipt as its row has it.
type receiptRow struct {
	Key     string           `json:"key"`
	Kind    rein.CommandKind `json:"kind"`
	By      string           `json:"by"`
	State   string           `json:"state"`
	Step    rein.StepKey     `json:"step"`
	Started rein.RunID       `json:"started"`
	Reason  string           `json:"reason"`
}

// newRebuild begins a rebuild, with what the store has of the run.
func (a *audit) newRebuild(w *writer) (*rebuild, error) {
	r := &rebuild{audit: a, w: w, asks: map[rein.AskID]rein.Ask{}}
	asks, err := a.asks(asksOf, a.row.n)
	if err != nil {
		return nil, err
	}
	for _, ask := range asks {
		r.asks[ask.ID] = ask.Ask
	}
	r.receipts, err = a.receiptRows(a.row.n)
	return r, err
}

const selectReceipts = `SELECT seq, key, kind, by, state, step, started, reason FROM commands WHERE run_n = ? ORDER BY seq`

func (v *snapshot) receiptRows(run int64) (map[int64]*receiptRow, error) {
	rows := map[int64]*receiptRow{}
	err := v.each(func(r *sql.Rows) error {
		var seq int64
		var key sql.NullString
		row := &receiptRow{}
		err := r.Scan(&seq, &key, &row.Kind, &row.By, &row.State, &row.Step, &row.Started, &row.Reason)
		row.Key, rows[seq] = key.String, row
		return err
	}, selectReceipts, run)
	return rows, err
}

// event follows one event of the log. A log that cannot be followed is a finding, and the end of it.
func (r *rebuild) event(l *logRow) {
	p := &payload{data: l.Data, blob: []byte{}, digest: l.payloadDigest()}
	var err error
	switch {
	case l.Seq == 1:
		err = r.start(l, p)
	case r.h == nil:
		return
	case l.Kind == rein.RunResumed:
		if _, err = r.w.append(r.h, rein.Event{Kind: l.Kind, By: l.By, At: l.At}, p); err == nil {
			r.h.wakeBy(l.At)
		}
	case l.Kind.Command() != "":
		err = r.command(l, p)
	default:
		err = r.drive(l, p)
	}
	if err != nil {
		r.wrong("event %d does not follow from those before it: %v", l.Seq, err)
		r.h = nil
	}
}

// start makes the run's row.
func (r *rebuild) start(l *logRow, p *payload) error {
	start, err := r.startOf(l)
	if err != nil {
		return err
	}
	s := &starting{Start: store.Start{Run: l.Run, Digest: r.row.Digest, Start: start, At: l.At}, payload: p, spend: l.Spend}
	h := &head{id: l.Run, status: rein.StatusReady, digest: r.row.Digest, noAsks: true}
	h.wakeBy(l.At)
	for _, step := range []func(*head, *starting) error{r.w.openAccount, r.w.joinSession, r.w.create} {
		if err := step(h, s); err != nil {
			return err
		}
	}
	r.h = h
	return nil
}

// command follows what someone sent.
func (r *rebuild) command(l *logRow, p *payload) error {
	c, err := r.commandOf(l)
	if err != nil {
		return err
	}
	if c.Kind == rein.CommandChild {
		_, err := r.w.appendCommand(r.h, c, p, l.At)
		if r.h.status == rein.StatusWaiting {
			r.h.wakeBy(l.At)
		}
		return errors.Join(err, r.isThere(c.Child, l))
	}
	s := &sent{Command: c, at: l.At, payload: p}
	if s.digest, err = contentDigest(c); err != nil {
		return err
	}
	if c.Kind != rein.CommandAnswer && c.Kind != rein.CommandExpire {
		_, err := r.w.take(r.h, s)
		return err
	}
	ask, err := r.w.ask(r.h, c.Ask)
	if err != nil {
		return err
	}
	_, err = r.w.takeAnswer(r.h, s, ask)
	return err
}

// drive follows what the driver wrote.
func (r *rebuild) drive(l *logRow, p *payload) error {
	d, err := r.draftOf(l)
	if err != nil {
		return err
	}
	r.h.next(rein.Event{Kind: l.Kind, Step: l.Step, At: l.At, By: l.By, Spend: l.Spend}, p)
	r.h.status, r.h.wake.Valid = rein.StatusRunning, false // who appends has claimed it
	if l.Kind.Ends() {
		if err := r.passedOn(l); err != nil {
			return err
		}
	}
	return r.w.follow(r.ctx, r.h, d)
}

// passedOn follows the messages that came too late for the run: which of them started the next one is in
// the log of that one, and that a limit did not let it start is in none.
func (r *rebuild) passedOn(l *logRow) error {
	for seq, row := range r.receipts {
		receipt := rein.Receipt{State: rein.ReceiptState(row.State), Started: row.Started}
		switch {
		case row.Started != "":
			if err := r.follows(row.Started); err != nil {
				return err
			}
		case l.Kind == rein.RunCompleted && len(row.Reason) > len(refusedNext) && row.Reason[:len(refusedNext)] == refusedNext:
			receipt = rein.Receipt{State: rein.ReceiptNotApplied, Reason: row.Reason}
		default:
			continue
		}
		if err := r.w.receipt(r.h, rein.NewCommandID(r.h.id, seq), receipt); err != nil {
			return err
		}
	}
	return nil
}

// rebuilders are writers of empty tables in memory, ready to be used.
type rebuilders struct {
	mu   sync.Mutex
	idle []*writer
}

// rebuilding calls do with empty tables.
func (s *Store) rebuilding(do func(*writer) error) error {
	w, err := s.rebuilders.take()
	if err != nil {
		return err
	}
	err = w.exec(w.begin)
	if err == nil {
		err = do(w)
	}
	w.abort()
	s.rebuilders.mu.Lock()
	defer s.rebuilders.mu.Unlock()
	s.rebuilders.idle = append(s.rebuilders.idle, w)
	return err
}

func (r *rebuilders) take() (*writer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.idle); n > 0 {
		w := r.idle[n-1]
		r.idle = r.idle[:n-1]
		return w, nil
	}
	return newMemory()
}

func (r *rebuilders) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, w := range r.idle {
		errs = append(errs, w.close(), w.store.write.Close())
	}
	r.idle = nil
	return errors.Join(errs...)
}

// newMemory makes a writer of tables in memory, which are this program's.
func newMemory() (*writer, error) {
	s := &Store{path: "memory", write: connectMemory()}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	for _, file := range files { // in the order of their numbers
		script, err := migrations.ReadFile(file)
		if err == nil {
			_, err = s.write.Exec(string(script))
		}
		if err != nil {
			return nil, errors.Join(err, s.write.Close())
		}
	}
	return newWriter(context.Background(), s, Options{})
}

// decode reads the payload of an event that was not erased. One that its writer left out is empty.
func decode[T any](l *logRow) (value T, err error) {
	if len(l.Data) == 0 {
		return value, nil
	}
	return rein.Payload[T](l.Event)
}
