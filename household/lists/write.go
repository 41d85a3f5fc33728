package lists

import (
	"context"
	"fmt"
	"time"

	"rein"
	"rein/internal/digest"
)

// A New is a list to be made.
type New struct {
	Name    string
	Private bool
	Kind    Kind
}

// Create makes a list. One of the same name that its users would mix it up with is CodeConflict.
func Create(ctx context.Context, tx rein.Tx, who Who, by Origin, n New, at time.Time) (List, error) {
	name, err := short("the name of the list", n.Name, MaxName, true)
	if err != nil {
		return List{}, err
	}
	l := List{
		ID: "l-" + digest.Joined(6, who.Household, who.User, string(by.Run), by.Step), Household: who.Household, Name: name, Kind: n.Kind, Maker: who.User, Run: by.Run,
		Version: 1, Created: at, Changed: at, Items: []Item{}, next: 1,
	}
	if n.Private {
		l.Owner = who.User
	}
	if n.Kind == Groceries { // everybody who makes it makes the same one
		l.ID, l.Owner = "l-"+digest.Joined(6, who.Household, string(Groceries)), ""
	}
	all, err := read(ctx, tx, `household = ?`, who.Household)
	if err != nil {
		return List{}, err
	}
	for _, has := range all {
		switch {
		case has.ID == l.ID:
			return Find(ctx, tx, who, l.ID) // by an earlier attempt
		case has.sees(who) && keyOf(has.Name) == keyOf(name):
			return List{}, rein.Errorf(rein.CodeConflict, "there is a list %q already: choose another name, or use that one", has.Name)
		}
	}
	if len(all) >= MaxLists {
		return List{}, rein.Errorf(rein.CodeLimit, "the household has %d lists, and can have no more: delete one first", len(all))
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO lists (id, household, owner, key, name, kind, maker, named_by, run, next, version, created, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1, ?, ?)`,
		l.ID, l.Household, l.Owner, keyOf(l.Name), l.Name, string(l.Kind), l.Maker, l.Maker, string(l.Run), micros(at), micros(at))
	return l, err
}

// An Addition is something to be added to a list.
type Addition struct {
	Text, Unit, Category string
	Amount               Amount
}

// check returns an addition as it is kept.
func (a Addition) check() (_ Addition, err error) {
	if a.Text, err = short("the text of the item", a.Text, MaxText, true); err != nil {
		return a, err
	}
	if a.Category, err = short("the category", a.Category, MaxCategory, false); err != nil {
		return a, err
	}
	if a.Unit, err = unitOf(a.Unit); err != nil {
		return a, err
	}
	if a.Amount < 0 || a.Amount > MaxAmount*1000 {
		return a, rein.Errorf(rein.CodeInvalid, "the amount of %q must be from 0 to %d", a.Text, MaxAmount)
	}
	return a, nil
}

// Fit returns additions as they are kept, or says what is wrong with them.
func Fit(all []Addition) ([]Addition, error) {
	if len(all) == 0 || len(all) > MaxAtOnce {
		return nil, rein.Errorf(rein.CodeInvalid, "%d items are given; add 1 to %d at a time", len(all), MaxAtOnce)
	}
	kept := make([]Addition, len(all))
	for i, a := range all {
		var err error
		if kept[i], err = a.check(); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// Merge makes one addition of those with one text, where their units allow it.
func Merge(all []Addition) ([]Addition, error) {
	for i, a := range all { // Fit says how many there may be, once they are merged
		var err error
		if all[i], err = a.check(); err != nil {
			return nil, err
		}
	}
	var merged []Addition
next:
	for _, a := range all {
		for i, has := range merged {
			amount, unit, ok := sum(has.Amount, has.Unit, a.Amount, a.Unit)
			if ok && keyOf(has.Text) == keyOf(a.Text) {
				merged[i].Amount, merged[i].Unit = amount, unit
				continue next
			}
		}
		merged = append(merged, a)
	}
	return Fit(merged)
}

// Add adds items to a list, and returns it. What is on it already, not done and in a unit that can be added to, becomes more of
// it and stays that of who added it first.
func Add(ctx context.Context, tx rein.Tx, who Who, by Origin, list string, all []Addition, at time.Time) (List, error) {
	all, err := Fit(all)
	if err != nil {
		return List{}, err
	}
	l, err := Find(ctx, tx, who, list)
	if err != nil {
		return l, err
	}
	for n, a := range all {
		if err := l.add(ctx, tx, who, by, n, a, at); err != nil {
			return l, err
		}
	}
	return l.touch(ctx, tx, who, at)
}

// add adds one item, the n-th of its origin.
func (l *List) add(ctx context.Context, tx rein.Tx, who Who, by Origin, n int, a Addition, at time.Time) error {
	origin := fmt.Sprintf("%s:%s:%s:%d", who.User, by.Run, by.Step, n)
	id := "i-" + digest.Joined(8, l.ID, origin)
	for i, it := range l.Items {
		if it.ID == id || it.origin == origin {
			return nil // by an earlier attempt
		}
		if it.key != keyOf(a.Text) || !it.Done.IsZero() {
			continue
		}
		amount, unit, ok := sum(it.Amount, it.Unit, a.Amount, a.Unit)
		if !ok {
			continue
		}
		l.Items[i].Amount, l.Items[i].Unit, l.Items[i].origin = amount, unit, origin
		_, err := tx.ExecContext(ctx, `UPDATE list_items SET amount = ?, unit = ?, origin = ?, version = version + 1 WHERE id = ?`, int64(amount), unit, origin, it.ID)
		return err
	}
	if len(l.Items) >= MaxItems {
		return rein.Errorf(rein.CodeLimit, "the list %q has %d items, and can have no more: remove those that are done", l.Name, len(l.Items))
	}
	it := Item{ID: id, Number: l.next, Text: a.Text, key: keyOf(a.Text), Amount: a.Amount, Unit: a.Unit, Category: a.Category, By: who.User, Run: by.Run, Added: at, Version: 1, origin: origin, place: int64(l.next)}
	l.next++
	l.Items = append(l.Items, it)
	_, err := tx.ExecContext(ctx, `INSERT INTO list_items (id, list, number, place, key, text, amount, unit, category, by_user, wrote, run, origin, added, done_by, done, version)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0, 1)`,
		it.ID, l.ID, it.Number, it.place, it.key, it.Text, int64(it.Amount), it.Unit, it.Category, it.By, it.By, string(it.Run), origin, micros(at))
	return err
}

// touch records that a list has changed, and returns it as it is now.
func (l List) touch(ctx context.Context, tx rein.Tx, who Who, at time.Time) (List, error) {
	if _, err := tx.ExecContext(ctx, `UPDATE lists SET next = ?, version = version + 1, changed = ? WHERE id = ?`, l.next, micros(at), l.ID); err != nil {
		return l, err
	}
	return Find(ctx, tx, who, l.ID)
}

// Check says of items that they are done, or not after all.
func Check(ctx context.Context, tx rein.Tx, who Who, list string, items []string, done bool, at time.Time) (List, error) {
	return each(ctx, tx, who, list, items, at, func(it Item) error {
		if !it.Done.IsZero() == done {
			return nil
		}
		by, when := "", int64(0)
		if done {
			by, when = who.User, micros(at)
		}
		_, err := tx.ExecContext(ctx, `UPDATE list_items SET done_by = ?, done = ?, version = version + 1 WHERE id = ?`, by, when, it.ID)
		return err
	})
}

// Remove removes items from a list.
func Remove(ctx context.Context, tx rein.Tx, who Who, list string, items []string, at time.Time) (List, error) {
	return each(ctx, tx, who, list, items, at, func(it Item) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM list_items WHERE id = ?`, it.ID)
		return err
	})
}

func each(ctx context.Context, tx rein.Tx, who Who, list string, items []string, at time.Time, do func(Item) error) (List, error) {
	l, err := Find(ctx, tx, who, list)
	if err != nil {
		return l, err
	}
	found, err := l.Named(items)
	if err != nil {
		return l, err
	}
	for _, it := range found {
		if err := do(it); err != nil {
			return l, err
		}
	}
	return l.touch(ctx, tx, who, at)
}

// Named returns items of a list, each once.
func (l List) Named(names []string) ([]Item, error) {
	if len(names) == 0 || len(names) > MaxAtOnce {
		return nil, rein.Errorf(rein.CodeInvalid, "%d items are named; name 1 to %d at a time", len(names), MaxAtOnce)
	}
	var found []Item
	seen := map[string]bool{}
	for _, name := range names {
		it, err := l.FindItem(name)
		if err != nil {
			return nil, err
		}
		if !seen[it.ID] {
			seen[it.ID], found = true, append(found, it)
		}
	}
	return found, nil
}

// A Change is what becomes of an item. Nil fields stay.
type Change struct {
	Text, Unit, Category *string
	Amount               *Amount
	Done                 *bool
	After                *int  // the number of the item that it goes after; 0: it becomes the first
	Version              int64 // that the item must have; 0: any
}

// Edit changes one item of a list. If it has another version by now that is CodeConflict.
func Edit(ctx context.Context, tx rein.Tx, who Who, list, item string, c Change, at time.Time) (List, error) {
	l, err := Find(ctx, tx, who, list)
	if err != nil {
		return l, err
	}
	it, err := l.FindItem(item)
	if err != nil {
		return l, err
	}
	if c.Version != 0 && c.Version != it.Version {
		return l, rein.Errorf(rein.CodeConflict, "somebody else has changed %q meanwhile (it has version %d, not %d): look at it again", it.Text, it.Version, c.Version)
	}
	a := Addition{Text: it.Text, Unit: it.Unit, Category: it.Category, Amount: it.Amount}
	set(&a.Text, c.Text)
	set(&a.Unit, c.Unit)
	set(&a.Category, c.Category)
	set(&a.Amount, c.Amount)
	if a, err = a.check(); err != nil {
		return l, err
	}
	place, err := l.placeAfter(ctx, tx, it, c.After)
	if err != nil {
		return l, err
	}
	_, err = tx.ExecContext(ctx, `UPDATE list_items SET text = ?, key = ?, wrote = CASE WHEN ? THEN ? ELSE wrote END, unit = ?, category = ?, amount = ?, place = ?, version = version + 1 WHERE id = ?`,
		a.Text, keyOf(a.Text), c.writes(), who.User, a.Unit, a.Category, int64(a.Amount), place, it.ID)
	if err == nil && c.Done != nil {
		_, err = Check(ctx, tx, who, l.ID, []string{it.ID}, *c.Done, at)
	}
	if err != nil {
		return l, err
	}
	return l.touch(ctx, tx, who, at)
}

// writes reports whether a change has words of whoever makes it.
func (c Change) writes() bool { return c.Text != nil || c.Unit != nil || c.Category != nil }

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// placeAfter makes room after an item, and returns the place there.
func (l List) placeAfter(ctx context.Context, tx rein.Tx, it Item, after *int) (int64, error) {
	if after == nil {
		return it.place, nil
	}
	place := int64(0)
	if *after != 0 {
		before, err := l.FindItem(fmt.Sprint(*after))
		if err != nil {
			return 0, err
		}
		place = before.place
	}
	_, err := tx.ExecContext(ctx, `UPDATE list_items SET place = place + 1 WHERE list = ? AND place > ?`, l.ID, place)
	return place + 1, err
}

// Rename gives a list another name.
func Rename(ctx context.Context, tx rein.Tx, who Who, list, name string, at time.Time) (List, error) {
	l, err := Find(ctx, tx, who, list)
	if err != nil {
		return l, err
	}
	if name, err = short("the name of the list", name, MaxName, true); err != nil {
		return l, err
	}
	all, err := All(ctx, tx, who)
	if err != nil {
		return l, err
	}
	for _, has := range all {
		if has.ID != l.ID && keyOf(has.Name) == keyOf(name) {
			return l, rein.Errorf(rein.CodeConflict, "there is a list %q already: choose another name", has.Name)
		}
	}
	if _, err := tx.ExecContext(ctx, `UPDATE lists SET name = ?, key = ?, named_by = ? WHERE id = ?`, name, keyOf(name), who.User, l.ID); err != nil {
		return l, err
	}
	return l.touch(ctx, tx, who, at)
}

// Delete removes a list with all that is on it. A shared one is its maker's to delete, or an admin's.
func Delete(ctx context.Context, tx rein.Tx, who Who, list string, isAdmin bool) (List, error) {
	l, err := Find(ctx, tx, who, list)
	if err != nil {
		return l, err
	}
	if l.Maker != who.User && !isAdmin {
		return l, rein.Errorf(rein.CodeForbidden, "the list %q was made by %s: they or an owner of the household can delete it", l.Name, l.Maker)
	}
	return l, drop(ctx, tx, l.ID)
}

func drop(ctx context.Context, tx rein.Tx, id string) error {
	for _, query := range []string{`DELETE FROM list_items WHERE list = ?`, `DELETE FROM lists WHERE id = ?`} {
		if _, err := tx.ExecContext(ctx, query, id); err != nil {
			return err
		}
	}
	return nil
}

// RemoveDone removes all items of a list that are done.
func RemoveDone(ctx context.Context, tx rein.Tx, who Who, list string, at time.Time) (List, error) {
	l, err := Find(ctx, tx, who, list)
	if err != nil {
		return l, err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM list_items WHERE list = ? AND done != 0`, l.ID); err != nil {
		return l, err
	}
	return l.touch(ctx, tx, who, at)
}
