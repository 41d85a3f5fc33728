package sqlite

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/store"
	"rein/store/storetest"
)

// at is when the tests of views take place.
var at = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)

// story fills a store with what people see: asks of every end, receipts of every kind, a tree, a run
// that another one started, one that waits and one that is erased.
func story(t testing.TB, s *Store) {
	t.Helper()
	begin := func(id rein.RunID, parent bool) {
		start := store.Start{Run: id, At: at, Claim: true, Start: rein.RunStart{Task: rein.Task{
			Flow: "answer", Messages: []rein.Message{{Role: rein.User, Text: "what is " + string(id) + "?"}},
		}}}
		if !parent {
			budget := rein.DefaultBudget()
			start.Start.Task.Budget, start.Start.Task.User, start.Start.Task.Session = &budget, "ann", "s-"+string(id)
		}
		_, _, err := s.Start(t.Context(), start)
		must(t, func() error { return err })
	}
	add := func(id rein.RunID, drafts ...store.Draft) {
		t.Helper()
		info, err := s.Run(t.Context(), id)
		must(t, func() error { return err })
		for i := range drafts {
			drafts[i].At = at.Add(time.Second)
		}
		_, err = s.Append(t.Context(), store.Batch{Run: id, Epoch: info.Epoch, Seen: info.Command, Drafts: drafts})
		must(t, func() error { return err })
	}
	open := func(id rein.RunID, sub rein.StepKey, change func(*rein.Ask)) {
		ask := rein.Ask{ID: rein.NewAskID(id, sub), Step: "1", Kind: rein.AskApproval, Text: "Shall I? " + strings.Repeat("long ", 100), Shown: "v2-abc"}
		if change != nil {
			change(&ask)
		}
		add(id, store.Draft{Kind: rein.AskOpened, Step: sub, Data: &ask, Opens: &ask})
	}
	send := func(c rein.Command) rein.Receipt {
		t.Helper()
		c.By = "ann"
		receipt, err := s.Command(t.Context(), c, at.Add(2*time.Second))
		must(t, func() error { return err })
		return receipt
	}
	end := func(id rein.RunID, how rein.End, change func(*store.Draft)) {
		outcome := &rein.RunEnd{Outcome: rein.Outcome{End: how, Text: "that was it: " + strings.Repeat("and more ", 50)}}
		draft := store.Draft{Kind: how.EndKind(), Data: outcome, Status: rein.Status(how), Outcome: outcome}
		if change != nil {
			change(&draft)
		}
		add(id, draft)
	}

	begin("r", false)
	open("r", "1.ask", nil)
	send(rein.Command{Kind: rein.CommandAnswer, Run: "r", Ask: "r:1.ask", Answer: rein.Answer{State: rein.AskApproved, Shown: "v2-abc"}})
	open("r", "2.ask", func(a *rein.Ask) { a.Kind = rein.AskQuestion; a.Deadline = at.Add(time.Second) })
	send(rein.Command{Kind: rein.CommandExpire, Run: "r", Ask: "r:2.ask"})
	open("r", "3.ask", nil)
	send(rein.Command{Kind: rein.CommandModify, Run: "r", Text: "do something else"})
	read := send(rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "hello"})
	send(rein.Command{Kind: rein.CommandComment, Run: "r", Text: "well done", Key: "k1"})
	add("r", store.Draft{Kind: rein.StepDone, Step: "4", Data: rein.StepEnd{Items: []rein.Item{{Command: read.Command, Text: "hello"}}}, Applied: []rein.CommandID{read.Command}})
	child := store.Start{Run: "r.1", At: at.Add(time.Second), Start: rein.RunStart{Task: rein.Task{Flow: "answer", Messages: []rein.Message{{Role: rein.User, Text: "a part of it"}}}}}
	add("r", store.Draft{Kind: rein.StepDone, Step: "5", Data: rein.StepEnd{Child: "r.1"}, Starts: &child})
	claim(t, s, "r.1")
	open("r.1", "1.ask", nil)
	send(rein.Command{Kind: rein.CommandStop, Run: "r.1", Text: "enough"})
	end("r.1", rein.EndStopped, nil)
	late := send(rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "and one more"})
	budget := rein.DefaultBudget()
	next := store.Start{Run: "r-next", At: at.Add(3 * time.Second), Start: rein.RunStart{After: "r", Task: rein.Task{
		Flow: "answer", User: "ann", Session: "s-r", Budget: &budget, Messages: []rein.Message{{Role: rein.User, Text: "and one more"}},
	}}}
	end("r", rein.EndDone, func(d *store.Draft) {
		d.Next = &store.NextRun{Start: next, Messages: []rein.CommandID{late.Command}}
	})

	begin("waits", false)
	open("waits", "1.ask", nil)
	until := at.Add(time.Hour)
	add("waits", store.Draft{Kind: rein.RunParked, Data: rein.Parked{Until: until}, Status: rein.StatusWaiting, Until: until})

	begin("gone", false)
	open("gone", "1.ask", nil)
	send(rein.Command{Kind: rein.CommandAnswer, Run: "gone", Ask: "gone:1.ask", Answer: rein.Answer{State: rein.AskRejected, Shown: "v2-abc"}})
	end("gone", rein.EndDone, nil)
	must(t, func() error { return s.Erase(t.Context(), storetest.These("gone")) })
	begin("last", false)
}

func claim(t testing.TB, s *Store, id rein.RunID) {
	t.Helper()
	_, _, err := s.Claim(t.Context(), id, at.Add(time.Hour))
	must(t, func() error { return err })
}

// faults is all that an audit of the whole store finds.
func faults(t testing.TB, s *Store) (found []string) {
	t.Helper()
	err := s.Audit(context.Background(), func(v store.Verdict) error {
		for _, what := range v.Wrong {
			found = append(found, string(v.Run)+": "+what)
		}
		return nil
	})
	if err != nil {
		found = append(found, err.Error())
	}
	accounts, err := s.VerifyAccounts(context.Background())
	must(t, func() error { return err })
	return append(found, accounts...)
}

// TestTamperedViews changes what people see behind the store's back. Whatever is changed, an audit
// names it.
//
// Attack: 70
// Covers: LAW-1 ENG-36
func TestTamperedViews(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := openTest(t, path, Options{})
	story(t, s)
	if found := faults(t, s); len(found) > 0 {
		t.Fatalf("a store that nobody changed: %q", found)
	}
	s.Close()
	const r = `(SELECT n FROM runs WHERE id = 'r')`
	for _, c := range []struct{ name, sql, says string }{
		{"the state of an ask", `UPDATE asks SET state = 'rejected' WHERE id = 'r:1.ask'`, "r:1.ask"},
		{"an ask that is open again", `UPDATE asks SET state = 'pending', data = CAST(replace(CAST(data AS TEXT), '"state":"approved"', '"state":"pending"') AS BLOB) WHERE id = 'r:1.ask'`, "asks"},
		{"an answer", `UPDATE asks SET data = CAST(json_set('{"id":"r:2.ask","run":"r","step":"1","kind":"question","text":"x","state":"expired","opened":"2026-03-01T08:00:01Z"}', '$.answer', json('{"state":"answered","text":"yes"}')) AS BLOB) WHERE id = 'r:2.ask'`, "r:2.ask"},
		{"the text of an ask", `UPDATE asks SET data = (SELECT data FROM asks WHERE id = 'r:3.ask') WHERE id = 'waits:1.ask'`, "waits:1.ask"},
		{"what an ask showed", `UPDATE texts SET data = CAST('lie' AS BLOB) WHERE n = (SELECT min(n) FROM texts)`, ""},
		{"an ask that is gone", `DELETE FROM asks WHERE id = 'r:1.ask'`, "r:1.ask"},
		{"an ask of an erased run", `UPDATE asks SET state = 'pending' WHERE id = 'gone:1.ask'`, "gone:1.ask"},
		{"an ask of an erased run that is gone", `DELETE FROM asks WHERE id = 'gone:1.ask'`, "closed an ask"},
		{"an ask that nobody opened", `INSERT INTO asks (id, run_n, state, data) SELECT 'r:9.ask', run_n, state, CAST(replace(CAST(data AS TEXT), '1.ask', '9.ask') AS BLOB) FROM asks WHERE id = 'r:1.ask'`, "r:9.ask"},
		{"the owner of a session", `UPDATE sessions SET user = 'eve' WHERE id = 's-r'`, "user"},
		{"the owner of an erased run's session", `UPDATE sessions SET user = 'eve' WHERE id = 's-gone'`, "user"},
		{"a household", `UPDATE households SET name = 'other'`, "household"},
		{"the session of a run", `UPDATE runs SET session_n = (SELECT n FROM sessions WHERE id = 's-waits') WHERE id = 'last'`, "session"},
		{"the session of a child", `UPDATE runs SET session_n = (SELECT n FROM sessions WHERE id = 's-waits') WHERE id = 'r.1'`, "session"},
		{"a session that is gone", `DELETE FROM sessions WHERE id = 's-r'`, "r"},
		{"the runs of a session", `UPDATE sessions SET runs = 1 WHERE id = 's-r'`, "s-r"},
		{"when a session began", `UPDATE sessions SET started = started - 1 WHERE id = 's-r'`, "s-r"},
		{"an outcome", `UPDATE runs SET outcome = CAST('{"end":"done","text":"a lie"}' AS BLOB) WHERE id = 'r'`, "outcome"},
		{"an outcome of an erased run", `UPDATE runs SET outcome = CAST('{"end":"failed"}' AS BLOB) WHERE id = 'gone'`, "outcome"},
		{"a status", `UPDATE runs SET status = 'failed' WHERE id = 'r'`, "status"},
		{"the status of an erased run", `UPDATE runs SET status = 'failed' WHERE id = 'gone'`, "status"},
		{"a run that goes on", `UPDATE runs SET status = 'running', done = 0 WHERE id = 'r'`, "status"},
		{"a run that never wakes", `UPDATE runs SET wake_at = NULL WHERE id = 'waits'`, "wake"},
		{"a title", `UPDATE runs SET title = 'something else' WHERE id = 'r'`, "title"},
		{"a flow", `UPDATE runs SET flow = 'chat' WHERE id = 'r'`, "flow"},
		{"a command's place", `UPDATE runs SET command = 0 WHERE id = 'r'`, "command"},
		{"an ending", `UPDATE runs SET ending = '' WHERE id = 'r.1'`, "ending"},
		{"when a run began", `UPDATE runs SET started = started - 1000000 WHERE id = 'r'`, "started"},
		{"a run that says it is erased", `UPDATE runs SET erased = 1 WHERE id = 'r'`, "erased"},
		{"the state of a receipt", `UPDATE commands SET state = 'applied', step = '9' WHERE state = 'started'`, "receipt"},
		{"the step of a receipt", `UPDATE commands SET step = '9' WHERE kind = 'message' AND state = 'applied'`, "receipt"},
		{"a receipt that was applied", `UPDATE commands SET state = 'not applied' WHERE kind = 'message' AND state = 'applied'`, "receipt"},
		{"a reason", `UPDATE commands SET reason = 'because' WHERE kind = 'modify'`, "receipt"},
		{"the sender of a receipt", `UPDATE commands SET by = 'eve' WHERE kind = 'comment'`, "receipt"},
		{"the key of a receipt", `UPDATE commands SET key = 'k2' WHERE kind = 'comment'`, "receipt"},
		{"a receipt that is gone", `DELETE FROM commands WHERE kind = 'comment'`, "receipt"},
		{"a receipt of an erased run that is gone", `DELETE FROM commands WHERE run_n = (SELECT n FROM runs WHERE id = 'gone')`, "receipt"},
		{"a receipt that nobody sent", `INSERT INTO commands SELECT run_n, 1, 'k9', digest, kind, by, state, step, started, reason FROM commands WHERE kind = 'comment'`, "receipt"},
		{"the cap of a ledger", `UPDATE runs SET cap_depth = 9 WHERE n = ` + r, "ledger"},
		{"an overrun", `UPDATE runs SET overrun = x'0102' WHERE n = ` + r, "ledger"},
		{"a ledger that is gone", `UPDATE runs SET cap = NULL WHERE n = ` + r, "ledger"},
		{"an account", `UPDATE accounts SET bytes = bytes - 1`, "account"},
		{"a child that is gone", `DELETE FROM events WHERE run_n = (SELECT n FROM runs WHERE id = 'r.1'); DELETE FROM asks WHERE id LIKE 'r.1:%'; DELETE FROM runs WHERE id = 'r.1'`, "r.1"},
		{"a run whose events stay", `DELETE FROM runs WHERE id = 'waits'`, "events"},
		{"a run that is gone with all it had", `DELETE FROM events WHERE run_n = (SELECT n FROM runs WHERE id = 'waits'); DELETE FROM asks WHERE id LIKE 'waits:%'; DELETE FROM sessions WHERE id = 's-waits'; DELETE FROM runs WHERE id = 'waits'`, "taken out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := newPath(t)
			copyFiles(t, path, file)
			db := connect(file, 1)
			if _, err := db.Exec(c.sql); err != nil {
				t.Fatal(err)
			}
			db.Close()
			s, err := OpenReader(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			found := faults(t, s)
			t.Logf("%q", found)
			if !slices.ContainsFunc(found, func(f string) bool { return strings.Contains(f, c.says) }) {
				t.Errorf("an audit finds %q, want something about %q", found, c.says)
			}
		})
	}
}

// TestAuditBesideWriter audits a store while another process writes it: every run is seen at one moment,
// so nothing seems wrong that is not.
//
// Covers: LAW-1 ENG-46
func TestAuditBesideWriter(t *testing.T) {
	t.Parallel()
	path := newDiskPath(t)
	cmd, out, _ := process(t, "write", path)
	for range 100 {
		if !out.Scan() {
			t.Fatal("the other process says nothing")
		}
	}
	go func() {
		for out.Scan() { // it must not wait for who reads
		}
	}()
	s, err := OpenReader(t.Context(), path)
	must(t, func() error { return err })
	defer s.Close()
	for range 3 {
		if found := faults(t, s); len(found) > 0 {
			t.Errorf("%q", found)
		}
	}
	must(t, cmd.Process.Kill)
	cmd.Wait()
	if found := faults(t, s); len(found) > 0 {
		t.Errorf("after it was killed: %q", found)
	}
	owned := openTest(t, path, Options{})
	wantHead(t, owned, checkpointed(t, owned).Head)
	if found := faults(t, owned); len(found) > 0 {
		t.Errorf("when it is opened again: %q", found)
	}
}
