package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/household/past"
	kept "rein/household/shelf"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/store/storetest"
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
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
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
	s.append(run, store.Draft{Kind: end.EndKind(), Data: outcome, Outcome: outcome, Status: rein.Status(end)})
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
	done, err := tool.Do(s.t.Context(), rein.Invocation{Run: run, Task: &t, Args: json.RawMessage(args), Reach: ownSession{&t}})
	if err == nil {
		s.must(json.Unmarshal(done.Data, &found))
	}
	return found, err
}

// ownSession is a policy by which a call reaches the files of its own session.
type ownSession struct{ task *rein.Task }

func (ownSession) Path(string) error { return rein.ErrStopped }

func (o ownSession) Session(household, user, session string) error {
	if household != o.task.Household || user != o.task.User || session != o.task.Session {
		return rein.Errorf(rein.CodeNotFound, "another session")
	}
	return nil
}

type runs struct {
	Runs     []session.Past `json:"runs"`
	From, To time.Time
}

func (s *shelf) before(run rein.RunID, t rein.Task) session.Before {
	s.t.Helper()
	found, err := read[session.Before](s, session.History(s), run, t, "")
	s.must(err)
	return found
}

// history is what a run is told of the past, a line for each message.
func (s *shelf) history(run rein.RunID, t rein.Task) string {
	s.t.Helper()
	var lines []string
	for _, m := range s.before(run, t).Talk {
		if m.Past == nil {
			s.t.Errorf("%+v does not say which run it is of", m)
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s", m.Past.Run, m.Role, m.Text))
	}
	return strings.Join(lines, "\n")
}

// told compares what is told of the past.
func (s *shelf) told(what, got string, want ...string) {
	s.t.Helper()
	if diff := cmp.Diff(strings.Join(want, "\n"), got); diff != "" {
		s.t.Errorf("%s:\n%s", what, diff)
	}
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
	s.must(s.Erase(t.Context(), storetest.These("x3")))
	s.start("x4", task("ann", "s1", "Under way"))
	first := []string{"r1 user: What is a rein?", "r1 assistant: A strap."}
	both := append(first, "r2 user: And a bridle?", "r2 assistant: The headgear.")
	s.told("a new run", s.history("r9", task("ann", "s1")), both...)
	s.told("the second run again", s.history("r2", task("ann", "s1")), first...)
	s.told("another user who names the session", s.history("r9", task("bob", "s1")))
	s.told("a child", s.history("r9.1", task("ann", "s1")))
	s.told("no session", s.history("r9", task("ann", "")))

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
	s.told("history", s.history("r9", task("ann", "s1")),
		"r1 user: Book a table", "r1 user: for two", "r1 user: by the window", "r1 assistant: When?", "r1 user: 15:00",
		"r1 developer: What was done for this:", `<untrusted source="earlier run">`, "book: ok", "  booked", "</untrusted>",
		"r1 assistant: Booked.")
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
	s.told("history", s.history("r9", task("ann", "s1")),
		"r1 user: Tidy up",
		"r1 developer: What was done for this:", `<untrusted source="earlier run">`, `move {"to":"attic"}: ok`, "  moved", "  3 boxes",
		"sweep: ok", "  "+strings.Repeat("x", 300), "</untrusted>",
		"r1 assistant: I had begun",
		"r1 developer: The work on this ended as stopped before it was done. The text above is what had been said by then.")
}

// However long the session is, every run of it is told, and each in a bounded size.
//
// Covers: SD-94
func TestHistoryLosesNoRun(t *testing.T) {
	s := newShelf(t)
	for i := range 60 {
		s.talk(rein.RunID(fmt.Sprint("r", i)), "ann", "s1", fmt.Sprint("question ", i), fmt.Sprint("answer ", i))
	}
	all := s.history("r99", task("ann", "s1"))
	for i := range 60 {
		if !strings.Contains(all, fmt.Sprintf("r%d user: question %d\n", i, i)) || !strings.Contains(all, fmt.Sprintf("assistant: answer %d", i)) {
			t.Errorf("run %d is not told", i)
		}
	}
	s.start("long", task("ann", "s2", strings.Repeat("é", 40_000)))
	for i := range 50 {
		s.call("long", rein.StepKey(fmt.Sprint(i+1)), rein.ToolCall{Name: fmt.Sprint("t", i), Args: json.RawMessage(fmt.Sprintf("%q", strings.Repeat("z", 3000)))}, strings.Repeat("result ", 1000))
	}
	s.end("long", rein.EndFailed, strings.Repeat("a", 50_000))
	told := s.history("r99", task("ann", "s2"))
	if len(told) > 21_000 {
		t.Errorf("a run is told in %d bytes", len(told))
	}
	for _, handle := range []string{"long:asked", "long:work", "long:answer", "long:1"} {
		if !strings.Contains(told, `read_result {"handle":"`+handle+`"}`) {
			t.Errorf("it is not said that %s can be read", handle)
		}
	}
	other := task("ann", "s2")
	other.Zone, other.Language = "Asia/Tokyo", "nl"
	if again := s.history("r100", other); again != told {
		t.Error("the same run is told in another way to another run")
	}
}

// A fold stands for the runs that it names, and all others are told. It is used only if all of its runs
// may be told; erasing one takes away what quotes it.
//
// Covers: SD-94
func TestHistoryWithFolds(t *testing.T) {
	s := newShelf(t)
	for i := range 5 {
		s.talk(rein.RunID(fmt.Sprint("r", i)), "ann", "s1", fmt.Sprint("q", i), fmt.Sprint("a", i))
	}
	place := rein.Place{Household: "home", User: "ann", Session: "s1"}
	keep := func(digest, base byte, text string, runs ...rein.RunID) {
		t.Helper()
		f := past.Fold{Digest: rein.Hash{digest}, Runs: runs, Text: text}
		if base > 0 {
			f.Base = rein.Hash{base}
		}
		s.must(s.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
			return past.Keep(ctx, tx, place, f, past.Origin{Run: "r4", Step: "2", At: s.at})
		}))
	}
	keep(1, 0, "first", "r0", "r1")
	keep(1, 0, "late", "r0", "r1")
	tail := []string{"r3 user: q3", "r3 assistant: a3", "r4 user: q4", "r4 assistant: a4"}
	s.told("with the first of two", s.history("r9", task("ann", "s1")),
		append([]string{" system: first", "r2 user: q2", "r2 assistant: a2"}, tail...)...)
	keep(2, 1, "second", "r2")
	keep(3, 0, "smaller", "r0")
	s.told("with the one of most runs", s.history("r9", task("ann", "s1")), append([]string{" system: second"}, tail...)...)
	s.told("of another session", s.history("r9", task("ann", "s7")))
	early := task("ann", "s1")
	early.Start = noon.Add(4 * time.Minute) // before r2
	done, err := session.History(s).Do(t.Context(), rein.Invocation{Run: "r9", Task: &early})
	s.must(err)
	if text := string(done.Data); strings.Contains(text, "second") || !strings.Contains(text, "first") {
		t.Errorf("a run that started before the last run of a fold: %s", text)
	}

	s.must(s.Erase(t.Context(), storetest.These("r2")))
	s.told("after r2 was erased", s.history("r9", task("ann", "s1")), append([]string{" system: first"}, tail...)...)
	s.must(s.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
		makers, err := past.Forget(ctx, tx, "r1")
		if !cmp.Equal(makers, []rein.RunID{"r4"}) {
			t.Errorf("r1 is quoted by folds of %v", makers)
		}
		return err
	}))
	s.told("after what quotes r1 was forgotten", s.history("r9", task("ann", "s1")),
		append([]string{" system: smaller", "r1 user: q1", "r1 assistant: a1"}, tail...)...)
	keep(4, 2, "on one that is gone", "r3", "r4")
	if got := s.history("r9", task("ann", "s1")); strings.Contains(got, "gone") {
		t.Errorf("a fold is kept whose base was forgotten: %s", got)
	}
}

// A summary is kept if it was made of what the session says now, and of nothing else; that of a child is none.
func TestFoldOfWhatWasSaid(t *testing.T) {
	s := newShelf(t)
	long := strings.Repeat("and on it goes ", 40)
	s.talk("r0", "ann", "s1", "q0 "+long, "a0 "+long)
	call := func(run rein.RunID, tool rein.Tool, args string) (rein.Done, error) {
		of := task("ann", "s1")
		of.Start = s.at.Add(time.Hour)
		return tool.Do(t.Context(), rein.Invocation{Run: run, Step: "2", Task: &of, Args: json.RawMessage(args)})
	}
	var talk struct{ Digest rein.Hash }
	read := func() string {
		t.Helper()
		done, err := call("r9", session.Talk(s), "")
		s.must(err)
		s.must(json.Unmarshal(done.Data, &talk))
		return fmt.Sprintf(`{"digest":%q,"text":"They talked."}`, talk.Digest)
	}
	old := read()
	s.talk("r1", "ann", "s1", "q1 "+long, "a1 "+long)
	for name, c := range map[string]struct {
		run  rein.RunID
		args string
		code rein.Code
	}{
		"made of less": {"r9", old, rein.CodeConflict}, "a child's": {"r9.1", read(), rein.CodeConflict}, "no JSON": {"r9", "{", rein.CodeInvalid},
	} {
		if done, err := call(c.run, session.Fold(s), c.args); rein.CodeOf(err) != c.code || done.Commit != nil {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	done, err := call("r9", session.Fold(s), read())
	s.must(err)
	s.must(s.Write(t.Context(), done.Commit))
	if got := s.history("r9", task("ann", "s1")); !strings.Contains(got, "They talked.") || strings.Contains(got, "on it goes") {
		t.Errorf("the next run is told: %s", got)
	}
	if again := read(); again == old {
		t.Error("what was said has the digest it had before")
	}
	if _, err := call("r9", session.Fold(s), read()); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("a summary of a summary alone: %v", err)
	}
}

// The files of the session are told with the past, also to a child, and as they are when it is asked.
//
// Covers: RAO-91
func TestHistoryTellsFiles(t *testing.T) {
	s := newShelf(t)
	files := kept.Shelf{Tables: s.Store}
	names := func(run rein.RunID) (all []string) {
		for _, f := range s.before(run, task("ann", "s1")).Files {
			all = append(all, f.Name)
		}
		return all
	}
	if got := names("r1"); got != nil {
		t.Error(got)
	}
	for _, user := range []string{"ann", "bob"} {
		_, err := files.Put(t.Context(), rein.Place{Household: "home", User: user, Session: "s1"}, user+".txt", "text/plain", strings.NewReader("x"))
		s.must(err)
	}
	for _, run := range []rein.RunID{"r1", "r1.2"} {
		if got := names(run); !cmp.Equal(got, []string{"ann.txt"}) {
			t.Errorf("%s: %v", run, got)
		}
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
	s.same("r1", []session.Past{got}, []session.Past{{Run: "r1", Ended: "2026-03-01T12:02:00Z", Asked: []string{"one"}, Answer: "1", End: rein.EndDone}})
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
	if len(session.Tools(s)) != 6 {
		t.Error("a tool is missing")
	}
}
