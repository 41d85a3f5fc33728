package session_test

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
	"rein/tool/session"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A shelf is a store with logs that a test writes line by line.
type shelf struct {
	*sqlite.Store
	t  *testing.T
	at time.Time
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &shelf{t: t, Store: s, at: noon}
}

func (s *shelf) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func task(user, session string, said ...string) rein.Task {
	budget := rein.DefaultBudget()
	t := rein.Task{Flow: "f", Household: "home", User: user, Session: session, Budget: &budget}
	for _, text := range said {
		t.Messages = append(t.Messages, rein.Message{Role: rein.User, Text: text})
	}
	return t
}

func (s *shelf) start(run rein.RunID, task rein.Task) {
	s.t.Helper()
	s.at = s.at.Add(time.Minute)
	task.Start = s.at
	_, started, err := s.Start(s.t.Context(), store.Start{Run: run, At: s.at, Claim: true, Start: rein.RunStart{Task: task}})
	s.must(err)
	if !started {
		s.t.Fatalf("run %s was there before", run)
	}
}

func (s *shelf) append(run rein.RunID, drafts ...store.Draft) {
	s.t.Helper()
	info, err := s.Run(s.t.Context(), run)
	s.must(err)
	for i := range drafts {
		drafts[i].At = s.at
	}
	_, err = s.Append(s.t.Context(), store.Batch{Run: run, Epoch: 1, Seen: info.Command, Drafts: drafts})
	s.must(err)
}

// call is a tool call that has been made.
func (s *shelf) call(run rein.RunID, step rein.StepKey, call rein.ToolCall, text string) {
	s.t.Helper()
	s.append(run,
		store.Draft{Kind: rein.StepStarted, Step: step, Data: rein.StepStart{Call: &call}},
		store.Draft{Kind: rein.StepDone, Step: step, Data: rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Text: text}}})
}

func (s *shelf) end(run rein.RunID, end rein.End, text string) {
	s.t.Helper()
	s.at = s.at.Add(time.Minute)
	outcome := &rein.RunEnd{Outcome: rein.Outcome{End: end, Text: text}}
	s.append(run, store.Draft{Kind: end.EndKind(), Data: outcome, Outcome: outcome, Status: store.Status(end)})
}

func (s *shelf) command(c rein.Command) {
	s.t.Helper()
	_, err := s.Command(s.t.Context(), c, s.at)
	s.must(err)
}

// talk is a whole run.
func (s *shelf) talk(run rein.RunID, user, session, asked, answer string) {
	s.t.Helper()
	s.start(run, task(user, session, asked))
	s.end(run, rein.EndDone, answer)
}

// read calls a tool for a run that is just being born.
func read[T any](s *shelf, tool rein.Tool, run rein.RunID, t rein.Task, args string) (found T, err error) {
	s.t.Helper()
	if !tool.Internal || tool.Effect != rein.Pure {
		s.t.Errorf("%s must be internal and pure", tool.Name)
	}
	t.Start = s.at.Add(time.Hour)
	done, err := tool.Do(s.t.Context(), rein.Invocation{Run: run, Task: &t, Args: json.RawMessage(args)})
	if err == nil {
		s.must(json.Unmarshal(done.Data, &found))
	}
	return found, err
}

type runs struct {
	Runs     []session.Past `json:"runs"`
	From, To time.Time
}

func (s *shelf) history(run rein.RunID, t rein.Task) []session.Past {
	s.t.Helper()
	found, err := read[runs](s, session.History(s), run, t, "")
	s.must(err)
	return found.Runs
}

// same compares without the times.
func (s *shelf) same(what string, got, want []session.Past) {
	s.t.Helper()
	for i := range got {
		got[i].At = ""
	}
	if diff := cmp.Diff(want, got); diff != "" {
		s.t.Errorf("%s:\n%s", what, diff)
	}
}

// A run that is being born knows the ended runs of its session, in their order: not those of other
// sessions and users, not itself, not one that is under way, and none that was erased.
//
// Covers: ENG-13 LAW-6
func TestHistory(t *testing.T) {
	s := newShelf(t)
	s.talk("r1", "ann", "s1", "What is a rein?", "A strap.")
	s.talk("x1", "ann", "s2", "Another session", "no")
	s.talk("x2", "bob", "s3", "Another user", "no")
	s.talk("r2", "ann", "s1", "And a bridle?", "The headgear.")
	s.talk("x3", "ann", "s1", "A secret", "no")
	s.must(s.Erase(t.Context(), "x3"))
	s.start("x4", task("ann", "s1", "Under way"))
	want := []session.Past{
		{Run: "r1", Asked: []string{"What is a rein?"}, Answer: "A strap.", End: rein.EndDone},
		{Run: "r2", Asked: []string{"And a bridle?"}, Answer: "The headgear.", End: rein.EndDone},
	}
	s.same("a new run", s.history("r9", task("ann", "s1")), want)
	s.same("the second run again", s.history("r2", task("ann", "s1")), want[:1])
	s.same("another user who names the session", s.history("r9", task("bob", "s1")), []session.Past{})
	s.same("a child", s.history("r9.1", task("ann", "s1")), []session.Past{})
	s.same("no session", s.history("r9", task("ann", "")), []session.Past{})

	// Whatever starts later is not its past.
	early := task("ann", "s1")
	early.Start = noon.Add(2 * time.Minute)
	done, err := session.History(s).Do(t.Context(), rein.Invocation{Run: "r9", Task: &early})
	s.must(err)
	if strings.Contains(string(done.Data), "bridle") || !strings.Contains(string(done.Data), "strap") {
		t.Errorf("a run that started between them: %s", done.Data)
	}
}

// What people said while a run worked is told if it read it, and so are its questions with their
// answers. A conversation that was handed in is not told as if it were this one.
func TestHistoryOfWhatWasSaid(t *testing.T) {
	s := newShelf(t)
	first := task("ann", "s1")
	first.Messages = []rein.Message{{Role: rein.User, Text: "long ago"}, {Role: rein.Assistant, Text: "yes"}, {Role: rein.User, Text: "Book a table"}, {Role: rein.User, Text: "for two"}}
	s.start("r1", first)
	ask := rein.Ask{ID: "r1:2.ask", Run: "r1", Step: "2", Kind: rein.AskQuestion, Text: "When?", State: rein.AskPending, Opened: s.at}
	s.append("r1", store.Draft{Kind: rein.AskOpened, Step: "2.ask", Data: ask, Opens: &ask})
	s.command(ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "15:00", By: "ann"}))
	s.command(rein.Command{Kind: rein.CommandMessage, Run: "r1", By: "ann", Text: "by the window"})
	s.command(rein.Command{Kind: rein.CommandMessage, Run: "r1", By: "ann", Text: "too late"})
	s.append("r1", store.Draft{Kind: rein.StepDone, Step: "3", Data: rein.StepEnd{Items: []rein.Item{{Kind: rein.CommandMessage, Text: "by the window"}}}})
	s.call("r1", "4", rein.ToolCall{Name: "book"}, "booked")
	s.end("r1", rein.EndDone, "Booked.")
	s.same("history", s.history("r9", task("ann", "s1")), []session.Past{{
		Run: "r1", Asked: []string{"Book a table", "for two", "by the window"}, Asides: []session.Aside{{Question: "When?", Answer: "15:00"}},
		Answer: "Booked.", End: rein.EndDone,
	}})
}

// Of a run that was stopped the next one knows what was done by then, also below it.
//
// Covers: LAW-6
func TestHistoryOfAStoppedRun(t *testing.T) {
	s := newShelf(t)
	s.start("r1", task("ann", "s1", "Tidy up"))
	s.call("r1", "1", rein.ToolCall{Name: "session.history", Internal: true}, "internal")
	s.call("r1", "2", rein.ToolCall{Name: "move", Args: json.RawMessage(`{"to":"attic"}`)}, "moved\n3 boxes")
	below := task("ann", "s1", "the cellar")
	below.Budget = nil
	s.start("r1.3", below)
	s.call("r1.3", "1", rein.ToolCall{Name: "sweep"}, strings.Repeat("x", 300))
	s.end("r1.3", rein.EndStopped, "")
	s.end("r1", rein.EndStopped, "I had begun")
	want := []session.Past{{
		Run: "r1", Asked: []string{"Tidy up"}, Answer: "I had begun", End: rein.EndStopped,
		Did: []string{`move {"to":"attic"}: ok, moved`, "sweep : ok, " + strings.Repeat("x", 200) + "…"},
	}}
	s.same("history", s.history("r9", task("ann", "s1")), want)
}

// What is told is bounded: texts, acts, runs and all together.
func TestHistoryIsBounded(t *testing.T) {
	s := newShelf(t)
	for i := range 25 {
		s.talk(rein.RunID(fmt.Sprint("r", i)), "ann", "s1", fmt.Sprint("question ", i), "answer")
	}
	past := s.history("r99", task("ann", "s1"))
	if len(past) != 20 || past[0].Run != "r5" || past[19].Run != "r24" {
		t.Errorf("%d runs, the first %s", len(past), past[0].Run)
	}
	s.start("long", task("ann", "s2", strings.Repeat("é", 4000)))
	for i := range 50 {
		s.call("long", rein.StepKey(fmt.Sprint(i+1)), rein.ToolCall{Name: fmt.Sprint("t", i)}, "")
	}
	s.end("long", rein.EndFailed, strings.Repeat("a", 5000))
	p := s.history("r99", task("ann", "s2"))[0]
	if want := strings.Repeat("é", 2000) + "…"; p.Asked[0] != want || p.Answer != strings.Repeat("a", 4000)+"…" {
		t.Errorf("asked %d bytes, answered %d", len(p.Asked[0]), len(p.Answer))
	}
	if len(p.Did) != 40 || !strings.HasPrefix(p.Did[39], "t49 ") {
		t.Errorf("%d acts, the last %q", len(p.Did), p.Did[len(p.Did)-1])
	}
	for i := range 15 {
		s.talk(rein.RunID(fmt.Sprint("b", i)), "ann", "s3", strings.Repeat("q", 9000), strings.Repeat("a", 9000))
	}
	if past := s.history("r99", task("ann", "s3")); len(past) != 12 || past[11].Run != "b14" {
		t.Errorf("%d long runs", len(past))
	}
}

// session.run tells of one ended run of the same user, and session.runs of a session.
func TestRunAndRuns(t *testing.T) {
	s := newShelf(t)
	s.talk("r1", "ann", "s1", "one", "1")
	s.talk("r2", "ann", "s1", "two", "2")
	s.talk("b1", "bob", "s2", "three", "3")
	s.start("r3", task("ann", "s1", "under way"))
	other := task("ann", "background")
	other.Zone = "Europe/Amsterdam"
	got, err := read[session.Past](s, session.Run(s), "m-r1", other, `{"run":"r1"}`)
	s.must(err)
	if got.At != "Sunday 2026-03-01 13:02" {
		t.Errorf("it ended on %s", got.At)
	}
	s.same("r1", []session.Past{got}, []session.Past{{Run: "r1", Asked: []string{"one"}, Answer: "1", End: rein.EndDone}})
	stranger := other
	stranger.Household = "elsewhere"
	for _, c := range []struct {
		as   rein.Task
		args string
		want rein.Code
	}{
		{other, `{"run":"b1"}`, rein.CodeNotFound},
		{other, `{"run":"r3"}`, rein.CodeNotFound},
		{other, `{"run":"none"}`, rein.CodeNotFound},
		{stranger, `{"run":"r1"}`, rein.CodeNotFound},
		{other, `{"run":1}`, rein.CodeInvalid},
	} {
		if _, err := read[session.Past](s, session.Run(s), "m", c.as, c.args); rein.CodeOf(err) != c.want {
			t.Errorf("%s as %s of %s: %v", c.args, c.as.User, c.as.Household, err)
		}
	}
	all, err := read[runs](s, session.Runs(s), "m", other, `{"session":"s1"}`)
	s.must(err)
	if len(all.Runs) != 2 || all.Runs[1].Answer != "2" || !all.From.Equal(noon.Add(time.Minute)) || !all.To.Equal(noon.Add(4*time.Minute)) {
		t.Errorf("%+v", all)
	}
	if all, err := read[runs](s, session.Runs(s), "m", other, `{"session":"s2"}`); err != nil || len(all.Runs) != 0 {
		t.Errorf("bob's session: %+v, %v", all, err)
	}
	if _, err := read[runs](s, session.Runs(s), "m", other, `{}`); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
	if len(session.Tools(s)) != 3 {
		t.Error("a tool is missing")
	}
}
