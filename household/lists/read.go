package lists

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/store"
)

// All returns the lists that a user sees, with their items: groceries first, then by name.
func All(ctx context.Context, q store.Query, who Who) ([]List, error) {
	found, err := read(ctx, q, `household = ? AND owner IN ('', ?) ORDER BY kind = 'groceries' DESC, key, owner DESC`, who.Household, who.User)
	if err != nil {
		return nil, err
	}
	return withItems(ctx, q, found)
}

// Find returns a list that a user sees, by its ID or its name: of two with one name their own comes first. An empty name is
// the list of groceries. What they do not see does not exist.
func Find(ctx context.Context, q store.Query, who Who, name string) (List, error) {
	where, args := `(id = ? OR key = ?) AND owner IN ('', ?) ORDER BY id = ? DESC, owner DESC`, []any{name, keyOf(name), who.User, name}
	if name == "" {
		where, args = `kind = ? AND owner IN ('', ?)`, []any{string(Groceries), who.User}
	}
	found, err := read(ctx, q, `household = ? AND `+where+` LIMIT 1`, append([]any{who.Household}, args...)...)
	if err != nil {
		return List{}, err
	}
	if len(found) == 0 && name != "" && IsGroceries(name) {
		return Find(ctx, q, who, "")
	}
	if found, err = withItems(ctx, q, found); err != nil {
		return List{}, err
	}
	if len(found) == 0 || !found[0].sees(who) {
		if name == "" {
			return List{}, rein.Errorf(rein.CodeNotFound, "there is no list of groceries yet: add something, and it is made")
		}
		return List{}, rein.Errorf(rein.CodeNotFound, "there is no list %.80q: see which lists there are, or create it", name)
	}
	return found[0], nil
}

// IsGroceries reports whether a name means the list of groceries, whatever that is called: no name does too.
func IsGroceries(name string) bool {
	return slices.Contains(groceryNames, keyOf(name))
}

var groceryNames = []string{"", "groceries", "grocery list", "shopping list", "boodschappen", "boodschappenlijst", "boodschappenlijstje"}

// FindItem returns an item of a list by its number, its ID or its text, in that order. Of several with one text the first one
// that is not done is meant.
func (l List) FindItem(name string) (Item, error) {
	name = strings.TrimPrefix(line(name), "#")
	n, err := strconv.Atoi(name)
	key, found := keyOf(name), -1
	for i, it := range l.Items {
		switch {
		case err == nil && it.Number == n, it.ID == name:
			return it, nil
		case it.key == key && (found < 0 || !l.Items[found].Done.IsZero() && it.Done.IsZero()):
			found = i
		}
	}
	if found < 0 {
		return Item{}, rein.Errorf(rein.CodeNotFound, "there is no %.80q on the list %q: name an item by its number or its text", name, l.Name)
	}
	return l.Items[found], nil
}

func read(ctx context.Context, q store.Query, where string, args ...any) ([]List, error) {
	return rowsOf(ctx, q, func(rows *sql.Rows) (l List, err error) {
		var created, changed int64
		err = rows.Scan(&l.ID, &l.Household, &l.Owner, &l.Name, &l.Kind, &l.Maker, &l.Run, &l.next, &l.Version, &created, &changed)
		l.Created, l.Changed, l.Items = timeOf(created), timeOf(changed), []Item{}
		return l, err
	}, `SELECT id, household, owner, name, kind, maker, run, next, version, created, changed FROM lists WHERE `+where, args...)
}

func withItems(ctx context.Context, q store.Query, all []List) (_ []List, err error) {
	for i := range all {
		all[i].Items, err = rowsOf(ctx, q, scanItem, `SELECT id, number, place, key, text, amount, unit, category, by_user, run, origin, added, done_by, done, version
			FROM list_items WHERE list = ? ORDER BY place, number`, all[i].ID)
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func scanItem(rows *sql.Rows) (it Item, err error) {
	var added, done int64
	err = rows.Scan(&it.ID, &it.Number, &it.place, &it.key, &it.Text, &it.Amount, &it.Unit, &it.Category, &it.By, &it.Run, &it.origin, &added, &it.DoneBy, &done, &it.Version)
	it.Added, it.Done = timeOf(added), timeOf(done)
	return it, err
}

func rowsOf[T any](ctx context.Context, q store.Query, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []T{}
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
