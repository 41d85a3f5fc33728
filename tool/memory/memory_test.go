package memory_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/memory"
)

var now = time.Date(2026, 3, 1, 23, 30, 0, 0, time.UTC)

// A desk has the tools over a real store, with a run whose steps commit what they write.
type desk struct {
	t     *testing.T
	store *sqlite.Store
	tools map[string]rein.Tool
	steps int
	now   time.Time
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	d := &desk{t: t, store: s, tools: map[string]rein.Tool{}, now: now}
	for _, tool := range memory.Tools(s, func() time.Time { return d.now }) {
		if !tool.Internal || tool.Effect != rein.Pure {
			t.Errorf("%s must be internal and pure", tool.Name)
		}
		d.tools[tool.Name] = tool
	}
	budget := rein.DefaultBudget()
	if _, _, err := s.Start(t.Context(), store.Start{Run: "r1", At: now, Claim: true, Start: rein.RunStart{Task: rein.Task{Flow: "f", Budget: &budget}}}); err != nil {
		t.Fatal(err)
	}
	return d
}

// call runs a tool for a user of a household, and commits what it writes.
func (d *desk) call(name, user, household, args string) (string, error) {
	d.t.Helper()
	d.steps++
	step := rein.StepKey(fmt.Sprint(d.steps))
	task := rein.Task{User: user, Household: household, Session: "now", Zone: "Europe/Amsterdam"}
	done, err := d.tools[name].Do(d.t.Context(), rein.Invocation{Run: "r1", Step: step, Task: &task, Args: json.RawMessage(args)})
	if err != nil || done.Commit == nil {
		return string(done.Data), err
	}
	_, err = d.store.Append(d.t.Context(), store.Batch{Run: "r1", Epoch: 1, Drafts: []store.Draft{{
		Kind: rein.StepDone, Step: step, At: d.now, Data: rein.StepEnd{}, Commit: done.Commit,
	}}})
	return done.Text, err
}

func (d *desk) want(name, user, household, args, want string) {
	d.t.Helper()
	got, err := d.call(name, user, household, args)
	if err != nil {
		d.t.Errorf("%s of %s: %v", name, user, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		d.t.Errorf("%s of %s of %s:\n%s", name, user, household, diff)
	}
}

const none = `{"items":[]}`

// What is saved is read by its user, with times as the user's clock shows them, and by nobody else;
// only what is meant for the household is seen by its other members.
//
// Covers: ENG-13 LAW-1
func TestSaveAndRead(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"context.snapshots", "context.preferences", "context.memories", "context.summaries"} {
		d.want(name, "ann", "home", "", none)
	}
	d.want("memory.save", "ann", "home", `{"source":"r0","memories":[{"text":"has a cat"},{"text":"likes tea","kind":"preference"}],
		"snapshots":[{"text":"is in Paris","days":2},{"text":"the heating is broken","scope":"household"}]}`, "2 memories, 2 snapshots")
	const broken = `{"text":"the heating is broken","at":"2026-03-02 00:30","scope":"household","source":"your notes","until":"2026-03-09 00:30"}`
	d.want("context.memories", "ann", "home", "", `{"items":[{"text":"likes tea","at":"2026-03-02 00:30","kind":"preference","source":"your notes","about":"tea","id":"m5588b2870e"},`+
		`{"text":"has a cat","at":"2026-03-02 00:30","kind":"fact","source":"your notes","id":"m3ce7937dd0"}]}`)
	d.want("context.snapshots", "ann", "home", "", `{"items":[`+broken+`,{"text":"is in Paris","at":"2026-03-02 00:30","scope":"user","source":"your notes","until":"2026-03-04 00:30"}]}`)
	d.want("context.memories", "bob", "home", "", none)
	d.want("context.snapshots", "bob", "home", "", `{"items":[`+strings.Replace(broken, `"source":"your notes"`, `"by":"ann"`, 1)+`]}`)
	d.want("context.memories", "ann", "other", "", none)
	d.want("context.snapshots", "ann", "other", "", none)
	d.now = now.AddDate(0, 0, 3)
	d.want("context.snapshots", "ann", "home", "", `{"items":[`+broken+`]}`)
}

// Summaries are read by their user, but for the session that the run is in; a day's are those that
// ended on it where the user lives.
func TestSummaries(t *testing.T) {
	d := newDesk(t)
	for _, args := range []string{
		`{"kind":"session","about":"s1","text":"About tea.","from":"2026-03-01T22:00:00Z","at":"2026-03-01T22:30:00Z"}`,
		`{"kind":"session","about":"s2","text":"About cats.","from":"2026-03-01T22:50:00Z","at":"2026-03-01T23:10:00Z"}`,
		`{"kind":"session","about":"now","text":"About now.","from":"2026-03-02T08:00:00Z","at":"2026-03-02T09:00:00Z"}`,
		`{"kind":"day","about":"2026-03-01","text":"Tea.","from":"2026-02-28T23:00:00Z","at":"2026-03-01T23:00:00Z"}`,
	} {
		d.want("summary.save", "ann", "home", args, "kept")
	}
	d.want("context.summaries", "ann", "home", "", `{"items":[{"text":"About cats.","at":"2026-03-02 00:10","kind":"session","source":"summary","of":"s2"},`+
		`{"text":"About tea.","at":"2026-03-01 23:30","kind":"session","source":"summary","of":"s1"},{"text":"Tea.","at":"2026-03-01","kind":"day","source":"summary","of":"2026-03-01"}]}`)
	d.want("context.summaries", "bob", "home", "", none)
	d.want("summary.day", "ann", "home", `{"day":"2026-03-02"}`, `{"items":[{"text":"About cats.","at":"2026-03-02 00:10","kind":"session","source":"summary","of":"s2"},`+
		`{"text":"About now.","at":"2026-03-02 10:00","kind":"session","source":"summary","of":"now"}],"from":"2026-03-02T00:00:00+01:00","to":"2026-03-03T00:00:00+01:00"}`)
	d.want("summary.day", "bob", "home", `{"day":"2026-03-02"}`, `{"items":[],"from":"2026-03-02T00:00:00+01:00","to":"2026-03-03T00:00:00+01:00"}`)
}

// What cannot be saved or read says why, and nothing is written.
func TestRefused(t *testing.T) {
	d := newDesk(t)
	many := `{"memories":[` + strings.Repeat(`{"text":"a"},`, 20) + `{"text":"b"}]}`
	for _, c := range [][3]string{
		{"memory.save", `{"memories":"a"}`, "its arguments cannot be read"},
		{"memory.save", many, "at most 20 memories"},
		{"summary.save", `{"kind":"year","about":"2026","text":"x"}`, "of a session or a day"},
		{"summary.save", `{"kind":"day","about":"2026-03-01"}`, "and a text"},
		{"summary.day", `{"day":"1 March"}`, "like 2026-01-31"},
		{"summary.day", `[]`, "cannot be read"},
	} {
		if _, err := d.call(c[0], "ann", "home", c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s %.40s: %v, want %q", c[0], c[1], err, c[2])
		}
	}
	d.want("context.memories", "ann", "home", "", none)
	for name, tool := range d.tools {
		for _, task := range []*rein.Task{nil, {User: "ann"}, {Household: "home"}} {
			if _, err := tool.Do(t.Context(), rein.Invocation{Run: "r1", Task: task, Args: json.RawMessage(`{"day":"2026-03-01"}`)}); rein.CodeOf(err) != rein.CodeInvalid {
				t.Errorf("%s for nobody: %v", name, err)
			}
		}
	}
}
