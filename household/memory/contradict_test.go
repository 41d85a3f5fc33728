package memory_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/household/memory"
	"rein/store"
)

// keep remembers one thing and returns its ID.
func (b *book) keep(o memory.Owner, m memory.Memory) string {
	b.t.Helper()
	b.must(func(ctx context.Context, tx rein.Tx, by memory.Origin) error {
		return memory.SaveMemories(ctx, tx, o, by, []memory.Memory{m})
	})
	for _, has := range b.own(o) {
		if has.Text == m.Text && has.Scope == max(m.Scope, memory.ForUser) || has.Text == m.Text && m.Scope == memory.ForHousehold {
			return has.ID
		}
	}
	b.t.Fatalf("%q was not kept", m.Text)
	return ""
}

func (b *book) own(o memory.Owner) (all []memory.Memory) {
	b.t.Helper()
	err := b.store.Read(b.t.Context(), func(ctx context.Context, q store.Query) (err error) {
		all, err = memory.Own(ctx, q, o)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all
}

func said(at time.Time, about, text string) memory.Memory {
	return memory.Memory{Text: text, About: about, At: at}
}

// Of two memories about the same the newer one holds, by the day on which each was said and not by the order in which they
// were noted; the older one stays as what was said before.
//
// Covers: NEU-56/memory
func TestNewerHolds(t *testing.T) {
	b := newBook(t)
	day := func(n int) time.Time { return noon.AddDate(0, 0, n) }
	b.keep(ann, said(day(0), "favourite drink", "Likes tea most."))
	b.keep(ann, said(day(2), "Favourite drinks", "Likes water most."))
	b.keep(ann, said(day(1), "drink, favourite", "Likes coffee most.")) // noted late
	b.keep(bob, said(day(3), "favourite drink", "Likes milk most."))
	same(t, "ann", b.memories(ann), "Likes water most.")
	same(t, "bob", b.memories(bob), "Likes milk most.")
	own := b.own(ann)
	var before []string
	for _, m := range memory.Before(own, own[0].ID) {
		before = append(before, m.Text)
	}
	same(t, "before", strings.Join(before, " "), "Likes coffee most. Likes tea most.")

	b.keep(ann, said(day(4), "favourite drink", "Likes tea most.")) // again
	same(t, "what was replaced can be said again", b.memories(ann), "Likes tea most.")
	b.keep(ann, memory.Memory{Text: "The car is red.", About: "favourite drink", Scope: memory.ForHousehold, At: day(5)})
	same(t, "for others", b.memories(ann), "The car is red.\nLikes tea most.")
	same(t, "bob reads what is for everyone", b.memories(bob), "Likes milk most.\nThe car is red.")
	same(t, "another household", b.memories(carl), "")
}

// What is about the same: by the subject that was named, by the words of what was said, or by how near they are.
//
// Covers: NEU-56/memory
func TestSameSubject(t *testing.T) {
	for _, c := range []struct {
		a, b memory.Memory
		near float64
		want bool
	}{
		{said(noon, "cat's name", "The cat is called Tom."), said(noon, "name of the cat", "De kat heet Max."), -1, true},
		{said(noon, "kleur van de auto", "De auto is rood."), said(noon, "Kleuren van de auto's", "Blauw."), -1, true},
		{said(noon, "birthday Jan", "The birthday of Jan is 3 March."), said(noon, "birthday Els", "The birthday of Els is 3 March."), 0.99, false},
		{said(noon, "", "Likes tea."), said(noon, "", "Does not like tea."), -1, true},
		{said(noon, "", "Houdt van koriander."), said(noon, "", "Houdt niet meer van koriander."), -1, true},
		{said(noon, "", "Has a cat."), said(noon, "", "Has a dog."), 0.6, false},
		{said(noon, "", "Likes tea in the morning."), said(noon, "", "Likes tea in the evening."), 0.8, false},
		{said(noon, "", "Likes tea in the morning."), said(noon, "", "Likes tea in the evening."), 0.95, true},
		{said(noon, "work", "Works at the bakery."), said(noon, "place of work", "Works at a school now."), 0.85, true},
		{said(noon, "work", "Works at the bakery."), said(noon, "place of work", "Has a desk upstairs."), 0.2, false},
		{said(noon, "", ""), said(noon, "", ""), 1, false},
	} {
		if got := memory.SameSubject(c.a, c.b, c.near); got != c.want {
			t.Errorf("%q and %q: %v", c.a.Text, c.b.Text, got)
		}
	}
}

// A sentence whose subject nobody named still has one, if it is plain.
func TestGuessAbout(t *testing.T) {
	for text, want := range map[string]string{
		"Likes tea.": "tea", "Houdt niet van koriander.": "koriander", "The cat is called Tom.": "cat name", "De kat heet Tom": "kat name",
		"Her favourite colour is blue.": "favourite colour", "The cat is black.": "", "Is a vegetarian.": "", "Has a dog": "", "": "",
	} {
		if got := memory.GuessAbout(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What was forgotten is gone with all that it had replaced and all that quotes it, and what was said in the runs where it
// came up is not read any more. Others keep theirs.
//
// Covers: NEU-56/memory
func TestForget(t *testing.T) {
	b := newBook(t)
	b.keep(ann, memory.Memory{Text: "Hates coriander.", About: "coriander", Source: "r7", At: noon})
	id := b.keep(ann, memory.Memory{Text: "Loves coriander.", About: "coriander", Source: "r8", At: noon.Add(24 * time.Hour)})
	b.keep(ann, said(noon, "cat", "Has a cat."))
	theirs := b.keep(bob, said(noon, "coriander", "Hates coriander too."))
	b.must(func(ctx context.Context, tx rein.Tx, by memory.Origin) error {
		soon := []memory.Snapshot{
			{Text: "The coriander is finished.", At: noon, Expires: noon.AddDate(0, 0, 9)},
			{Text: "Is in Paris.", At: noon, Expires: noon.AddDate(0, 0, 9)},
		}
		return memory.SaveSnapshots(ctx, tx, ann, by, soon)
	})
	for i, s := range []memory.Summary{
		{Kind: memory.OfSession, About: "s1", Text: "A talk.", From: noon.Add(-time.Hour), At: noon.Add(time.Hour)}, // in which it was said
		{Kind: memory.OfSession, About: "s2", Text: "About the garden.\nAbout coriander, too.", From: noon.AddDate(0, 0, 5), At: noon.AddDate(0, 0, 5)},
		{Kind: memory.OfDay, About: "2026-03-09", Text: "Only coriander.", From: noon.AddDate(0, 0, 8), At: noon.AddDate(0, 0, 8)},
		{Kind: memory.OfSession, About: "s3", Text: "About cats.", From: noon.AddDate(0, 0, 6), At: noon.AddDate(0, 0, 6)},
	} {
		b.must(func(ctx context.Context, tx rein.Tx, by memory.Origin) error {
			return memory.SaveSummary(ctx, tx, ann, by, s, noon.Add(time.Duration(i)))
		})
	}
	forget := func(o memory.Owner, id, version string) (f memory.Forgotten, err error) {
		err = b.write(func(ctx context.Context, tx rein.Tx, by memory.Origin) error {
			f, err = memory.Forget(ctx, tx, o, id, version, by.Run, noon)
			return err
		})
		return f, err
	}
	for what, c := range map[string]struct {
		o           memory.Owner
		id, version string
		want        rein.Code
	}{
		"another's": {ann, theirs, "", rein.CodeNotFound}, "another household's": {carl, id, "", rein.CodeNotFound},
		"none": {ann, "m0", "", rein.CodeNotFound}, "as it was once": {ann, id, "0123", rein.CodeConflict},
	} {
		if _, err := forget(c.o, c.id, c.version); rein.CodeOf(err) != c.want {
			t.Errorf("%s: %v", what, err)
		}
	}
	f, err := forget(ann, id, b.own(ann)[0].Version())
	if err != nil || len(f.Memories) != 2 || f.Snapshots != 1 || f.Summaries != 3 || fmt.Sprint(f.Runs) != "[r8 r1 r7]" {
		t.Errorf("%+v %v", f, err)
	}
	same(t, "ann", b.memories(ann), "Has a cat.")
	same(t, "bob", b.memories(bob), "Hates coriander too.")
	same(t, "snapshots", b.snapshots(ann, noon), "user Is in Paris.")
	same(t, "summaries", reading(b, func(ctx context.Context, q store.Query) ([]memory.Summary, error) {
		return memory.AllSummaries(ctx, q, ann)
	}, func(s memory.Summary) string { return s.About + ": " + s.Text }), "s3: About cats.\ns2: About the garden.")
	same(t, "in the tables", reading(b, func(ctx context.Context, q store.Query) ([]memory.Row, error) {
		return memory.Rows(ctx, q, "home")
	}, func(r memory.Row) string {
		if r.User == "bob" {
			return ""
		}
		return strings.ToLower(r.Text)
	}), "\n\nhas a cat.\n\nis in paris.\nabout the garden.\nabout cats.")
	err = b.store.Read(t.Context(), func(ctx context.Context, q store.Query) error {
		runs, err := memory.Unread(ctx, q, ann)
		if len(runs) != 3 || !runs["r7"] || !runs["r8"] || !runs["r1"] {
			t.Errorf("not read any more: %v", runs)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// What a person edits is what they say now: it replaces what else they said about the same, and what is noted later of an
// earlier talk does not take its place.
func TestEdit(t *testing.T) {
	b := newBook(t)
	id := b.keep(ann, said(noon, "job", "Works at the bakery."))
	b.keep(ann, said(noon, "school", "Goes to school."))
	edit := func(o memory.Owner, id string, e memory.Edit) error {
		return b.write(func(ctx context.Context, tx rein.Tx, _ memory.Origin) error {
			_, err := memory.Change(ctx, tx, o, id, e, noon.Add(24*time.Hour))
			return err
		})
	}
	text, about, long, wide := "Teaches.", "school", strings.Repeat("x", memory.MaxText+1), memory.ForHousehold
	if err := edit(ann, id, memory.Edit{Text: &text, About: &about}); err != nil {
		t.Fatal(err)
	}
	same(t, "after the edit", b.memories(ann), "Teaches.")
	b.keep(ann, said(noon.Add(time.Hour), "school", "Learns to cook."))
	same(t, "after a late note", b.memories(ann), "Teaches.")
	if err := edit(ann, id, memory.Edit{Scope: &wide}); err != nil {
		t.Fatal(err)
	}
	same(t, "bob", b.memories(bob), "Teaches.")
	for what, got := range map[string]error{
		"too long": edit(ann, id, memory.Edit{Text: &long}), "stale": edit(ann, id, memory.Edit{Text: &text, Version: "00"}),
		"bob's hands": edit(bob, id, memory.Edit{Text: &text}), "carl's": edit(carl, id, memory.Edit{Text: &text}),
	} {
		want := map[string]rein.Code{"too long": rein.CodeInvalid, "stale": rein.CodeConflict, "bob's hands": rein.CodeForbidden, "carl's": rein.CodeNotFound}[what]
		if rein.CodeOf(got) != want {
			t.Errorf("%s: %v", what, got)
		}
	}
}

// The known preferences have values that rein understands, whatever people call them; what it does not understand it
// refuses and says what it would take.
//
// Covers: NEU-92
func TestKnownPreferences(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"Allergies", "Peanuts, kiwi and  sesame; peanuts", "allergies: peanuts, kiwi, sesame"},
		{"allergie", `["pinda's", "noten"]`, "allergies: pinda's, noten"},
		{"dieet", "Vegetarisch en halal", "diet: vegetarian, halal"},
		{"diet", "gluten free", "diet: gluten-free"},
		{"taal", "Nederlands", "language: nl"},
		{"language", "NL-be", "language: nl-BE"},
		{"units", "Miles", "units: imperial"},
		{"Wake me", " at  seven ", "wake me: at seven"},
		{"units", "furlongs", "must be one of imperial, metric"},
		{"diet", "vegan, none", "none goes with no other"},
		{"language", "the queen's", "such as en, nl"},
		{"allergies", ", ,", "1 to 30 things"},
		{"allergies", strings.Repeat("x", 61), "at most 60 bytes"},
		{"a: b", "x", "without colons"},
		{"tone", strings.Repeat("x", 501), "at most 500"},
	} {
		p, err := memory.Preference{Name: c.name, Value: c.value}.Fit()
		got := p.Text()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || rein.CodeOf(err) != rein.CodeInvalid && err != nil {
			t.Errorf("%s=%s: %s, want %s", c.name, c.value, got, c.want)
		}
	}
}

// What is for the whole household is read by everyone of it, under the name of whoever set it, and allergies come first.
func TestHouseholdPreferences(t *testing.T) {
	b := newBook(t)
	for _, p := range []struct {
		o memory.Owner
		memory.Preference
	}{
		{ann, memory.Preference{Name: "bread", Value: "brown"}},
		{ann, memory.Preference{Name: "allergies", Value: "nuts", Wide: true}},
		{bob, memory.Preference{Name: "allergies", Value: "kiwi"}},
		{carl, memory.Preference{Name: "diet", Value: "vegan", Wide: true}},
	} {
		p.By, p.At = p.o.User, noon
		b.must(func(ctx context.Context, tx rein.Tx, _ memory.Origin) error {
			_, err := memory.SetPreference(ctx, tx, p.o, p.Preference)
			return err
		})
	}
	list := func(o memory.Owner) string {
		return reading(b, func(ctx context.Context, q store.Query) ([]memory.Preference, error) {
			return memory.Preferences(ctx, q, o)
		},
			func(p memory.Preference) string { return fmt.Sprint(p.By, " ", p.Text(), " ", p.Wide) })
	}
	same(t, "ann", list(ann), "ann allergies: nuts true\nann bread: brown false")
	same(t, "bob", list(bob), "bob allergies: kiwi false\nann allergies: nuts true")
	same(t, "another household's ann", list(carl), "ann diet: vegan true")
}
