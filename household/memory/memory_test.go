package memory_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rein"
	"rein/household/memory"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

var (
	ann  = memory.Owner{Household: "home", User: "ann"}
	bob  = memory.Owner{Household: "home", User: "bob"}
	carl = memory.Owner{Household: "other", User: "ann"}

	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// A book is a store with a run whose steps write to our own tables.
type book struct {
	t     *testing.T
	store *sqlite.Store
	steps int
}

func newBook(t *testing.T) *book {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	budget := rein.DefaultBudget()
	_, _, err = s.Start(t.Context(), store.Start{Run: "r1", At: noon, Claim: true, Start: rein.RunStart{Task: rein.Task{Flow: "f", Budget: &budget}}})
	if err != nil {
		t.Fatal(err)
	}
	return &book{t: t, store: s}
}

// write runs commit in the transaction of a step's end, and returns what became of it.
func (b *book) write(commit func(context.Context, rein.Tx, memory.Origin) error) error {
	b.t.Helper()
	b.steps++
	step := rein.StepKey(fmt.Sprint(b.steps))
	_, err := b.store.Append(b.t.Context(), store.Batch{Run: "r1", Epoch: 1, Drafts: []store.Draft{{
		Kind: rein.StepDone, Step: step, At: noon, Data: rein.StepEnd{},
		Commit: func(ctx context.Context, tx rein.Tx) error {
			return commit(ctx, tx, memory.Origin{Run: "r1", Step: step})
		},
	}}})
	return err
}

func (b *book) must(commit func(context.Context, rein.Tx, memory.Origin) error) {
	b.t.Helper()
	if err := b.write(commit); err != nil {
		b.t.Fatal(err)
	}
}

func (b *book) remember(o memory.Owner, at time.Time, texts ...string) {
	b.t.Helper()
	var list []memory.Memory
	for _, text := range texts {
		list = append(list, memory.Memory{Text: text, Kind: "person", Source: "r0", At: at})
	}
	b.must(func(ctx context.Context, tx rein.Tx, by memory.Origin) error {
		return memory.SaveMemories(ctx, tx, o, by, list)
	})
}

// reading returns the texts that a read finds, a line each.
func reading[T any](b *book, read func(context.Context, store.Query) ([]T, error), text func(T) string) string {
	b.t.Helper()
	var found []string
	err := b.store.Read(b.t.Context(), func(ctx context.Context, q store.Query) error {
		items, err := read(ctx, q)
		for _, item := range items {
			found = append(found, text(item))
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.Join(found, "\n")
}

func (b *book) memories(o memory.Owner) string {
	return reading(b, func(ctx context.Context, q store.Query) ([]memory.Memory, error) { return memory.Memories(ctx, q, o) },
		func(m memory.Memory) string { return m.Text })
}

func (b *book) snapshots(o memory.Owner, now time.Time) string {
	return reading(b, func(ctx context.Context, q store.Query) ([]memory.Snapshot, error) {
		return memory.Snapshots(ctx, q, o, now)
	}, func(s memory.Snapshot) string { return string(s.Scope) + " " + s.Text })
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s:\n%s", what, diff)
	}
}

// A memory is its user's alone, the newest first; what is said again is new again, and
// what is forgotten is not read.
//
// Covers: ENG-13
func TestMemories(t *testing.T) {
	b := newBook(t)
	b.remember(ann, noon, "likes tea", "has a cat")
	b.remember(bob, noon.Add(time.Hour), "likes coffee")
	b.remember(ann, noon.Add(time.Hour), " likes\n tea ", "", "is tall")
	same(t, "ann", b.memories(ann), "is tall\nlikes tea\nhas a cat")
	same(t, "bob", b.memories(bob), "likes coffee")
	same(t, "another household's ann", b.memories(carl), "")

	b.must(func(ctx context.Context, tx rein.Tx, _ memory.Origin) error {
		_, err := tx.ExecContext(ctx, `UPDATE memories SET forgotten = 1 WHERE text = 'is tall'`)
		return err
	})
	same(t, "after forgetting", b.memories(ann), "likes tea\nhas a cat")

	var got []memory.Memory
	err := b.store.Read(t.Context(), func(ctx context.Context, q store.Query) (err error) {
		got, err = memory.Memories(ctx, q, bob)
		return err
	})
	want := []memory.Memory{{User: "bob", Text: "likes coffee", Kind: "person", About: "coffee", Scope: memory.ForUser, Source: "r0", At: noon.Add(time.Hour)}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(memory.Memory{}, "ID", "n")); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// What one step writes is there once, however often its commit runs; a commit that fails leaves
// nothing.
//
// Covers: LAW-1
func TestWrittenOnce(t *testing.T) {
	b := newBook(t)
	list := []memory.Memory{{Text: "a", At: noon}, {Text: "b", At: noon}}
	soon := []memory.Snapshot{{Text: "c", At: noon, Expires: noon.Add(time.Hour)}}
	b.must(func(ctx context.Context, tx rein.Tx, by memory.Origin) error {
		for range 3 {
			if err := errors.Join(memory.SaveMemories(ctx, tx, ann, by, list), memory.SaveSnapshots(ctx, tx, ann, by, soon)); err != nil {
				return err
			}
		}
		return nil
	})
	same(t, "memories", b.memories(ann), "b\na")
	same(t, "snapshots", b.snapshots(ann, noon), "user c")
	broken := errors.New("the disk said no")
	err := b.write(func(ctx context.Context, tx rein.Tx, by memory.Origin) error {
		return errors.Join(memory.SaveMemories(ctx, tx, ann, by, []memory.Memory{{Text: "d", At: noon}}), broken)
	})
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	same(t, "after a commit that failed", b.memories(ann), "b\na")
}

// A step that is repeated does not bring back what was forgotten meanwhile.
func TestForgottenStaysForgotten(t *testing.T) {
	b := newBook(t)
	b.must(func(ctx context.Context, tx rein.Tx, by memory.Origin) error {
		save := func() error {
			return memory.SaveMemories(ctx, tx, ann, by, []memory.Memory{{Text: "a", At: noon}, {Text: "b", At: noon}})
		}
		if err := save(); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE memories SET forgotten = 1, text = '' WHERE text = 'a'`); err != nil {
			return err
		}
		return save()
	})
	same(t, "memories", b.memories(ann), "b")
}

// A snapshot holds until it expires: for its user, or for everyone of the household and nobody else.
func TestSnapshots(t *testing.T) {
	b := newBook(t)
	b.must(func(ctx context.Context, tx rein.Tx, by memory.Origin) error {
		return memory.SaveSnapshots(ctx, tx, ann, by, []memory.Snapshot{
			{Text: "is in Paris", At: noon, Expires: noon.Add(2 * time.Hour)},
			{Text: "the heating is broken", Scope: memory.ForHousehold, At: noon.Add(1), Expires: noon.Add(time.Hour)},
			{Text: "is on a diet", Scope: "everyone", At: noon.Add(time.Second), Expires: noon.AddDate(9, 0, 0)},
			{Text: "was late", At: noon.Add(2 * time.Second), Expires: noon},
		})
	})
	same(t, "ann", b.snapshots(ann, noon), "user is on a diet\nhousehold the heating is broken\nuser is in Paris")
	same(t, "bob", b.snapshots(bob, noon), "household the heating is broken")
	same(t, "another household's ann", b.snapshots(carl, noon), "")
	same(t, "ann, an hour later", b.snapshots(ann, noon.Add(time.Hour)), "user is on a diet\nuser is in Paris")
	same(t, "ann, much later", b.snapshots(ann, noon.Add(memory.MaxLife-time.Second)), "user is on a diet")
	same(t, "ann, too late", b.snapshots(ann, noon.Add(memory.MaxLife+time.Second)), "")
	b.must(func(ctx context.Context, tx rein.Tx, by memory.Origin) error {
		return memory.SaveSnapshots(ctx, tx, bob, by, []memory.Snapshot{{Text: "is out", At: noon.Add(3 * time.Hour), Expires: noon.Add(9 * time.Hour)}})
	})
	same(t, "ann, as it was: the expired are gone", b.snapshots(ann, noon), "user is on a diet")
}

// What is kept and read has limits, and no text is more than a line.
func TestLimits(t *testing.T) {
	b := newBook(t)
	var texts []string
	for i := range 520 {
		texts = append(texts, fmt.Sprintf("fact %03d", i))
	}
	b.remember(ann, noon, texts...)
	slices.Reverse(texts)
	same(t, "the newest", b.memories(ann), strings.Join(texts[:500], "\n"))
	kept := reading(b, func(ctx context.Context, q store.Query) ([]int, error) {
		rows, err := q.QueryContext(ctx, `SELECT count(*) FROM memories`)
		if err != nil {
			return nil, err
		}
		n := []int{0}
		rows.Next()
		return n, rows.Scan(&n[0])
	}, func(n int) string { return fmt.Sprint(n) })
	same(t, "kept", kept, "500")

	var long []string
	for i := range 150 {
		long = append(long, fmt.Sprintf("%03d%s", i, strings.Repeat("é", 400)))
	}
	b.remember(bob, noon, long...)
	read := strings.Split(b.memories(bob), "\n")
	if len(read) != 150 || !strings.HasPrefix(read[0], "149é") || !strings.HasSuffix(read[0], "é…") || len(read[0]) > memory.MaxText {
		t.Errorf("%d memories, the first %q", len(read), read[0])
	}
	b.remember(carl, noon, "a\u2028b\x00c\u202ed\xff")
	same(t, "odd characters", b.memories(carl), "a b c d\uFFFD")
}

// A preference is one value per name and user.
func TestPreferences(t *testing.T) {
	b := newBook(t)
	set := func(o memory.Owner, key, value string) error {
		return b.write(func(ctx context.Context, tx rein.Tx, _ memory.Origin) error {
			_, err := memory.SetPreference(ctx, tx, o, memory.Preference{Name: key, Value: value, By: o.User, At: noon})
			return err
		})
	}
	list := func(o memory.Owner) string {
		return reading(b, func(ctx context.Context, q store.Query) ([]memory.Preference, error) {
			return memory.Preferences(ctx, q, o)
		}, func(p memory.Preference) string { return p.Name + "=" + p.Value })
	}
	for _, p := range [][2]string{{"units", "miles"}, {"diet", "vegan"}, {"units", "km"}, {"tone", "dry"}, {"tone", " "}} {
		if err := set(ann, p[0], p[1]); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "ann", list(ann), "diet=vegan\nunits=metric")
	same(t, "bob", list(bob), "")
	if err := set(ann, "", "x"); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
	for i := range memory.MaxPreferences {
		if err := set(bob, fmt.Sprint("k", i), "v"); err != nil {
			t.Fatal(err)
		}
	}
	if err := set(bob, "one more", "v"); rein.CodeOf(err) != rein.CodeLimit {
		t.Error(err)
	}
	if err := set(bob, "k7", "w"); err != nil {
		t.Error("a preference of a full list cannot be changed:", err)
	}
}

// Summaries are of days and of other sessions, the newest of each; a new one takes the old one's
// place.
//
// Covers: NEU-11
func TestSummaries(t *testing.T) {
	b := newBook(t)
	save := func(o memory.Owner, kind memory.SummaryKind, about, text string, at time.Time) error {
		return b.write(func(ctx context.Context, tx rein.Tx, by memory.Origin) error {
			return memory.SaveSummary(ctx, tx, o, by, memory.Summary{Kind: kind, About: about, Text: text, From: at.Add(-time.Hour), At: at}, noon)
		})
	}
	text := func(s memory.Summary) string { return s.About + ": " + s.Text }
	list := func(o memory.Owner) string {
		return reading(b, func(ctx context.Context, q store.Query) ([]memory.Summary, error) {
			return memory.Summaries(ctx, q, o, []string{"s7"})
		}, text)
	}
	for i := range 8 {
		at := noon.AddDate(0, 0, i)
		if err := errors.Join(save(ann, memory.OfSession, fmt.Sprint("s", i), "talk", at), save(ann, memory.OfDay, at.Format(time.DateOnly), "a day", at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := save(ann, memory.OfSession, "s6", "more talk", noon.AddDate(0, 0, 6)); err != nil {
		t.Fatal(err)
	}
	same(t, "ann", list(ann), `s6: more talk
s5: talk
s4: talk
s3: talk
s2: talk
2026-03-08: a day
2026-03-07: a day
2026-03-06: a day
2026-03-05: a day
2026-03-04: a day
2026-03-03: a day
2026-03-02: a day`)
	same(t, "bob", list(bob), "")
	between := reading(b, func(ctx context.Context, q store.Query) ([]memory.Summary, error) {
		return memory.SummariesBetween(ctx, q, ann, noon.AddDate(0, 0, 2), noon.AddDate(0, 0, 4))
	}, text)
	same(t, "between", between, "s2: talk\ns3: talk")
	for _, err := range []error{save(ann, "week", "w", "x", noon), save(ann, memory.OfDay, "", "x", noon), save(ann, memory.OfDay, "d", " ", noon)} {
		if rein.CodeOf(err) != rein.CodeInvalid {
			t.Error(err)
		}
	}
}
