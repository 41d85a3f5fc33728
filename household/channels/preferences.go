package channels

import (
	"context"
	"encoding/json"
	"time"

	"rein"
	"rein/internal/civil"
	"rein/store"
)

// Preferences are how a user wants their messages.
type Preferences struct {
	Household, User string
	Quiet           []Quiet
	Zone            string // of the quiet hours, as Europe/Amsterdam; empty: that of the settings
	Language        string // as nl; empty: that of the settings
}

// QuietUntil returns when a message that comes now may be sent: now, or the end of the quiet hours.
func (p Preferences) QuietUntil(now time.Time, zone *time.Location) time.Time {
	return quietUntil(p.Quiet, now, zone)
}

// In returns the zone and the language of the user; what they have not chosen is that of the settings.
func (p Preferences) In(zone *time.Location, language string) (*time.Location, string) {
	if own, err := civil.Zone(p.Zone); err == nil && p.Zone != "" {
		zone = own
	}
	if p.Language != "" {
		language = p.Language
	}
	return zone, language
}

func (p Preferences) check(now time.Time) error {
	if p.Household == "" || p.User == "" {
		return rein.Errorf(rein.CodeInvalid, "preferences need a household and a user")
	}
	if len(p.Quiet) > maxQuiet {
		return rein.Errorf(rein.CodeInvalid, "there are %d quiet hours; at most %d are kept", len(p.Quiet), maxQuiet)
	}
	for _, q := range p.Quiet {
		if err := q.check(); err != nil {
			return err
		}
	}
	if p.Language != "" && !isTag(p.Language) {
		return rein.Errorf(rein.CodeInvalid, "%.40q is not a language: write a tag like nl or en", p.Language)
	}
	zone, err := civil.Zone(p.Zone)
	if err != nil {
		return err
	}
	if quietUntil(p.Quiet, now, zone).Sub(now) >= week {
		return rein.Errorf(rein.CodeInvalid, "these quiet hours leave no time of the week at which a message may come: make one of them shorter")
	}
	return nil
}

// isTag reports whether a text has the shape of a language tag.
func isTag(text string) bool {
	if len(text) < 2 || len(text) > 35 {
		return false
	}
	for _, c := range text {
		if c != '-' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// SetPreferences keeps how a user wants their messages, in place of what they wanted before.
func (b Book) SetPreferences(ctx context.Context, p Preferences) error {
	now := b.now()
	if err := p.check(now); err != nil {
		return err
	}
	quiet, err := json.Marshal(p.Quiet)
	if err != nil {
		return err
	}
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO delivery_preferences (household, user_name, quiet, zone, language, changed) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (household, user_name) DO UPDATE SET quiet = excluded.quiet, zone = excluded.zone, language = excluded.language, changed = excluded.changed`,
			p.Household, p.User, string(quiet), p.Zone, p.Language, now.UnixMicro())
		return err
	})
}

// Preferences returns how a user wants their messages.
func (b Book) Preferences(ctx context.Context, household, user string) (p Preferences, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		p, err = PreferencesOf(ctx, q, household, user)
		return err
	})
	return p, err
}

// PreferencesOf is Book.Preferences in a transaction or a snapshot.
func PreferencesOf(ctx context.Context, q store.Query, household, user string) (Preferences, error) {
	all, err := preferences(ctx, q, "household = ? AND user_name = ?", household, user)
	if err != nil || len(all) == 0 {
		return Preferences{Household: household, User: user}, err
	}
	return all[0], nil
}

// PreferencesKept returns the users of a household who have preferences, for an erasure.
func PreferencesKept(ctx context.Context, q store.Query, household string) ([]Preferences, error) {
	return preferences(ctx, q, "household = ? ORDER BY user_name", household)
}

// ErasePreferences removes preferences, in the transaction of an erasure.
func ErasePreferences(ctx context.Context, tx rein.Tx, gone []Preferences) error {
	for _, p := range gone {
		if _, err := tx.ExecContext(ctx, `DELETE FROM delivery_preferences WHERE household = ? AND user_name = ?`, p.Household, p.User); err != nil {
			return err
		}
	}
	return nil
}

func preferences(ctx context.Context, q store.Query, where string, args ...any) ([]Preferences, error) {
	rows, err := q.QueryContext(ctx, `SELECT household, user_name, quiet, zone, language FROM delivery_preferences WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Preferences
	for rows.Next() {
		var p Preferences
		var quiet string
		if err := rows.Scan(&p.Household, &p.User, &quiet, &p.Zone, &p.Language); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(quiet), &p.Quiet); err != nil {
			return nil, rein.Errorf(rein.CodeDamaged, "the quiet hours of %s cannot be read: set them again: %w", p.User, err)
		}
		all = append(all, p)
	}
	return all, rows.Err()
}
