package memory

import (
	"context"
	"database/sql"
	"slices"

	"rein/store"
)

// A Noted is a preference with whose it is.
type Noted struct {
	User string // empty: the whole household's
	Preference
}

// shared are the preferences that everyone of a household may know: who cooks for all of them has to.
var shared = []string{Allergies, Diet, Units}

// Table returns what everyone of a household must not eat, their diets and their units: of all its users, and what holds for
// the whole household. All other preferences stay with their user.
func Table(ctx context.Context, q store.Query, household string) ([]Noted, error) {
	all, err := listAll(ctx, q, func(rows *sql.Rows) (o Noted, size int, err error) {
		var at int64
		err = rows.Scan(&o.User, &o.Name, &o.Value, &at)
		o.At, o.Wide = timeOf(at), o.User == ""
		return o, len(o.Name) + len(o.Value), err
	}, `SELECT user_name, key, value, changed FROM preferences WHERE household = ? ORDER BY user_name, key`, household)
	return slices.DeleteFunc(all, func(o Noted) bool {
		return !slices.Contains(shared, PlainName(o.Name))
	}), err
}

// PlainName is a name of a preference as it is kept now: older ones may have another.
func PlainName(name string) string {
	for _, k := range known {
		if slices.Contains(k.also, name) {
			return k.name
		}
	}
	return name
}
