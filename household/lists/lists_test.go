package lists_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/household/lists"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

var (
	ann  = lists.Who{Household: "home", User: "ann"}
	bob  = lists.Who{Household: "home", User: "bob"}
	far  = lists.Who{Household: "far", User: "ann"}
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// A book is a real store with lists.
type book struct {
	*testing.T
	store  *sqlite.Store
	writes int
}

func newBook(t *testing.T) *book {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &book{T: t, store: s}
}

func (b *book) write(do func(context.Context, rein.Tx, lists.Origin) (lists.List, error)) (l lists.List, err error) {
	b.Helper()
	b.writes++
	err = b.store.Write(b.Context(), func(ctx context.Context, tx rein.Tx) error {
		l, err = do(ctx, tx, lists.Origin{Step: fmt.Sprint(b.writes)})
		return err
	})
	return l, err
}

func (b *book) create(who lists.Who, n lists.New) (lists.List, error) {
	b.Helper()
	return b.write(func(ctx context.Context, tx rein.Tx, by lists.Origin) (lists.List, error) {
		return lists.Create(ctx, tx, who, by, n, noon)
	})
}

func (b *book) add(who lists.Who, list string, all ...lists.Addition) (lists.List, error) {
	b.Helper()
	return b.write(func(ctx context.Context, tx rein.Tx, by lists.Origin) (lists.List, error) {
		return lists.Add(ctx, tx, who, by, list, all, noon)
	})
}

func (b *book) all(who lists.Who) (texts string) {
	b.Helper()
	err := b.store.Read(b.Context(), func(ctx context.Context, q store.Query) error {
		all, err := lists.All(ctx, q, who)
		for _, l := range all {
			texts += said(l) + "\n"
		}
		return err
	})
	b.check(err)
	return texts
}

func (b *book) check(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// said is a list in a line.
func said(l lists.List) string {
	words := []string{}
	for _, it := range l.Items {
		word := fmt.Sprintf("%d %s by %s", it.Number, strings.TrimSpace(lists.Say("en", it.Amount, it.Unit)+" "+it.Text), it.By)
		if it.DoneBy != "" {
			word += " done by " + it.DoneBy
		}
		words = append(words, word)
	}
	return l.Name + ": " + strings.Join(words, ", ")
}

func (b *book) want(who lists.Who, want string) {
	b.Helper()
	if got := strings.TrimSpace(b.all(who)); got != want {
		b.Errorf("%s sees\n%s\nwant\n%s", who.User, got, want)
	}
}

// Everyone of the household shares a list, sees who added and did what, and nobody of another household sees it. A private
// list is its maker's alone.
//
// Covers: NEU-2 NEU-56/memory
func TestShared(t *testing.T) {
	b := newBook(t)
	_, err := b.create(ann, lists.New{Name: "Boodschappen", Kind: lists.Groceries})
	b.check(err)
	_, err = b.create(ann, lists.New{Name: "Cadeaus", Private: true})
	b.check(err)
	_, err = b.add(ann, "", lists.Addition{Text: "melk", Amount: 1000, Unit: "liter"})
	b.check(err)
	_, err = b.add(bob, "boodschappen", lists.Addition{Text: "brood"}, lists.Addition{Text: " Melk ", Amount: 500, Unit: "l"})
	b.check(err)
	_, err = b.add(ann, "Cadeaus", lists.Addition{Text: "fiets"})
	b.check(err)
	_, err = b.write(func(ctx context.Context, tx rein.Tx, _ lists.Origin) (lists.List, error) {
		return lists.Check(ctx, tx, bob, "", []string{"1"}, true, noon)
	})
	b.check(err)
	shared := "Boodschappen: 1 1.5 l melk by ann done by bob, 2 brood by bob"
	b.want(bob, shared)
	b.want(ann, shared+"\nCadeaus: 1 fiets by ann")
	b.want(far, "")
	for _, who := range []lists.Who{bob, far, {Household: "", User: "ann"}} {
		if _, err := b.add(who, "Cadeaus", lists.Addition{Text: "x"}); rein.CodeOf(err) != rein.CodeNotFound {
			t.Errorf("%v adds to a private list: %v", who, err)
		}
	}
	_, err = b.write(func(ctx context.Context, tx rein.Tx, _ lists.Origin) (lists.List, error) {
		return lists.Delete(ctx, tx, bob, "Boodschappen", false)
	})
	if rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("bob deletes ann's list: %v", err)
	}
}

// What one origin writes is there once, however often its write runs.
//
// Covers: LAW-1
func TestOncePerOrigin(t *testing.T) {
	b := newBook(t)
	_, err := b.create(ann, lists.New{Name: "g", Kind: lists.Groceries})
	b.check(err)
	_, err = b.add(bob, "", lists.Addition{Text: "eggs", Amount: 6000})
	b.check(err)
	by := lists.Origin{Run: "r1", Step: "4"}
	b.check(b.store.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
		for range 3 {
			if _, err := lists.Create(ctx, tx, ann, by, lists.New{Name: "trip"}, noon); err != nil {
				return err
			}
			for _, list := range []string{"", "trip"} {
				all := []lists.Addition{{Text: "eggs", Amount: 4000}, {Text: "tea"}}
				if _, err := lists.Add(ctx, tx, ann, lists.Origin{Run: "r1", Step: "5" + list}, list, all, noon); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	b.want(ann, "g: 1 10 eggs by bob, 2 tea by ann\ntrip: 1 4 eggs by ann, 2 tea by ann")
}

// Amounts are added if their units allow it.
func TestAmounts(t *testing.T) {
	for _, c := range []struct {
		first, second lists.Addition
		want          string
	}{
		{lists.Addition{Amount: 200_000, Unit: "gram"}, lists.Addition{Amount: 1000, Unit: "kilo"}, "1.2 kg"},
		{lists.Addition{Amount: 1000, Unit: "l"}, lists.Addition{Amount: 1000, Unit: "ml"}, "1.001 l"},
		{lists.Addition{Amount: 1, Unit: "l"}, lists.Addition{Amount: 333, Unit: "ml"}, "1.333 ml"},
		{lists.Addition{Amount: 2000}, lists.Addition{Amount: 3000, Unit: "stuks"}, "5"},
		{lists.Addition{}, lists.Addition{}, ""},
		{lists.Addition{Amount: 2000, Unit: "blikjes"}, lists.Addition{Amount: 1000, Unit: "blik"}, "3 blik"},
		{lists.Addition{Amount: 1000, Unit: "l"}, lists.Addition{Amount: 1000, Unit: "kg"}, "1 l and 1 kg"},
		{lists.Addition{Amount: 1000}, lists.Addition{}, "1 and "},
		{lists.Addition{Amount: lists.MaxAmount * 1000}, lists.Addition{Amount: 1000}, "1000000 and 1"},
	} {
		b := newBook(t)
		_, err := b.create(ann, lists.New{Name: "g", Kind: lists.Groceries})
		b.check(err)
		c.first.Text, c.second.Text = "x", "X"
		l, err := b.add(ann, "", c.first, c.second)
		b.check(err)
		got := []string{}
		for _, it := range l.Items {
			got = append(got, lists.Say("en", it.Amount, it.Unit))
		}
		if text := strings.Join(got, " and "); text != c.want {
			t.Errorf("%+v and %+v: %q, want %q", c.first, c.second, text, c.want)
		}
	}
	if got := lists.Say("nl-BE", 1500, "l"); got != "1,5 l" {
		t.Error(got)
	}
}

// Items are edited, moved and removed; a change of another version is refused.
func TestEdit(t *testing.T) {
	b := newBook(t)
	_, err := b.create(ann, lists.New{Name: "trip"})
	b.check(err)
	_, err = b.add(ann, "trip", lists.Addition{Text: "a"}, lists.Addition{Text: "b"}, lists.Addition{Text: "c"})
	b.check(err)
	edit := func(item string, c lists.Change) (lists.List, error) {
		return b.write(func(ctx context.Context, tx rein.Tx, _ lists.Origin) (lists.List, error) {
			return lists.Edit(ctx, tx, bob, "trip", item, c, noon)
		})
	}
	first, last, done, text := 0, 2, true, "tent"
	_, err = edit("c", lists.Change{After: &first})
	b.check(err)
	_, err = edit("1", lists.Change{After: &last, Text: &text, Done: &done, Version: 1})
	b.check(err)
	b.want(ann, "trip: 3 c by ann, 2 b by ann, 1 tent by ann done by bob")
	if _, err := edit("1", lists.Change{Text: &text, Version: 1}); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("an old version: %v", err)
	}
	_, err = b.write(func(ctx context.Context, tx rein.Tx, _ lists.Origin) (lists.List, error) {
		return lists.Remove(ctx, tx, bob, "trip", []string{"#2", "b"}, noon)
	})
	b.check(err)
	l, err := b.add(ann, "trip", lists.Addition{Text: "d"})
	b.check(err)
	if got := said(l); got != "trip: 3 c by ann, 1 tent by ann done by bob, 4 d by ann" {
		t.Errorf("a number is used again: %s", got)
	}
	renamed, err := b.write(func(ctx context.Context, tx rein.Tx, _ lists.Origin) (lists.List, error) {
		return lists.Rename(ctx, tx, bob, "TRIP", "Vakantie", noon)
	})
	if err != nil || renamed.Name != "Vakantie" || renamed.Version <= l.Version {
		t.Errorf("%+v, %v", renamed, err)
	}
}

// What cannot be kept is refused, says why, and leaves nothing.
//
// Plain: it fills lists up to their limits; the tests beside it run the same code under the race detector.
func TestWritesThatAreRefused(t *testing.T) {
	b := newBook(t)
	_, err := b.create(ann, lists.New{Name: "trip"})
	b.check(err)
	long := strings.Repeat("x", 300)
	many := make([]lists.Addition, lists.MaxAtOnce+1)
	for i := range many {
		many[i].Text = fmt.Sprint("item ", i)
	}
	for want, err := range map[string]error{
		"is empty":                second(b.create(ann, lists.New{Name: " \u200b "})),
		"at most 60 bytes":        second(b.create(ann, lists.New{Name: long})),
		`a list "trip" already`:   second(b.create(bob, lists.New{Name: "Tr\u200bip"})),
		"the text of the item is": second(b.add(ann, "trip", lists.Addition{Text: "ok"}, lists.Addition{Text: "\n"})),
		"at most 200 bytes":       second(b.add(ann, "trip", lists.Addition{Text: long})),
		"at most 40 bytes":        second(b.add(ann, "trip", lists.Addition{Text: "a", Category: long})),
		"at most 20 bytes":        second(b.add(ann, "trip", lists.Addition{Text: "a", Unit: long})),
		"from 0 to 1000000":       second(b.add(ann, "trip", lists.Addition{Text: "a", Amount: -1})),
		"101 items are given":     second(b.add(ann, "trip", many...)),
		"0 items are given":       second(b.add(ann, "trip")),
		"no list \"other\"":       second(b.add(ann, "other", lists.Addition{Text: "a"})),
		"no list of groceries":    second(b.add(ann, "", lists.Addition{Text: "a"})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	b.want(ann, "trip:")
	for range lists.MaxItems / lists.MaxAtOnce {
		for i := range many {
			many[i].Text += "."
		}
		_, err = b.add(ann, "trip", many[:lists.MaxAtOnce]...)
		b.check(err)
	}
	if _, err := b.add(ann, "trip", lists.Addition{Text: "one more"}); rein.CodeOf(err) != rein.CodeLimit {
		t.Error(err)
	}
	for i := range lists.MaxLists - 1 {
		_, err := b.create(ann, lists.New{Name: fmt.Sprint("list ", i)})
		b.check(err)
	}
	if _, err := b.create(ann, lists.New{Name: "one more"}); rein.CodeOf(err) != rein.CodeLimit {
		t.Error(err)
	}
}

func second(_ lists.List, err error) error { return err }
