package agenda_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/engine/work"
	book "rein/household/agenda"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/agenda"
)

// A desk has the tools over a real store, with a run whose steps commit what they write.
type desk struct {
	*testing.T
	store    *sqlite.Store
	book     book.Book
	tools    map[string]rein.Tool
	now      time.Time
	steps    int
	language string
	user     string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	d := &desk{T: t, store: s, tools: map[string]rein.Tool{}, now: time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC), language: "en", user: "ann"}
	d.check(err)
	t.Cleanup(func() { s.Close() })
	d.book = book.Book{Tables: s, Now: func() time.Time { return d.now }}
	all, err := agenda.Tools(agenda.Options{Book: d.book, Members: func(context.Context, string) ([]string, error) { return []string{"ann", "bob"}, nil }})
	d.check(err)
	for _, tool := range all {
		d.check(work.CheckTool(tool))
		d.tools[tool.Name] = tool
	}
	budget := rein.DefaultBudget()
	_, _, err = s.Start(t.Context(), store.Start{Run: "r1", At: d.now, Claim: true, Start: rein.RunStart{Task: rein.Task{Flow: "f", Budget: &budget}}})
	d.check(err)
	return d
}

func (d *desk) check(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *desk) invocation(args string) rein.Invocation {
	task := rein.Task{User: d.user, Household: "home", Zone: "Europe/Amsterdam", Language: d.language}
	return rein.Invocation{Run: "r1", Step: rein.StepKey(fmt.Sprint(d.steps)), Task: &task, Args: json.RawMessage(args)}
}

// show is what a person is asked about a call.
func (d *desk) show(name, args string) (rein.Shown, error) {
	d.steps++
	return d.tools[name].Show(d.Context(), d.invocation(args))
}

// asked wants the question of a call, and what is shown beside it.
func (d *desk) asked(name, args, say string, text ...string) {
	d.Helper()
	shown, err := d.show(name, args)
	if err != nil {
		d.Errorf("%s %s: %v", name, args, err)
	}
	if diff := cmp.Diff(say, shown.Say); diff != "" {
		d.Errorf("%s asks:\n%s", name, diff)
	}
	if diff := cmp.Diff(strings.Join(text, "\n"), shown.Text); diff != "" {
		d.Errorf("%s shows:\n%s", name, diff)
	}
}

// call shows a call if it changes something, runs it with what pins it, and commits what it writes.
func (d *desk) call(name, args string) (rein.Done, error) {
	d.Helper()
	d.steps++
	inv := d.invocation(args)
	if t := d.tools[name]; t.Show != nil {
		shown, err := t.Show(d.Context(), inv)
		if err != nil {
			return rein.Done{}, err
		}
		inv.Args = pinned(d.T, inv.Args, shown.Pin)
	}
	done, err := d.tools[name].Do(d.Context(), inv)
	if err != nil || done.Commit == nil {
		return done, err
	}
	return done, d.commit(inv.Step, done)
}

func (d *desk) commit(step rein.StepKey, done rein.Done) error {
	_, err := d.store.Append(d.Context(), store.Batch{Run: "r1", Epoch: 1, Drafts: []store.Draft{{
		Kind: rein.StepDone, Step: step, At: d.now, Data: rein.StepEnd{}, Commit: done.Commit,
	}}})
	return err
}

func pinned(t *testing.T, args json.RawMessage, pin map[string]string) json.RawMessage {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(args, &all); err != nil {
		t.Fatal(err)
	}
	for name, value := range pin {
		all[name] = value
	}
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// does wants a call to work, and to say so.
func (d *desk) does(name, args, want string) rein.Done {
	d.Helper()
	done, err := d.call(name, args)
	if err != nil {
		d.Errorf("%s %s: %v", name, args, err)
	}
	if diff := cmp.Diff(want, done.Text); diff != "" {
		d.Errorf("%s says:\n%s", name, diff)
	}
	return done
}

// id is the ID of the event of a result.
func (d *desk) id(done rein.Done) string {
	d.Helper()
	var data struct{ Event string }
	d.check(json.Unmarshal(done.Data, &data))
	return data.Event
}

// listed wants the agenda of some days to have these lines, without the IDs.
func (d *desk) listed(args string, want ...string) {
	d.Helper()
	done, err := d.call("agenda.list_events", args)
	d.check(err)
	var got []string
	for line := range strings.Lines(done.Text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " [")
		got = append(got, line)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		d.Errorf("the agenda:\n%s", diff)
	}
}

// What a person is asked is one sentence in their language, and beside it stands what they should know.
//
// Covers: NEU-56 NEU-62
func TestSentences(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.does("agenda.add_event", `{"title":"work","start":"2026-11-24T08:30","end":"2026-11-24T12:00","shared":true}`, "Added: 'work', Tuesday 24 November, 08:30.")
	d.does("agenda.add_event", `{"title":"school","start":"2026-11-23T08:30","repeat":"FREQ=WEEKLY;BYDAY=MO,TU","minutes":30}`, "Added: 'school', Monday 23 November, 08:30. At the same time as 'work', Tuesday 24 November, 08:30–12:00.")
	const dentist = `{"title":"dentist","start":"2026-11-24T09:00","place":"Church Street 1","alarms":[30,0,1440]}`
	d.asked("agenda.add_event", dentist, "Shall I add 'dentist' on Tuesday 24 November, 09:00?",
		"At the same time as 'work', Tuesday 24 November, 08:30–12:00.", "It ends at 10:00.", "Place: Church Street 1.", "Alarm: at the start, 30 minutes before and 1 day before.")
	d.asked("agenda.add_event", `{"title":"holiday","start":"2026-12-24","end":"2027-01-03","shared":true}`, "Shall I add 'holiday' on Thursday 24 December?", "It lasts until Sunday 3 January 2027.", "Everyone in the household sees it.")
	d.asked("agenda.add_event", `{"title":"training","start":"2026-11-23T19:00","repeat":"FREQ=WEEKLY;BYDAY=TU,TH;COUNT=10"}`, "Shall I add 'training', every week on Tuesday and Thursday, 10 times from Tuesday 24 November, 19:00 on?", "It ends at 20:00.")
	d.asked("agenda.add_event", `{"title":"rent","start":"2026-12-01","repeat":"FREQ=MONTHLY;BYDAY=1TU"}`, "Shall I add 'rent', every month from Tuesday 1 December on?", "It repeats by the rule FREQ=MONTHLY;BYDAY=1TU.")
	d.asked("agenda.add_event", `{"title":"night","start":"2027-03-27T02:30","repeat":"FREQ=DAILY;COUNT=3"}`, "Shall I add 'night', every day, 3 times from Saturday 27 March 2027, 02:30 on?",
		"The clocks change: 02:30 does not exist on Sunday 28 March 2027, so it begins at 03:00.", "It ends at 03:30.")
	d.asked("agenda.add_event", `{"title":"late","start":"2026-10-25T02:30"}`, "Shall I add 'late' on Sunday 25 October, 02:30?", "That is in the past.", "The clocks change: 02:30 comes twice on Sunday 25 October, and the first one counts.", "It ends at 03:30.")
	id := d.id(d.does("agenda.add_event", dentist, "Added: 'dentist', Tuesday 24 November, 09:00. At the same time as 'work', Tuesday 24 November, 08:30–12:00."))
	d.asked("agenda.update_event", `{"id":"`+id+`","start":"2026-11-25T14:00"}`, "Shall I move 'dentist' from Tuesday 24 November, 09:00 to Wednesday 25 November, 14:00?", "")
	d.asked("agenda.update_event", `{"id":"`+id+`","title":"dentist, check","place":"","alarms":[],"shared":true}`, "Shall I change 'dentist' on Tuesday 24 November, 09:00?",
		"At the same time as 'work', Tuesday 24 November, 08:30–12:00.", "Title: 'dentist' → 'dentist, check'.", "Place: 'Church Street 1' → none.", "No alarm.", "Everyone in the household sees it.")
	d.asked("agenda.delete_event", `{"id":"`+id+`"}`, "Shall I delete 'dentist' on Tuesday 24 November, 09:00?", "Place: Church Street 1.")
}

// The same in Dutch.
//
// Covers: NEU-62
func TestSentencesInDutch(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.language = "nl-NL"
	d.asked("agenda.add_event", `{"title":"tandarts","start":"2026-11-24T09:00","alarms":[60]}`, "Zal ik op dinsdag 24 november, 09:00 'tandarts' toevoegen?", "Het eindigt om 10:00.", "Herinnering: 1 uur ervoor.")
	done := d.does("agenda.add_event", `{"title":"zwemles","start":"2026-11-24T17:00","repeat":"FREQ=WEEKLY","shared":true}`, "Toegevoegd: 'zwemles', dinsdag 24 november, 17:00.")
	id := d.id(done)
	d.asked("agenda.add_event", `{"title":"zwemles","start":"2026-11-24T17:00","repeat":"FREQ=WEEKLY;INTERVAL=2;UNTIL=20270301"}`, "Zal ik 'zwemles' toevoegen, elke 2 weken tot en met maandag 1 maart 2027 vanaf dinsdag 24 november, 17:00?",
		"Tegelijk met 'zwemles', dinsdag 24 november, 17:00–18:00.", "Tegelijk met 'zwemles', dinsdag 8 december, 17:00–18:00.", "Tegelijk met 'zwemles', dinsdag 22 december, 17:00–18:00.",
		"Tegelijk met 'zwemles', dinsdag 5 januari 2027, 17:00–18:00.", "Tegelijk met 'zwemles', dinsdag 19 januari 2027, 17:00–18:00.", "Het eindigt om 18:00.")
	d.asked("agenda.update_event", `{"id":"`+id+`","scope":"one","occurrence":"2026-12-01T17:00","start":"2026-12-02T17:30"}`, "Zal ik 'zwemles' verplaatsen van dinsdag 1 december, 17:00 naar woensdag 2 december, 17:30, alleen deze keer?", "")
	d.asked("agenda.update_event", `{"id":"`+id+`","scope":"following","occurrence":"2026-12-01T17:00","start":"2026-12-02T17:00"}`, "Zal ik 'zwemles' verplaatsen van dinsdag 1 december, 17:00 naar woensdag 2 december, 17:00, deze keer en alle latere?", "")
	d.asked("agenda.delete_event", `{"id":"`+id+`","scope":"all"}`, "Zal ik 'zwemles' op dinsdag 24 november, 17:00 verwijderen, alle keren?")
	d.listed(`{"to":"2026-11-30"}`, "In de agenda van vrijdag 20 november, 12:00 tot dinsdag 1 december, 00:00:", "- dinsdag 24 november, 17:00–18:00: zwemles")
	d.listed(`{"from":"2026-11-25","to":"2026-11-25"}`, "Er staat niets in de agenda van woensdag 25 november, 00:00 tot donderdag 26 november, 00:00.")
	d.does("agenda.find_free_time", `{"minutes":90,"from":"2026-11-24","to":"2026-11-24","day_end":"19:00"}`, "Vrij voor 90 minuten:\n- dinsdag 24 november, 09:00–17:00")
	d.does("agenda.delete_event", `{"id":"`+id+`","scope":"one","occurrence":"2026-11-24T17:00"}`, "Verwijderd: 'zwemles', dinsdag 24 november, 17:00, alleen deze keer.")
}

// One occurrence, it and all later ones, or all of them are changed and deleted; the others stay as they are.
//
// Covers: NEU-56
func TestScopes(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.id(d.does("agenda.add_event", `{"title":"yoga","start":"2026-11-23T19:00","repeat":"FREQ=WEEKLY;COUNT=6"}`, "Added: 'yoga', Monday 23 November, 19:00."))
	all := `{"from":"2026-11-20","to":"2027-01-31"}`
	d.does("agenda.update_event", `{"id":"`+id+`","scope":"one","occurrence":"2026-11-30T19:00","start":"2026-12-01T20:00"}`, "Changed: 'yoga', Tuesday 1 December, 20:00.")
	d.does("agenda.delete_event", `{"id":"`+id+`","scope":"one","occurrence":"2026-12-07T19:00"}`, "Deleted: 'yoga', Monday 7 December, 19:00, only this time.")
	done := d.does("agenda.update_event", `{"id":"`+id+`","scope":"following","occurrence":"2026-12-14T19:00","title":"pilates","start":"2026-12-16T18:00"}`, "Changed: 'pilates', Wednesday 16 December, 18:00.")
	heading := "In the agenda from Friday 20 November, 00:00 to Monday 1 February 2027, 00:00:"
	d.listed(all, heading, "- Monday 23 November, 19:00–20:00: yoga", "- Tuesday 1 December, 20:00–21:00: yoga",
		"- Wednesday 16 December, 18:00–19:00: pilates", "- Wednesday 23 December, 18:00–19:00: pilates", "- Wednesday 30 December, 18:00–19:00: pilates")
	d.does("agenda.delete_event", `{"id":"`+d.id(done)+`","scope":"following","occurrence":"2026-12-30T18:00"}`, "Deleted: 'pilates', Wednesday 30 December, 18:00, this time and all later ones.")
	d.does("agenda.update_event", `{"id":"`+id+`","scope":"all","place":"gym"}`, "Changed: 'yoga', Monday 23 November, 19:00.")
	d.listed(all, heading, "- Monday 23 November, 19:00–20:00: yoga (gym)", "- Tuesday 1 December, 20:00–21:00: yoga (gym)",
		"- Wednesday 16 December, 18:00–19:00: pilates", "- Wednesday 23 December, 18:00–19:00: pilates")
	d.does("agenda.delete_event", `{"id":"`+id+`","scope":"all"}`, "Deleted: 'yoga', Monday 23 November, 19:00, all of them.")
	d.listed(all, heading, "- Wednesday 16 December, 18:00–19:00: pilates", "- Wednesday 23 December, 18:00–19:00: pilates")
}

// An approval is of the event as it was shown: a change in between voids it. A step that is committed twice writes once.
//
// Covers: NEU-56 LAW-1
func TestApprovedAsShown(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.id(d.does("agenda.add_event", `{"title":"dentist","start":"2026-11-24T09:00"}`, "Added: 'dentist', Tuesday 24 November, 09:00."))
	args := `{"id":"` + id + `","start":"2026-11-25T09:00"}`
	shown, err := d.show("agenda.update_event", args)
	d.check(err)
	inv := d.invocation(args)
	inv.Args = pinned(t, inv.Args, shown.Pin)
	late, err := d.tools["agenda.update_event"].Do(t.Context(), inv)
	d.check(err)
	d.does("agenda.update_event", `{"id":"`+id+`","place":"elsewhere"}`, "Changed: 'dentist', Tuesday 24 November, 09:00.")
	if again, err := d.show("agenda.update_event", args); err != nil || again.Pin["version"] == shown.Pin["version"] {
		t.Errorf("what is shown is pinned to the same version: %+v %v", again, err)
	}
	if _, err := d.tools["agenda.update_event"].Do(t.Context(), inv); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("the event was changed after it was shown: %v", err)
	}
	if err := d.commit("99", late); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("the event was changed before it was written: %v", err)
	}
	for _, name := range []string{"agenda.update_event", "agenda.delete_event"} {
		inv := d.invocation(`{"id":"` + id + `","title":"x"}`)
		if name == "agenda.delete_event" {
			inv = d.invocation(`{"id":"` + id + `"}`)
		}
		if _, err := d.tools[name].Do(t.Context(), inv); rein.CodeOf(err) != rein.CodeConflict {
			t.Errorf("%s of what nobody was shown: %v", name, err)
		}
	}
	add := d.tools["agenda.add_event"]
	d.steps = 500
	twice, err := add.Do(t.Context(), d.invocation(`{"title":"twice","start":"2026-11-26T09:00"}`))
	d.check(err)
	for range 2 {
		d.check(d.store.Write(t.Context(), twice.Commit))
	}
	d.listed(`{"from":"2026-11-26","to":"2026-11-26"}`, "In the agenda from Thursday 26 November, 00:00 to Friday 27 November, 00:00:", "- Thursday 26 November, 09:00–10:00: twice")
}

// A private event is its user's alone. A shared one is seen by the household, and changed by its user only.
//
// Covers: NEU-2 NEU-53
func TestOthers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	private := d.id(d.does("agenda.add_event", `{"title":"secret","start":"2026-11-24T09:00"}`, "Added: 'secret', Tuesday 24 November, 09:00."))
	shared := d.id(d.does("agenda.add_event", `{"title":"party","start":"2026-11-24T20:00","shared":true}`, "Added: 'party', Tuesday 24 November, 20:00."))
	d.user = "bob"
	d.listed(`{"from":"2026-11-24","to":"2026-11-24"}`, "In the agenda from Tuesday 24 November, 00:00 to Wednesday 25 November, 00:00:", "- Tuesday 24 November, 20:00–21:00: party")
	d.asked("agenda.add_event", `{"title":"cinema","start":"2026-11-24T20:30"}`, "Shall I add 'cinema' on Tuesday 24 November, 20:30?", "At the same time as 'party' of ann, Tuesday 24 November, 20:00–21:00.", "It ends at 21:30.")
	for id, code := range map[string]rein.Code{private: rein.CodeNotFound, shared: rein.CodeForbidden, "nothing": rein.CodeNotFound} {
		if _, err := d.call("agenda.delete_event", `{"id":"`+id+`"}`); rein.CodeOf(err) != code {
			t.Errorf("%s: %v, want %s", id, err, code)
		}
	}
	if _, err := d.call("agenda.add_event", `{"title":"x","start":"2026-11-24T20:30","user":"ann"}`); err == nil {
		t.Error("a call can name its user")
	}
}

// Arguments that cannot be right get an error that says what would be.
//
// Covers: NEU-54
func TestBadArguments(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	weekly := d.id(d.does("agenda.add_event", `{"title":"weekly","start":"2026-11-24T09:00","repeat":"FREQ=WEEKLY;BYDAY=TU"}`, "Added: 'weekly', Tuesday 24 November, 09:00."))
	monthly := d.id(d.does("agenda.add_event", `{"title":"monthly","start":"2026-11-24T19:00","repeat":"FREQ=MONTHLY;BYDAY=4TU"}`, "Added: 'monthly', Tuesday 24 November, 19:00."))
	for _, c := range [][3]string{
		{"agenda.add_event", `{"title":"x","start":"tomorrow"}`, `start: "tomorrow" is not a time: write it like 2026-03-28T09:00`},
		{"agenda.add_event", `{"title":"x","start":""}`, "start is missing: write it like 2026-11-24T09:00"},
		{"agenda.add_event", `{"title":"x","start":"2026-02-30"}`, "is not a time"},
		{"agenda.add_event", `{"title":"x","start":"2026-11-24T09:00","end":"2026-11-24T08:00"}`, "before its start"},
		{"agenda.add_event", `{"title":"x","start":"2026-11-24T09:00","end":"2026-11-25"}`, "give both as a time, or both as a day"},
		{"agenda.add_event", `{"title":"x","start":"2026-11-24T09:00","end":"2026-11-24T10:00","minutes":5}`, "give one of them"},
		{"agenda.add_event", `{"title":"x","start":"2026-11-24","minutes":5}`, "give its last day as the end"},
		{"agenda.add_event", `{"title":"x","start":"2026-11-24T09:00","zone":"Amsterdam"}`, `there is no time zone "Amsterdam"`},
		{"agenda.add_event", `{"title":"x","start":"2026-11-24T09:00","repeat":"FREQ=HOURLY"}`, "more than once a day"},
		{"agenda.add_event", `{"title":"x","start":"2026-11-24T09:00","repeat":"weekly"}`, "write it like FREQ=WEEKLY;BYDAY=TU"},
		{"agenda.add_event", `{"title":"x","start":"2026-11-24T09:00","alarms":[-5]}`, "from 0 to 40320 minutes"},
		{"agenda.add_event", `{"title":"x","start":"2026-11-24T09:00","alarms":[1,2,3,4,5,6]}`, "at most 5 alarms"},
		{"agenda.add_event", `{"title":" ","start":"2026-11-24T09:00"}`, "needs a title"},
		{"agenda.list_events", `{"from":"2026-11-24","to":"2026-11-20"}`, "the end must come after the start"},
		{"agenda.list_events", `{"from":"2026","to":"2040"}`, `from: "2026" is not a time`},
		{"agenda.list_events", `{"from":"2020-01-01","to":"2040-01-01"}`, "at most 5 years"},
		{"agenda.update_event", `{"id":"` + weekly + `","title":"y"}`, "say with scope which is meant: one, following or all"},
		{"agenda.update_event", `{"id":"` + weekly + `","scope":"one","title":"y"}`, "scope one needs the occurrence"},
		{"agenda.update_event", `{"id":"` + weekly + `","scope":"one","occurrence":"2026-11-25T09:00","title":"y"}`, "does not happen at 2026-11-25T09:00"},
		{"agenda.update_event", `{"id":"` + weekly + `","scope":"one","occurrence":"2026-11-24T09:00","shared":true}`, "one occurrence cannot have"},
		{"agenda.update_event", `{"id":"` + weekly + `","scope":"all"}`, "nothing would change"},
		{"agenda.update_event", `{"id":"` + monthly + `","scope":"all","occurrence":"2026-11-24T19:00","start":"2026-11-25T19:00"}`, "give the new rule too"},
		{"agenda.delete_event", `{"id":"` + weekly + `"}`, "say with scope"},
		{"agenda.find_free_time", `{"minutes":30,"day_start":"9"}`, `day_start: "9" is not a time of day: write it like 09:00`},
		{"agenda.find_free_time", `{"minutes":30,"day_start":"10:00","day_end":"09:00"}`, "it must end later than it starts"},
		{"agenda.find_free_time", `{"minutes":700}`, "do not fit between 09:00 and 18:00"},
		{"agenda.find_free_time", `{"minutes":30,"with":["eve"]}`, `there is no "eve" in the household; available: ann, bob`},
		{"agenda.find_free_time", `{"minutes":30,"to":"2028-01-01"}`, "at most 92 days"},
	} {
		if _, err := d.call(c[0], c[1]); rein.CodeOf(err) != rein.CodeInvalid && rein.CodeOf(err) != rein.CodeLimit && rein.CodeOf(err) != rein.CodeNotFound || !strings.Contains(fmt.Sprint(err), c[2]) {
			t.Errorf("%s %s: %v, want %q", c[0], c[1], err, c[2])
		}
	}
	for _, task := range []*rein.Task{nil, {User: "ann"}, {Household: "home"}} {
		if _, err := d.tools["agenda.list_events"].Do(t.Context(), rein.Invocation{Task: task, Args: json.RawMessage(`{}`)}); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("an agenda of nobody: %v", err)
		}
	}
}
