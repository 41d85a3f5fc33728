// Package feedback keeps what people think of runs: a thumb and a comment per user and run. It has the rules and the SQL. It
// is not part of the log, which is closed when the run ends: people judge a run after that.
package feedback

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"rein"
	"rein/store"
)

// What people rate a run as.
const (
	Up   = "up"
	Down = "down"
)

// Feedback is what one user thinks of one run.
type Feedback struct {
	Household string
	Run       rein.RunID
	User      string
	Rating    string // empty: they think nothing
	Comment   string
	Changed   time.Time
}

// MaxComment is how many bytes a comment may have.
const MaxComment = 4000

func (f Feedback) check() error {
	switch {
	case f.Rating != Up && f.Rating != Down && f.Rating != "":
		return rein.Errorf(rein.CodeInvalid, "rating is %.40q; it must be up, down, or empty to remove it", f.Rating)
	case f.Rating == "" && f.Comment != "":
		return rein.Errorf(rein.CodeInvalid, "a comment needs a rating: send up or down with it")
	case len(f.Comment) > MaxComment || !utf8.ValidString(f.Comment):
		return rein.Errorf(rein.CodeInvalid, "a comment is text of at most %d bytes; this one has %d", MaxComment, len(f.Comment))
	}
	return nil
}

// A Book keeps feedback.
type Book struct{ Tables store.Tables }

// Give keeps what a user thinks of a run, in place of what they thought before.
func (b Book) Give(ctx context.Context, f Feedback) error {
	f.Comment = strings.TrimSpace(f.Comment)
	if err := f.check(); err != nil {
		return err
	}
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if f.Rating == "" {
			return Erase(ctx, tx, []Feedback{f})
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO run_feedback (household, run, user_name, rating, comment, changed) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (household, run, user_name) DO UPDATE SET rating = excluded.rating, comment = excluded.comment, changed = excluded.changed`,
			f.Household, string(f.Run), f.User, f.Rating, f.Comment, time.Now().UnixMicro())
		return err
	})
}

// Of returns what people think of a run, by user.
func (b Book) Of(ctx context.Context, household string, run rein.RunID) (all []Feedback, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err = list(ctx, q, "household = ? AND run = ? ORDER BY user_name", household, string(run))
		return err
	})
	return all, err
}

// KeptOf returns the feedback of a household, for an erasure.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Feedback, error) {
	return list(ctx, q, "household = ? ORDER BY run, user_name", household)
}

// Erase removes feedback, in the transaction of an erasure.
func Erase(ctx context.Context, tx rein.Tx, gone []Feedback) error {
	for _, f := range gone {
		_, err := tx.ExecContext(ctx, `DELETE FROM run_feedback WHERE household = ? AND run = ? AND user_name = ?`, f.Household, string(f.Run), f.User)
		if err != nil {
			return err
		}
	}
	return nil
}

func list(ctx context.Context, q store.Query, where string, args ...any) (all []Feedback, err error) {
	rows, err := q.QueryContext(ctx, `SELECT household, run, user_name, rating, comment, changed FROM run_feedback WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f Feedback
		var changed int64
		if err := rows.Scan(&f.Household, &f.Run, &f.User, &f.Rating, &f.Comment, &changed); err != nil {
			return nil, err
		}
		f.Changed = time.UnixMicro(changed).UTC()
		all = append(all, f)
	}
	return all, rows.Err()
}
