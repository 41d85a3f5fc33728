package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"rein"
	"rein/store"
)

// page is how many rows a view reads at once. Between pages no transaction is open, so that a slow
// reader holds up neither the checkpoints nor the other readers.
const page = 256

// Statements that join tables compare a column with +? instead of ?. SQLite plans such a statement again at every call
// if what it compares with is a parameter and nothing else, and that takes longer than to run it.
const (
	runColumns = `SELECT r.n, s.household_n, r.id, h.name, s.user, s.id, r.flow, r.title, r.status, r.ending, r.paused, r.mode, r.epoch, r.digest,
		r.seq, r.command, r.started, r.changed, r.wake_at, r.erased, r.outcome, r.workspace, r.used`
	selectRuns = runColumns + ` FROM runs r JOIN sessions s ON s.n = r.session_n JOIN households h ON h.n = s.household_n`
	selectText = `SELECT data FROM texts WHERE hash = ? AND household_n = ?`
)

// A runRow is a run as its row has it.
type runRow struct {
	rein.RunInfo
	n, household int64
	outcome      []byte
	isOld        bool // its row does not know its workspace yet
}

func scanRun(row interface{ Scan(...any) error }) (*runRow, error) {
	r := &runRow{}
	var digest, used []byte
	var started, changed int64
	var wake sql.NullInt64
	var workspace sql.NullString
	err := row.Scan(&r.n, &r.household, &r.ID, &r.Household, &r.User, &r.Session, &r.Flow, &r.Title, &r.Status, &r.Ending, &r.Paused, &r.Mode,
		&r.Epoch, &digest, &r.Seq, &r.Command, &started, &changed, &wake, &r.Erased, &r.outcome, &workspace, &used)
	if err == nil {
		r.Used, err = unpackAmount(used)
	}
	if err != nil {
		return nil, err
	}
	r.Workspace, r.isOld = workspace.String, !workspace.Valid
	copy(r.Digest[:], digest)
	r.Started, r.Changed = micros(started), micros(changed)
	if r.Status.Ended() {
		r.Ended = r.Changed
	}
	if wake.Valid {
		r.WakeAt = micros(wake.Int64)
	}
	return r, nil
}

// finish adds what is kept apart.
func (r *runRow) finish(lookup func(rein.Hash) ([]byte, bool)) (rein.RunInfo, error) {
	if r.outcome == nil {
		return r.RunInfo, nil
	}
	data, err := store.Unpack(r.outcome, lookup)
	if err != nil {
		return r.RunInfo, err
	}
	r.Outcome = &rein.RunEnd{}
	if err := json.Unmarshal(data, r.Outcome); err != nil {
		return r.RunInfo, rein.Errorf(rein.CodeDamaged, "the outcome of run %s cannot be read: %w", r.ID, err)
	}
	return r.RunInfo, nil
}

func micros(n int64) time.Time { return time.UnixMicro(n).UTC() }

// info is the run as the transaction under way leaves it.
func (w *writer) info(h *head) (rein.RunInfo, error) {
	row, err := scanRun(w.getInfo.QueryRowContext(context.Background(), string(h.id)))
	if err != nil {
		return rein.RunInfo{}, err
	}
	return row.finish(w.texts(h.household))
}

// view runs do on one snapshot of the store.
func (s *Store) view(ctx context.Context, do func(*snapshot) error) error {
	r, err := s.borrow(ctx)
	if err != nil {
		return s.fault("read", err)
	}
	defer s.giveBack(r)
	if err := r.begin(ctx); err != nil {
		return s.fault("read", err)
	}
	v := &snapshot{ctx: ctx, tx: r}
	err = do(v)
	if v.failed != nil {
		err = v.failed
	}
	return s.fault("read", err)
}

// A snapshot is the store as it is at one moment.
type snapshot struct {
	ctx context.Context
	tx  querier // a transaction
	// failed is why a text could not be looked up. It must not pass for damage.
	failed error
}

type querier interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

func (v *snapshot) texts(household int64) func(rein.Hash) ([]byte, bool) {
	return func(hash rein.Hash) (text []byte, found bool) {
		err := v.tx.QueryRowContext(v.ctx, selectText, hash[:], household).Scan(&text)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			v.failed = err
		}
		return text, err == nil
	}
}

// each calls row for every row of the query.
func (v *snapshot) each(row func(*sql.Rows) error, query string, args ...any) error {
	rows, err := v.tx.QueryContext(v.ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (v *snapshot) run(id rein.RunID) (*runRow, error) {
	row, err := scanRun(v.tx.QueryRowContext(v.ctx, selectRuns+` WHERE r.id = +?`, string(id)))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, notFound(id)
	}
	return row, err
}

// Run implements store.Views.
func (s *Store) Run(ctx context.Context, id rein.RunID) (info rein.RunInfo, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		row, err := v.run(id)
		if err != nil {
			return err
		}
		info, err = row.finish(v.texts(row.household))
		return err
	})
	return info, err
}

// selectSize looks at lengths, which SQLite knows without reading what is so long. A text that many events
// have counts once.
const selectSize = `SELECT (SELECT coalesce(sum(length(e.data)), 0) FROM events e WHERE e.run_n = r.n) +
	(SELECT coalesce(sum(length(t.data)), 0) FROM text_refs f JOIN texts t ON t.n = f.text_n WHERE f.run_n = r.n)
	FROM runs r WHERE r.id = ?`

// LogSize implements store.Views.
func (s *Store) LogSize(ctx context.Context, run rein.RunID) (size int64, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		err := v.tx.QueryRowContext(ctx, selectSize, string(run)).Scan(&size)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return size, err
}

// below selects a run and everything below it: '/' is the character after the separator.
const below = `(r.id = +?1 OR r.id > ?1 || '.' AND r.id < ?1 || '/')`

// Runs implements store.Logs.
func (s *Store) Runs(ctx context.Context, f store.Filter) iter.Seq2[rein.RunInfo, error] {
	return eachRun(f, func(do func(*snapshot) error) error { return s.view(ctx, do) })
}

// eachRun yields the runs that a filter selects, page by page, each page seen through view.
func eachRun(f store.Filter, view func(func(*snapshot) error) error) iter.Seq2[rein.RunInfo, error] {
	return func(yield func(rein.RunInfo, error) bool) {
		q := newRunsQuery(f)
		for left := f.Limit; ; {
			want := page
			if f.Limit > 0 {
				want = min(left, page)
			}
			var found runsPage
			err := view(func(v *snapshot) (err error) {
				found, err = q.page(v, want)
				return err
			})
			if err != nil {
				yield(rein.RunInfo{}, err)
				return
			}
			for _, run := range found.runs {
				if !yield(run, nil) {
					return
				}
			}
			left -= len(found.runs)
			if found.over || f.Limit > 0 && left == 0 {
				return
			}
		}
	}
}

// Due implements store.DriverViews.
func (s *Store) Due(ctx context.Context, now time.Time, limit int) (due []rein.RunID, next time.Time, err error) {
	ask := -1
	if limit > 0 {
		ask = limit + 1
	}
	err = s.view(ctx, func(v *snapshot) error {
		return v.each(func(r *sql.Rows) error {
			var id rein.RunID
			var wake int64
			if err := r.Scan(&id, &wake); err != nil {
				return err
			}
			switch at := micros(wake); {
			case !next.IsZero():
			case at.After(now) || limit > 0 && len(due) == limit:
				next = at
			default:
				due = append(due, id)
			}
			return nil
		}, `SELECT id, wake_at FROM runs WHERE wake_at IS NOT NULL ORDER BY wake_at, n LIMIT ?`, ask)
	})
	return due, next, err
}
