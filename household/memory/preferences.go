package memory

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// A Preference is how somebody wants something, by name.
type Preference struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Wide says that it holds for everyone of the household.
	Wide   bool       `json:"household,omitempty"`
	By     string     `json:"by,omitempty"`     // the user who set it or agreed to it; empty: a run noted it
	Source rein.RunID `json:"source,omitempty"` // the run in which it was set; empty: by hand
	At     time.Time  `json:"at"`
}

// MaxPreferences is how many a user, and a household, can have.
const MaxPreferences = 100

// Text is the preference in one line.
func (p Preference) Text() string { return p.Name + ": " + p.Value }

// owner is whose row it is: nobody's if it is for the household.
func (p Preference) owner(o Owner) string {
	if p.Wide {
		return ""
	}
	return o.User
}

// Preferences returns the owner's preferences and those for the whole household, what matters most first: allergies, diet,
// language and units, then the others by name.
func Preferences(ctx context.Context, q store.Query, o Owner) ([]Preference, error) {
	all, err := listAll(ctx, q, func(rows *sql.Rows) (p Preference, size int, err error) {
		var at int64
		err = rows.Scan(&p.Name, &p.Value, &p.Wide, &p.By, &p.Source, &at)
		p.At = timeOf(at)
		return p, len(p.Name) + len(p.Value), err
	}, `SELECT key, value, user_name = '', set_by, source, changed FROM preferences
		WHERE household = ? AND user_name IN (?, '') ORDER BY user_name = '', key LIMIT ?`, o.Household, o.User, 2*MaxPreferences)
	slices.SortStableFunc(all, func(a, b Preference) int { return weightOf(a.Name) - weightOf(b.Name) })
	return all, err
}

// weightOf orders the known names before all others.
func weightOf(name string) int {
	if i := slices.IndexFunc(known, func(k knownName) bool { return k.name == name }); i >= 0 {
		return i
	}
	return len(known)
}

// SetPreference keeps a preference in the place of the one of the same name. An empty value takes it away. It returns the
// preference as it is kept.
func SetPreference(ctx context.Context, tx rein.Tx, o Owner, p Preference) (Preference, error) {
	p, err := p.Fit()
	if err != nil {
		return p, err
	}
	if err := exec(ctx, tx, `DELETE FROM preferences WHERE household = ? AND user_name = ? AND key = ?`, o.Household, p.owner(o), p.Name); err != nil || p.Value == "" {
		return p, err
	}
	all, err := Preferences(ctx, tx, o)
	if err != nil {
		return p, err
	}
	others := slices.DeleteFunc(all, func(has Preference) bool { return has.Wide != p.Wide })
	if len(others) >= MaxPreferences {
		return p, rein.Errorf(rein.CodeLimit, "there are %d preferences: remove one before you add %q", len(others), p.Name)
	}
	return p, exec(ctx, tx, `INSERT INTO preferences (household, user_name, key, value, changed, set_by, source) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		o.Household, p.owner(o), p.Name, p.Value, micros(p.At), p.By, string(p.Source))
}

// Fit checks a preference and brings it into the form in which it is kept.
func (p Preference) Fit() (Preference, error) {
	p.Name = strings.ToLower(line(p.Name))
	if p.Name == "" || len(p.Name) > maxName || strings.ContainsAny(p.Name, ":\"<>") {
		return p, rein.Errorf(rein.CodeInvalid, "preference %.80q: a name has 1 to %d bytes, without colons, quotes and angle brackets", p.Name, maxName)
	}
	if i := slices.IndexFunc(known, func(k knownName) bool { return slices.Contains(k.also, p.Name) }); i >= 0 {
		p.Name = known[i].name
	}
	if len(p.Value) > MaxText {
		return p, rein.Errorf(rein.CodeInvalid, "preference %s: its value has %d bytes; at most %d are kept", p.Name, len(p.Value), MaxText)
	}
	if p.Value = line(p.Value); p.Value == "" {
		return p, nil
	}
	i := weightOf(p.Name)
	if i == len(known) {
		return p, nil
	}
	value, err := known[i].fit(p.Value)
	if err != nil {
		return p, rein.Errorf(rein.CodeInvalid, "preference %s: %w", p.Name, err)
	}
	p.Value = value
	return p, nil
}

const maxName = 64
