package memory

import (
	"context"
	"database/sql"
	"time"

	"rein"
	"rein/store"
)

// A Preference is how a user wants something, by name.
type Preference struct {
	Key   string    `json:"key"`
	Value string    `json:"value"`
	At    time.Time `json:"at"`
}

// MaxPreferences is how many a user can have.
const MaxPreferences = 100

// Preferences returns the owner's preferences, by name.
func Preferences(ctx context.Context, q store.Query, o Owner) ([]Preference, error) {
	return list(ctx, q, func(rows *sql.Rows) (p Preference, size int, err error) {
		var at int64
		err = rows.Scan(&p.Key, &p.Value, &at)
		p.At = timeOf(at)
		return p, len(p.Key) + len(p.Value), err
	}, `SELECT key, value, changed FROM preferences WHERE household = ? AND user_name = ? ORDER BY key LIMIT ?`,
		o.Household, o.User, MaxPreferences)
}

// SetPreference keeps a preference in the place of the one of the same name. An empty value takes it
// away.
func SetPreference(ctx context.Context, tx rein.Tx, o Owner, p Preference) error {
	if p.Key = line(p.Key); p.Key == "" || len(p.Key) > 64 {
		return rein.Errorf(rein.CodeInvalid, "preference %.80q: its name must have 1 to 64 bytes", p.Key)
	}
	err := exec(ctx, tx, `DELETE FROM preferences WHERE household = ? AND user_name = ? AND key = ?`, o.Household, o.User, p.Key)
	if err != nil {
		return err
	}
	if p.Value = line(p.Value); p.Value == "" {
		return nil
	}
	others, err := Preferences(ctx, tx, o)
	if err != nil {
		return err
	}
	if len(others) >= MaxPreferences {
		return rein.Errorf(rein.CodeLimit, "there are %d preferences: take one away before %q is added", len(others), p.Key)
	}
	return exec(ctx, tx, `INSERT INTO preferences (household, user_name, key, value, changed) VALUES (?, ?, ?, ?, ?)`,
		o.Household, o.User, p.Key, p.Value, micros(p.At))
}
