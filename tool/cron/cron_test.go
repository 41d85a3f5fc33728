package cron_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/household/schedule"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/cron"
)

// A desk has the tools over a real store, with a run whose steps commit what they write.
type desk struct {
	t     *testing.T
	store *sqlite.Store
	tools map[string]rein.Tool
	steps int
	now   time.Time
	task  rein.Task
	waits []string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	check(t, err)
	t.Cleanup(func() { s.Close() })
	d := &desk{
		t: t, store: s, tools: map[string]rein.Tool{}, now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
		task: rein.Task{User: "ann", Household: "home", Session: "s1", Zone: "Europe/Amsterdam", Language: "nl"},
	}
	tools, err := cron.Tools(cron.Options{
		Tables: s, Now: func() time.Time { return d.now }, Check: func(context.Context, schedule.Job) ([]string, error) { return d.waits, nil },
		Clean: func(_ schedule.Owner, text string) string { return strings.ReplaceAll(text, "hunter2", "[secret]") },
	})
	check(t, err)
	for _, tool := range tools {
		d.tools[tool.Name] = tool
	}
	budget := rein.DefaultBudget()
	_, _, err = s.Start(t.Context(), store.Start{Run: "r1", At: d.now, Claim: true, Start: rein.RunStart{Task: rein.Task{Flow: "f", Budget: &budget}}})
	check(t, err)
	return d
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// call shows a call and, as the engine does, makes it with what was pinned, and commits what it writes.
func (d *desk) call(name, args string) (shown rein.Shown, done rein.Done, err error) {
	d.t.Helper()
	d.steps++
	inv := rein.Invocation{Run: "r1", Step: rein.StepKey(fmt.Sprint(d.steps)), Task: &d.task, Args: json.RawMessage(args)}
	tool := d.tools[name]
	if tool.Show != nil {
		if shown, err = tool.Show(d.t.Context(), inv); err != nil {
			return shown, done, err
		}
		var all map[string]any
		check(d.t, json.Unmarshal(inv.Args, &all))
		for name, value := range shown.Pin {
			all[name] = value
		}
		inv.Args, err = json.Marshal(all)
		check(d.t, err)
	}
	if done, err = tool.Do(d.t.Context(), inv); err != nil || done.Commit == nil {
		return shown, done, err
	}
	_, err = d.store.Append(d.t.Context(), store.Batch{Run: "r1", Epoch: 1, Drafts: []store.Draft{{
		Kind: rein.StepDone, Step: inv.Step, At: d.now, Data: rein.StepEnd{}, Commit: done.Commit,
	}}})
	return shown, done, err
}

// id returns the ID of the job in a result.
func id(t *testing.T, done rein.Done) string {
	t.Helper()
	var job struct{ ID string }
	check(t, json.Unmarshal(done.Data, &job))
	return job.ID
}

// A reminder as models write it, in full and in short, becomes a job after a question in the language of the user.
//
// Covers: NEU-57 NEU-50 NEU-62
func TestAdd(t *testing.T) {
	const full = `{"schedule":{"kind":"at","at":"2026-11-21T09:00","tz":"Europe/Amsterdam"},"target":"main","payload":{"kind":"systemEvent","text":"tandarts"},"label":"tandarts"}`
	for _, args := range []string{full, `{"at":"2026-11-21T09:00","text":"tandarts"}`, `{"schedule":{"at":"2026-11-21 09:00"},"payload":{"text":"tandarts"}}`, `{"at":"2026-11-21T09:00:00+01:00","text":"tandarts","label":"tandarts"}`} {
		d := newDesk(t)
		shown, done, err := d.call("cron.add", args)
		if err != nil || shown.Say != "Zal ik je op zaterdag 21 november om 09:00 herinneren aan 'tandarts'?" || shown.Text != "" {
			t.Errorf("%s: %+v, %v", args, shown, err)
		}
		if !strings.HasSuffix(done.Text, ": tandarts, on Saturday 21 November, 09:00.") {
			t.Error(done.Text)
		}
		var found []schedule.Job
		check(t, d.store.Read(t.Context(), func(ctx context.Context, q store.Query) (err error) {
			found, err = schedule.List(ctx, q, schedule.Owner{Household: "home", User: "ann"}, false)
			return err
		}))
		if len(found) != 1 || !found[0].Next.Equal(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)) || found[0].Session != "s1" || found[0].Run != "r1" || found[0].Language != "nl" || found[0].Target != schedule.Main {
			t.Errorf("%+v", found)
		}
	}
}

// The question says what is special about a time, and that a job will wait for its user.
//
// Covers: NEU-57
func TestRemarks(t *testing.T) {
	d := newDesk(t)
	shown, done, err := d.call("cron.add", `{"at":"2027-03-28T02:30","text":"Zet de klok.\nhunter2","label":"klok"}`)
	if want := "Zet de klok.\n[secret]\nDe klok slaat die tijd op die dag over: het wordt zondag 28 maart 2027, 03:00."; err != nil || shown.Text != want {
		t.Errorf("%q, %v", shown.Text, err)
	}
	if !strings.Contains(done.Text, "De klok slaat") || strings.Contains(done.Text, "hunter2") {
		t.Error(done.Text)
	}
	d.waits = []string{"ask", "write_file"}
	shown, done, err = d.call("cron.add", `{"cron":"0 8 * * 1-5","target":"isolated","text":"Wat staat er in mijn agenda?","label":"agenda"}`)
	if err != nil || shown.Say != "Zal ik elke werkdag om 08:00 'agenda' uitvoeren?" || !strings.HasSuffix(shown.Text, "kan op je wachten als hij draait: ask, write_file.") || !strings.Contains(done.Text, "ask, write_file") {
		t.Errorf("%+v, %q, %v", shown, done.Text, err)
	}
}

// A job is changed, fired, stopped and removed as it was shown; what changed meanwhile is refused, and so are the jobs of
// others.
//
// Covers: NEU-57
func TestChange(t *testing.T) {
	d := newDesk(t)
	_, done, err := d.call("cron.add", `{"at":"2026-11-21T09:00","text":"tandarts"}`)
	check(t, err)
	job := id(t, done)
	for _, c := range []struct{ name, args, say, text string }{
		{"cron.update", `{"id":"` + job + `","at":"2026-11-21T10:00"}`, "Zal ik de taak 'tandarts' wijzigen in 'tandarts', op zaterdag 21 november om 10:00?", "10:00."},
		{"cron.update", `{"id":"` + job + `","enabled":false}`, "Zal ik de taak 'tandarts' uitzetten (op zaterdag 21 november om 10:00)?", "disabled by hand."},
		{"cron.update", `{"id":"` + job + `","enabled":true}`, "Zal ik de taak 'tandarts' weer aanzetten (op zaterdag 21 november om 10:00)?", "10:00."},
		{"cron.run", `{"id":"` + job + `"}`, "Zal ik de taak 'tandarts' nu uitvoeren?", "10:00."},
		{"cron.runs", `{"id":"` + job + `"}`, "", "2026-11-20T13:00: due"},
		{"cron.list", `{}`, "", job + ": tandarts, on Saturday 21 November, 10:00"},
		{"cron.remove", `{"id":"` + job + `"}`, "Zal ik de taak 'tandarts' verwijderen (op zaterdag 21 november om 10:00)?", "10:00."},
		{"cron.list", `{}`, "", "[there are no jobs]"},
	} {
		shown, done, err := d.call(c.name, c.args)
		if err != nil || shown.Say != c.say || !strings.HasSuffix(done.Text, c.text) {
			t.Errorf("%s %s: %q, %q, %v", c.name, c.args, shown.Say, done.Text, err)
		}
	}
	_, done, err = d.call("cron.add", `{"every":"2h","text":"stretch"}`)
	check(t, err)
	job = id(t, done)
	_, err = d.tools["cron.remove"].Do(t.Context(), rein.Invocation{Run: "r1", Step: "x", Task: &d.task, Args: json.RawMessage(`{"id":"` + job + `","version":"7"}`)})
	if rein.CodeOf(err) != rein.CodeConflict {
		t.Error("another version was removed:", err)
	}
	d.task.User = "bob"
	for _, name := range []string{"cron.update", "cron.remove", "cron.run", "cron.runs"} {
		if _, _, err := d.call(name, `{"id":"`+job+`","text":"x"}`); rein.CodeOf(err) != rein.CodeNotFound && !strings.Contains(err.Error(), "text") {
			t.Errorf("bob uses %s on ann's job: %v", name, err)
		}
	}
}
