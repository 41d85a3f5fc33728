package erase_test

import (
	"context"
	"strings"
	"testing"

	"rein"
	"rein/household/erase"
	"rein/household/memory"
	"rein/household/recall"
	"rein/store"
)

// What a model was asked to remember in a run goes with the run, its session and its user: memories with their subjects, what
// was forgotten since, and preferences, also those for the whole household; and every run that has read of it. What it had
// replaced holds again, for that was said elsewhere.
//
// Covers: NEU-56/memory ENG-37
func TestMemoriesGo(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]erase.Target{"run": {Run: "r1"}, "session": {Session: "s1"}, "user": {User: "ann"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			ann := memory.Owner{Household: "home", User: "ann"}
			h.keeps("r0", ann, "s0", memory.Memory{Text: "EARLIER drink: tea.", About: "drink"})
			h.keeps("r1", ann, "s1",
				memory.Memory{Text: "PLANTED drink: water.", About: "drink"},
				memory.Memory{Text: "PLANTED for all.", About: "PLANTED subject", Scope: memory.ForHousehold},
				memory.Memory{Text: "PLANTED and forgotten.", About: "PLANTED too"})
			h.keeps("r2", memory.Owner{Household: "home", User: "bob"}, "s2", memory.Memory{Text: "KEPT of bob.", About: "drink"})
			h.start("x1", "ann", "s3", task("What did I say?"))
			h.step("x1", "context.memories", nil, items("PLANTED and forgotten."), nil) // before it was forgotten
			h.end("x1", "PLANTED reader")
			h.start("y1", "bob", "s4", task("What is for all?"))
			h.step("y1", "memory.search", nil, items("PLANTED for all."), nil)
			h.end("y1", "PLANTED neighbour")
			h.start("y2", "bob", "s5", task("What may she not eat?"))
			h.step("y2", "context.preferences", nil, items("allergies: planted"), nil)
			h.step("y2", "other", nil, map[string]any{"items": []any{map[string]string{"name": "no text"}}}, nil)
			h.end("y2", "PLANTED menu")
			h.start("y3", "bob", "s6", task("KEPT of bob's own"))
			h.step("y3", "other", nil, map[string]any{"items": []any{map[string]string{"name": "no text"}}}, nil)
			h.end("y3", "KEPT answer")
			book := recall.Book{Tables: h.store, Find: &recall.Finder{}}
			all, err := book.List(t.Context(), ann, "forgotten")
			h.check(err)
			_, err = book.Forget(t.Context(), ann, all[0].ID, all[0].Version())
			h.check(err)
			if got := h.inTables("PLANTED and forgotten."); strings.Contains(strings.Join(got, " "), "memories") {
				t.Errorf("what was forgotten is in %q", got)
			}
			h.erases(owner, target)
			for _, text := range []string{"PLANTED", "planted"} {
				if got := h.everywhere(text); len(got) > 0 {
					t.Errorf("%q is in %q, in %q", text, got, h.inTables(text))
				}
			}
			for _, text := range []string{"KEPT of bob.", "KEPT of bob's own", "KEPT answer"} {
				if len(h.inTables(text)) == 0 {
					t.Errorf("%q went too", text)
				}
			}
			left, err := book.List(t.Context(), ann, "")
			h.check(err)
			if earlier := len(left) == 1 && left[0].Text == "EARLIER drink: tea."; earlier != (target.User == "") {
				t.Errorf("ann has %+v", left)
			}
			h.sound(rein.Hash{})
		})
	}
}

// keeps is a run in which a model remembers things, and sets a preference of the household.
func (h *house) keeps(id rein.RunID, o memory.Owner, session string, list ...memory.Memory) {
	h.Helper()
	h.start(id, o.User, session, task(list[0].Text))
	for _, m := range list {
		h.steps[id]++
		by := memory.Origin{Run: id, Step: rein.StepKey("k" + string(rune('0'+h.steps[id])))}
		h.steps[id]--
		m.Source, m.At = id, h.clock
		args := map[string]string{"text": m.Text, "about": m.About, "scope": string(m.Scope)}
		h.step(id, "memory.remember", args, nil, func(ctx context.Context, tx rein.Tx) error {
			return memory.SaveMemories(ctx, tx, o, by, []memory.Memory{m})
		})
	}
	if id == "r1" {
		wish := memory.Preference{Name: "allergies", Value: "planted", Wide: true, By: o.User, Source: id, At: h.clock}
		h.step(id, "preferences.set", map[string]any{"name": "allergie", "value": " Planted", "household": true}, nil, func(ctx context.Context, tx rein.Tx) error {
			_, err := memory.SetPreference(ctx, tx, o, wish)
			return err
		})
	}
	h.end(id, "Kept.")
}

// An admin who erases somebody's memories sees how many go, and not what they say or are about.
func TestMemoriesAreListedUnread(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.keeps("r1", memory.Owner{Household: "home", User: "ann"}, "s1", memory.Memory{Text: "PLANTED text.", About: "PLANTED subject"})
	plan, err := h.eraser.Plan(t.Context(), owner, erase.Target{User: "ann"})
	h.check(err)
	for _, item := range plan.Items {
		if strings.Contains(item.Name+item.Text, "PLANTED") {
			t.Errorf("the admin reads %+v", item)
		}
	}
	if !strings.Contains(strings.Join(names(plan), " "), "memory of ") {
		t.Errorf("listed are %q", names(plan))
	}
	h.check(h.store.Read(t.Context(), func(ctx context.Context, q store.Query) error {
		counts, err := memory.Counts(ctx, q, "home")
		if len(counts) != 1 || counts[0] != (memory.Count{User: "ann", Memories: 1, Preferences: 1}) {
			t.Errorf("counted are %+v", counts)
		}
		return err
	}))
}
