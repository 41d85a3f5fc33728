package past

import (
	"cmp"
	"context"
	"slices"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/household/branches"
	"rein/store"
)

// A Fold stands for the oldest runs of a session.
type Fold struct {
	Digest rein.Hash // of the messages that it replaces
	Base   rein.Hash // the fold that was among them; zero: none
	Runs   []rein.RunID
	Text   string
}

// Message is how a prompt shows the fold.
func (f Fold) Message() rein.Message {
	return rein.Message{Role: rein.System, Text: guard.Quoted(f.Text), Past: &rein.Past{Fold: f.Digest}}
}

// An Origin is the step that made a fold.
type Origin struct {
	Run  rein.RunID
	Step rein.StepKey
	At   time.Time
}

// Keep writes a fold, with the runs that it replaces beside its base. If there is one of the same
// messages already, that one stays.
func Keep(ctx context.Context, tx rein.Tx, p rein.Place, f Fold, o Origin) error {
	base, baseN := "", int64(0) // a branch may have the base from the session that it leaves
	covers := int64(len(f.Runs))
	if f.Base != (rein.Hash{}) {
		base = f.Base.String()
		if err := one(ctx, tx, []any{&baseN, &covers}, `SELECT n, covers + ? FROM session_folds
			WHERE household = ? AND user_name = ? AND digest = ?`, len(f.Runs), p.Household, p.User, base); err != nil {
			return err
		}
		if baseN == 0 {
			return nil // it was erased meanwhile, and what it quoted must not come back
		}
	}
	result, err := tx.ExecContext(ctx, `INSERT INTO session_folds (household, user_name, session, digest, base, covers, text, created, run, step)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		p.Household, p.User, p.Session, f.Digest.String(), base, covers, f.Text, o.At.UnixMicro(), string(o.Run), string(o.Step))
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); n == 0 || err != nil {
		return err
	}
	for _, run := range f.Runs {
		if _, err := tx.ExecContext(ctx, `INSERT INTO session_fold_runs (fold_n, run)
			SELECT n, ? FROM session_folds WHERE household = ? AND user_name = ? AND session = ? AND digest = ?`,
			string(run), p.Household, p.User, p.Session, f.Digest.String()); err != nil {
			return err
		}
	}
	return nil
}

// Newest returns the fold of a session, or of one that it is a branch of, that stands for the most runs, all of which
// may be told; nil if there is none. Its Runs are all that it quotes.
func Newest(ctx context.Context, q store.Query, p rein.Place, mayTell func(rein.RunID) bool) (*Fold, error) {
	origins, err := branches.Origins(ctx, q, p)
	if err != nil {
		return nil, err
	}
	folds, err := list(ctx, q, p)
	for _, o := range origins {
		if err == nil {
			var more []row
			more, err = list(ctx, q, rein.Place{Household: p.Household, User: p.User, Session: o.From.Session})
			folds = append(folds, more...)
		}
	}
	slices.SortStableFunc(folds, func(a, b row) int { return cmp.Compare(b.covers, a.covers) })
	if err != nil {
		return nil, err
	}
	for _, f := range folds {
		if f.Runs, err = quoted(ctx, q, f.n); err != nil {
			return nil, err
		}
		if all(f.Runs, mayTell) {
			return &f.Fold, one(ctx, q, []any{&f.Text}, `SELECT text FROM session_folds WHERE n = ?`, f.n)
		}
	}
	return nil, nil
}

type row struct {
	Fold
	n, covers int64
}

func list(ctx context.Context, q store.Query, p rein.Place) (folds []row, err error) {
	rows, err := q.QueryContext(ctx, `SELECT n, digest, covers FROM session_folds
		WHERE household = ? AND user_name = ? AND session = ? ORDER BY covers DESC, n`, p.Household, p.User, p.Session)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f row
		var digest string
		if err := rows.Scan(&f.n, &digest, &f.covers); err != nil {
			return nil, err
		}
		if err := f.Digest.UnmarshalText([]byte(digest)); err != nil {
			return nil, rein.Errorf(rein.CodeDamaged, "fold %d of session %q: %w", f.n, p.Session, err)
		}
		folds = append(folds, f)
	}
	return folds, rows.Err()
}

// quoted returns the runs that a fold stands for, its base's included.
func quoted(ctx context.Context, q store.Query, n int64) ([]rein.RunID, error) {
	return runs(ctx, q, `WITH RECURSIVE chain (n, household, user_name, base) AS (
			SELECT n, household, user_name, base FROM session_folds WHERE n = ?
			UNION SELECT f.n, f.household, f.user_name, f.base FROM chain c JOIN session_folds f
				ON f.household = c.household AND f.user_name = c.user_name AND f.digest = c.base)
		SELECT r.run FROM chain c JOIN session_fold_runs r ON r.fold_n = c.n`, n)
}

// quoting selects the folds that quote a run: those that replace it, those that it made, whose texts are in its log, and
// those that take these along. A base may be of another session: a digest is of what was said, so folds of one digest
// stand for the same runs.
const quoting = `WITH RECURSIVE quoting (n) AS (
		SELECT fold_n FROM session_fold_runs WHERE run = ?1
		UNION SELECT n FROM session_folds WHERE run = ?1
		UNION SELECT g.n FROM quoting q JOIN session_folds f ON f.n = q.n JOIN session_folds g
			ON g.base = f.digest AND g.base <> '' AND g.household = f.household AND g.user_name = f.user_name)`

// Quotes returns the numbers of the folds that quote a run.
func Quotes(ctx context.Context, q store.Query, run rein.RunID) ([]int64, error) {
	return numbers(ctx, q, quoting+` SELECT n FROM quoting`, string(run))
}

// Forget takes away the folds that quote a run. It returns the runs whose steps made them: their logs
// hold the same texts.
func Forget(ctx context.Context, tx rein.Tx, run rein.RunID) (makers []rein.RunID, err error) {
	if makers, err = runs(ctx, tx, quoting+` SELECT DISTINCT run FROM session_folds WHERE n IN (SELECT n FROM quoting)`, string(run)); err != nil {
		return nil, err
	}
	folds, err := Quotes(ctx, tx, run)
	for _, n := range folds {
		if _, err := tx.ExecContext(ctx, `DELETE FROM session_fold_runs WHERE fold_n = ?`, n); err != nil {
			return nil, err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM session_folds WHERE n = ?`, n); err != nil {
			return nil, err
		}
	}
	return makers, err
}

func runs(ctx context.Context, q store.Query, query string, args ...any) ([]rein.RunID, error) {
	return column[rein.RunID](ctx, q, query, args...)
}

func numbers(ctx context.Context, q store.Query, query string, args ...any) ([]int64, error) {
	return column[int64](ctx, q, query, args...)
}

func column[T any](ctx context.Context, q store.Query, query string, args ...any) (all []T, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v T
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// one scans the first row; if there is none the values stay as they are.
func one(ctx context.Context, q store.Query, into []any, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
	}
	return rows.Err()
}

func all(runs []rein.RunID, is func(rein.RunID) bool) bool {
	for _, run := range runs {
		if !is(run) {
			return false
		}
	}
	return true
}
