package lists_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	book "rein/household/lists"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/lists"
)

// A desk has the tools over a real store, with a run whose steps commit what they write.
type desk struct {
	*testing.T
	store    *sqlite.Store
	tools    map[string]rein.Tool
	steps    int
	language string
	granted  rein.Granted
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	d := &desk{T: t, store: s, tools: map[string]rein.Tool{}, language: "en"}
	all, err := lists.Tools(lists.Options{Book: book.Book{Tables: s}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range all {
		d.tools[tool.Name] = tool
	}
	budget := rein.DefaultBudget()
	if _, _, err := s.Start(t.Context(), store.Start{Run: "r1", At: time.Now(), Claim: true, Start: rein.RunStart{Task: rein.Task{Flow: "f", Budget: &budget}}}); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *desk) invocation(user, args string) rein.Invocation {
	d.steps++
	return rein.Invocation{Run: "r1", Step: rein.StepKey(fmt.Sprint(d.steps)), Args: json.RawMessage(args), Granted: d.granted, Task: &rein.Task{Household: "home", User: user, Language: d.language}}
}

// call shows a call to a person and makes it, as the engine does: with what Show pins.
func (d *desk) call(tool, user, args string) (rein.Shown, rein.Done, error) {
	d.Helper()
	inv, shown := d.invocation(user, args), rein.Shown{}
	if show := d.tools[tool].Show; show != nil {
		var err error
		if shown, err = show(d.Context(), inv); err != nil {
			return shown, rein.Done{}, err
		}
		inv.Args = pinned(inv.Args, shown)
	}
	done, err := d.tools[tool].Do(d.Context(), inv)
	if err != nil || done.Commit == nil {
		return shown, done, err
	}
	_, err = d.store.Append(d.Context(), store.Batch{Run: "r1", Epoch: 1, Drafts: []store.Draft{{Kind: rein.StepDone, Step: inv.Step, At: time.Now(), Data: rein.StepEnd{}, Commit: done.Commit}}})
	return shown, done, err
}

func pinned(args json.RawMessage, shown rein.Shown) json.RawMessage {
	all := map[string]any{}
	_ = json.Unmarshal(args, &all)
	for name, value := range shown.Pin {
		all[name] = value
	}
	with, _ := json.Marshal(all)
	return with
}

func (d *desk) must(tool, user, args string) (rein.Shown, string) {
	d.Helper()
	shown, done, err := d.call(tool, user, args)
	if err != nil {
		d.Fatal(err)
	}
	return shown, done.Text
}

// Each call is shown as a sentence in the language of the task, and its result says what happened in that language.
//
// Covers: NEU-56/memory NEU-62
func TestSentences(t *testing.T) {
	for language, want := range map[string][]string{
		"nl": {
			`Zal ik 2 l melk, brood en 0,5 kg kaas op de lijst "Boodschappen" zetten?`, `Nu op de lijst "Boodschappen": 2 l melk, brood en 0,5 kg kaas.`,
			`Zal ik 2 l melk op de lijst "Boodschappen" afvinken?`, `Afgevinkt op de lijst "Boodschappen": 2 l melk.`,
			`Zal ik brood van de lijst "Boodschappen" halen?`, `Van de lijst "Boodschappen" gehaald: brood.`,
			`Zal ik de lijst "Vakantie" maken voor het huishouden?`, `De lijst "Vakantie" is er.`,
			"Boodschappen: nog 1 van 2\n1. [x] 2 l melk (ann)\n3. [ ] 0,5 kg kaas (ann)\n",
		},
		"en-GB": {
			`Shall I add 2 l melk, brood and 0.5 kg kaas to the list "Groceries"?`, `On the list "Groceries" now: 2 l melk, brood and 0.5 kg kaas.`,
			`Shall I mark 2 l melk on the list "Groceries" as done?`, `Done on the list "Groceries": 2 l melk.`,
			`Shall I remove brood from the list "Groceries"?`, `Removed from the list "Groceries": brood.`,
			`Shall I create the list "Vakantie" for the household?`, `The list "Vakantie" is there.`,
			"Groceries: 1 of 2 left\n1. [x] 2 l melk (ann)\n3. [ ] 0.5 kg kaas (ann)\n",
		},
	} {
		d := newDesk(t)
		d.language = language
		var got []string
		for _, c := range [][2]string{
			{"lists.add", `{"items":[{"text":"melk","amount":2,"unit":"liter"},{"text":"brood"},{"text":"kaas","amount":0.5,"unit":"kilo"}]}`},
			{"lists.check", `{"items":["1"]}`},
			{"lists.remove", `{"items":["brood"]}`},
			{"lists.create", `{"name":"Vakantie"}`},
		} {
			shown, text := d.must(c[0], "ann", c[1])
			got = append(got, shown.Say, text)
		}
		_, text := d.must("lists.show", "ann", `{"list":"groceries"}`)
		for i, line := range append(got, text) {
			if line != want[i] {
				t.Errorf("%s: %q, want %q", language, line, want[i])
			}
		}
	}
}

// Groceries are added and checked without a question. On other lists a person is asked, and what they allow for good holds for
// that list alone, in both languages; for what somebody else added they are asked each time.
func TestRulings(t *testing.T) {
	d := newDesk(t)
	d.must("lists.create", "ann", `{"name":"Trip"}`)
	d.must("lists.create", "ann", `{"name":"Party"}`)
	d.must("lists.add", "bob", `{"items":[{"text":"milk"}]}`)
	d.must("lists.add", "bob", `{"list":"Trip","items":[{"text":"tent"}]}`)
	verdict := func(tool, args string) rein.Ruling {
		t.Helper()
		shown, err := d.tools[tool].Show(t.Context(), d.invocation("ann", args))
		if err != nil {
			t.Fatal(err)
		}
		return shown.Ruling
	}
	const trip, party = `{"list":"Trip","items":[{"text":"map"}]}`, `{"list":"Party","items":[{"text":"map"}]}`
	if r := verdict("lists.add", `{"items":[{"text":"tea"}]}`); r.Verdict != rein.Allowed {
		t.Errorf("groceries: %+v", r)
	}
	if r := verdict("lists.check", `{"items":["milk"]}`); r.Verdict != rein.Allowed {
		t.Errorf("checking groceries: %+v", r)
	}
	asked := verdict("lists.add", trip)
	if asked.Verdict != rein.MustAsk || len(asked.Always) != 1 || !strings.HasPrefix(asked.Always[0], `add to the list "Trip" (l-`) {
		t.Fatalf("another list: %+v", asked)
	}
	d.granted.Always = asked.Always
	if r := verdict("lists.add", trip); r.Verdict != rein.Allowed {
		t.Errorf("after always: %+v", r)
	}
	if r := verdict("lists.add", party); r.Verdict != rein.MustAsk {
		t.Errorf("always holds for another list: %+v", r)
	}
	d.language = "nl"
	if r := verdict("lists.add", trip); r.Verdict != rein.Allowed {
		t.Errorf("after always, in Dutch: %+v", r)
	}
	d.language = "en"
	d.must("lists.add", "ann", trip)
	own := verdict("lists.remove", `{"list":"Trip","items":["map"]}`)
	d.granted.Always = own.Always
	if r := verdict("lists.remove", `{"list":"Trip","items":["map"]}`); own.Verdict != rein.MustAsk || r.Verdict != rein.Allowed {
		t.Errorf("her own: %+v, then %+v", own, r)
	}
	shown, err := d.tools["lists.remove"].Show(t.Context(), d.invocation("ann", `{"list":"Trip","items":["map","tent"]}`))
	if err != nil || shown.Ruling.Verdict != rein.MustAsk || len(shown.Ruling.Always) > 0 || !shown.Foreign || shown.Text != "Somebody else added: tent" {
		t.Errorf("what bob added: %+v, %v", shown, err)
	}
}

// What has changed since it was shown is not done, and nobody reaches the lists of others.
func TestRefused(t *testing.T) {
	d := newDesk(t)
	d.must("lists.create", "ann", `{"name":"Presents","private":true}`)
	d.must("lists.add", "ann", `{"list":"Presents","items":[{"text":"bike"}]}`)
	inv := d.invocation("ann", `{"list":"Presents","items":["bike"]}`)
	shown, err := d.tools["lists.remove"].Show(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	d.must("lists.remove", "ann", `{"list":"Presents","items":["bike"]}`)
	d.must("lists.add", "ann", `{"list":"Presents","items":[{"text":"bike"}]}`)
	inv.Args = pinned(inv.Args, shown)
	if _, err := d.tools["lists.remove"].Do(t.Context(), inv); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("another bike is removed: %v", err)
	}
	for args, want := range map[string]string{
		`{"list":"Presents","items":["bike"]}`: "there is no list", `{"items":[]}`: "", `{"items":["x"],"all_done":true}`: "and not both",
	} {
		if _, _, err := d.call("lists.remove", "bob", args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
	for _, task := range []*rein.Task{nil, {User: "ann"}, {Household: "home"}} {
		if _, err := d.tools["lists.show"].Do(t.Context(), rein.Invocation{Task: task, Args: json.RawMessage(`{}`)}); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("for nobody: %v", err)
		}
	}
	long := context.Background()
	for name, tool := range d.tools {
		if tool.Effect != rein.Pure || (name != "lists.show") != tool.Writes {
			t.Errorf("%s: %+v", name, tool)
		}
		if _, err := tool.Do(long, d.invocation("ann", `{"household":"far","list":"x","items":["a"],"name":"y"}`)); err == nil {
			t.Errorf("%s takes a household from its arguments", name)
		}
	}
}
