package memory

import (
	"context"
	"database/sql"
	"time"

	"rein"
	"rein/store"
)

// A Snapshot is a short fact about how things are now, which will not be true for long.
type Snapshot struct {
	Text    string     `json:"text"`
	Scope   Scope      `json:"scope"`
	By      string     `json:"by,omitempty"` // the user whose run noted it
	Source  rein.RunID `json:"source,omitempty"`
	At      time.Time  `json:"at"`
	Expires time.Time  `json:"expires"`
}

// Scope says for whom a snapshot is. What is not for the household is for the user.
type Scope string

const (
	ForUser      Scope = "user"
	ForHousehold Scope = "household"
)

// MaxLife is how long a snapshot can last.
const MaxLife = 90 * 24 * time.Hour

// Snapshots returns what holds now: of the owner, and of everyone of the household what is meant for
// all. The newest come first.
func Snapshots(ctx context.Context, q store.Query, o Owner, now time.Time) ([]Snapshot, error) {
	return list(ctx, q, scanSnapshot, selectSnapshots+` AND (scope = 'household' OR user_name = ?) AND expires > ? ORDER BY created DESC, n DESC LIMIT ?`,
		o.Household, o.User, micros(now), maxOther)
}

// OwnSnapshots returns all snapshots of the owner that are kept, the newest first.
func OwnSnapshots(ctx context.Context, q store.Query, o Owner) ([]Snapshot, error) {
	return listAll(ctx, q, scanSnapshot, selectSnapshots+` AND user_name = ? ORDER BY created DESC, n DESC`, o.Household, o.User)
}

const selectSnapshots = `SELECT text, scope, user_name, source, created, expires FROM snapshots WHERE household = ?`

func scanSnapshot(rows *sql.Rows) (s Snapshot, size int, err error) {
	var at, expires int64
	err = rows.Scan(&s.Text, &s.Scope, &s.By, &s.Source, &at, &expires)
	s.At, s.Expires = timeOf(at), timeOf(expires)
	return s, len(s.Text), err
}

// SaveSnapshots keeps snapshots, each in the place of an older one of the owner in the same words.
// Those of the household that have expired by then go.
func SaveSnapshots(ctx context.Context, tx rein.Tx, o Owner, by Origin, snapshots []Snapshot) error {
	for i, s := range snapshots {
		if s.Text = line(s.Text); s.Text == "" {
			continue
		}
		if s.Scope != ForHousehold {
			s.Scope = ForUser
		}
		if last := s.At.Add(MaxLife); s.Expires.After(last) {
			s.Expires = last
		}
		for _, step := range []struct {
			query string
			args  []any
		}{
			{`DELETE FROM snapshots WHERE household = ? AND expires <= ?`, []any{o.Household, micros(s.At)}},
			{`DELETE FROM snapshots WHERE household = ? AND user_name = ? AND text = ?`, []any{o.Household, o.User, s.Text}},
			{
				`INSERT INTO snapshots (household, user_name, scope, text, source, created, expires, run, step, item)
					VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
				[]any{o.Household, o.User, string(s.Scope), s.Text, string(s.Source), micros(s.At), micros(s.Expires), string(by.Run), string(by.Step), i},
			},
		} {
			if err := exec(ctx, tx, step.query, step.args...); err != nil {
				return err
			}
		}
	}
	return exec(ctx, tx, `DELETE FROM snapshots WHERE household = ? AND user_name = ? AND n NOT IN
		(SELECT n FROM snapshots WHERE household = ? AND user_name = ? ORDER BY created DESC, n DESC LIMIT ?)`,
		o.Household, o.User, o.Household, o.User, keepRows)
}
