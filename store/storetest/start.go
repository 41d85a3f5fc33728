package storetest

import (
	"fmt"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/store"
)

// Covers: ENG-26 ENG-39
var startTests = []test{
	{"creates the run with its first event and makes it due", func(f *fixture) {
		info := f.start(f.root("r"))
		want := rein.RunInfo{
			ID: "r", Household: "home", User: "owner", Session: "r", Flow: "answer", Title: "what is r?",
			Status: rein.StatusReady, Digest: digest("r"), Seq: 1, Started: micro(day), Changed: micro(day), WakeAt: micro(day),
			Used: rein.Amount{Runs: 1},
		}
		if diff := cmp.Diff(want, info); diff != "" {
			f.Errorf("run: %s", diff)
		}
		if diff := cmp.Diff(info, f.info("r")); diff != "" {
			f.Errorf("Start and Run differ: %s", diff)
		}
		equal(f, "due", f.due(), "[r]")
		equal(f, "log", f.kinds("r"), "[run.started]")
		start, err := rein.Payload[rein.RunStart](f.events("r")[0])
		if err != nil {
			f.Fatal(err)
		}
		equal(f, "session in the log", start.Task.Session, "r")
	}},
	{"a run that is claimed as it starts is not due", func(f *fixture) {
		s := f.root("r")
		s.Claim = true
		info := f.start(s)
		if diff := cmp.Diff(info, f.info("r")); diff != "" {
			f.Errorf("Start and Run differ: %s", diff)
		}
		equal(f, "status", info.Status, rein.StatusRunning)
		equal(f, "epoch", info.Epoch, 1)
		equal(f, "due", f.due(), "[]")
		(&driver{fixture: f, id: "r", epoch: 1}).finish(rein.EndDone)
	}},
	{"a run may start with events of its driver", func(f *fixture) {
		s := f.root("r")
		s.Claim, s.Drafts = true, []store.Draft{note("one"), parked(f.later(time.Hour))}
		for i := range s.Drafts {
			s.Drafts[i].At = f.now
		}
		info := f.start(s)
		if diff := cmp.Diff(info, f.info("r")); diff != "" {
			f.Errorf("Start and Run differ: %s", diff)
		}
		equal(f, "status", info.Status, rein.StatusWaiting)
		equal(f, "log", f.kinds("r"), "[run.started step.done run.parked]")
		f.verified("r")

		_, started, err := f.store.Start(f.ctx, s)
		if err != nil || started {
			f.Errorf("the same again: started %v, %v", started, err)
		}
		equal(f, "log", f.kinds("r"), "[run.started step.done run.parked]")
	}},
	{"events that only spend are written with the start", func(f *fixture) {
		s := f.root("r")
		s.Start.Reserve = rein.Amount{Tokens: 7}
		s.Claim, s.Drafts = true, []store.Draft{reserve(rein.Amount{Tokens: 100})}
		for range 20 {
			s.Drafts = append(s.Drafts, note("one"))
		}
		for i := range s.Drafts {
			s.Drafts[i].At = f.now
		}
		info := f.start(s)
		if diff := cmp.Diff(info, f.info("r")); diff != "" {
			f.Errorf("Start and Run differ: %s", diff)
		}
		equal(f, "status", info.Status, rein.StatusRunning)
		equal(f, "events", info.Seq, 22)
		events := f.events("r")
		equal(f, "events in the log", len(events), 22)
		equal(f, "who started it", events[0].By, "owner")
		equal(f, "who wrote the next", events[1].By, "")
		equal(f, "tokens", f.ledger("r").Used.Tokens, 107)
		equal(f, "tokens of the day", f.account("owner").Tokens, 107)
		(&driver{fixture: f, id: "r", epoch: 1}).append(note("more"))
		f.verified("r")
	}},
	{"a run of another session is found, and no session is made", func(f *fixture) {
		s := f.root("r")
		s.Start.Task.Session = "talk"
		f.start(s)
		for n := range 20 { // a store may have forgotten the run by then
			f.start(f.root(rein.RunID(fmt.Sprintf("x%d", n))))
		}
		info, started, err := f.store.Start(f.ctx, f.root("r"))
		if err != nil || started || info.Session != "talk" {
			f.Errorf("started %v in %q, %v", started, info.Session, err)
		}
		other := f.root("r")
		other.Digest = digest("another")
		_, _, err = f.store.Start(f.ctx, other)
		f.refused(err, rein.CodeConflict)
		other = f.root("b")
		other.Start.Task.Session = "r"
		other.Start.Task.User = "ann"
		f.start(other) // it would be refused if r were the owner's
	}},
	{"if its first events are refused the run is not started", func(f *fixture) {
		s := f.root("r")
		s.Claim, s.Drafts = true, []store.Draft{note("one"), reserve(rein.Amount{Tokens: s.Start.Task.Budget.Tokens + 1})}
		_, _, err := f.store.Start(f.ctx, s)
		f.refused(err, rein.CodeBudget)
		_, err = f.store.Run(f.ctx, "r")
		f.refused(err, rein.CodeNotFound)
		s.Claim = false
		_, _, err = f.store.Start(f.ctx, s)
		f.refused(err, rein.CodeInvalid)
		s.Drafts = nil
		f.start(s)
	}},
	{"the same again returns the run as it is", func(f *fixture) {
		d := f.drive("r")
		d.finish(rein.EndDone)
		info, started, err := f.store.Start(f.ctx, f.root("r"))
		if err != nil || started {
			f.Fatalf("started %v, %v", started, err)
		}
		equal(f, "status", info.Status, rein.Status(rein.EndDone))
		equal(f, "outcome", info.Outcome.Text, "that was it")
		equal(f, "events", info.Seq, 2)
	}},
	{"another task under the same ID is a conflict", func(f *fixture) {
		s := f.root("r")
		f.start(s)
		s.Digest = digest("another")
		_, _, err := f.store.Start(f.ctx, s)
		f.refused(err, rein.CodeConflict)
	}},
	{"an ID must be one", func(f *fixture) {
		for _, id := range []rein.RunID{"", "a..b", "a:b", "a/b", "ä"} {
			_, _, err := f.store.Start(f.ctx, f.root(id))
			f.refused(err, rein.CodeInvalid)
		}
	}},
	{"a root without a budget is invalid", func(f *fixture) {
		_, _, err := f.store.Start(f.ctx, f.child("r"))
		f.refused(err, rein.CodeInvalid)
		_, err = f.store.Run(f.ctx, "r")
		f.refused(err, rein.CodeNotFound)
	}},
	{"a child belongs to its parent's session", func(f *fixture) {
		s := f.root("r")
		s.Start.Task.Household, s.Start.Task.User, s.Start.Task.Session = "villa", "ann", "talk"
		f.start(s)
		info := f.start(f.child("r.1"))
		equal(f, "household", info.Household, "villa")
		equal(f, "user", info.User, "ann")
		equal(f, "session", info.Session, "talk")
		other := f.child("r.2")
		other.Start.Task.User = "bob"
		_, _, err := f.store.Start(f.ctx, other)
		f.refused(err, rein.CodeForbidden)
	}},
	{"a child of an unknown parent is not found", func(f *fixture) {
		_, _, err := f.store.Start(f.ctx, f.child("r.1"))
		f.refused(err, rein.CodeNotFound)
		f.start(f.root("r"))
		_, _, err = f.store.Start(f.ctx, f.child("r.1.1"))
		f.refused(err, rein.CodeNotFound)
	}},
	{"a child of an ending ancestor is refused with its code", func(f *fixture) {
		f.start(f.root("r"))
		f.start(f.child("r.1"))
		for _, c := range []struct {
			kind rein.CommandKind
			code rein.Code
		}{{rein.CommandStop, rein.CodeStopped}, {rein.CommandCancel, rein.CodeCancelled}, {rein.CommandDelete, rein.CodeDeleted}} {
			f.send(rein.Command{Kind: c.kind, Run: "r"})
			for _, id := range []rein.RunID{"r.2", "r.1.1"} {
				_, _, err := f.store.Start(f.ctx, f.child(id))
				f.refused(err, c.code)
			}
		}
	}},
	{"a child of an ended ancestor is refused", func(f *fixture) {
		d := f.drive("r")
		f.start(f.child("r.1"))
		d.finish(rein.EndFailed)
		for _, id := range []rein.RunID{"r.2", "r.1.1"} {
			_, _, err := f.store.Start(f.ctx, f.child(id))
			f.refused(err, rein.CodeFinished)
		}
	}},
	{"a session belongs to one user of one household", func(f *fixture) {
		s := f.root("a")
		s.Start.Task.Session, s.Start.Task.User = "talk", "ann"
		f.start(s)
		for _, change := range []func(*rein.Task){
			func(task *rein.Task) { task.User = "bob" },
			func(task *rein.Task) { task.User = "ann"; task.Household = "other" },
		} {
			s := f.root("b")
			s.Start.Task.Session = "talk"
			change(&s.Start.Task)
			_, _, err := f.store.Start(f.ctx, s)
			f.refused(err, rein.CodeForbidden)
		}
	}},
	{"exclusive is refused while the session has an unfinished root", func(f *fixture) {
		a, b := f.root("a"), f.root("b")
		a.Start.Task.Session, b.Start.Task.Session, b.Exclusive = "talk", "talk", true
		f.start(a)
		_, _, err := f.store.Start(f.ctx, b)
		f.refused(err, rein.CodeBusy)
		f.driver("a").finish(rein.EndDone)
		f.start(b)
		c := f.root("c")
		c.Start.Task.Session = "talk"
		f.start(c) // not exclusive
	}},
	{"a draft can start a child", func(f *fixture) {
		d := f.drive("r")
		child := f.child("r.1")
		d.append(store.Draft{Kind: rein.StepDone, Step: "1", Data: rein.StepEnd{Child: "r.1"}, Starts: &child})
		equal(f, "child", f.info("r.1").Status, rein.StatusReady)
		equal(f, "runs", f.ledger("r").Used.Runs, 2)
		f.verified("r")
		f.verified("r.1")
	}},
	{"a child that cannot start takes its draft with it", func(f *fixture) {
		d := f.drive("r")
		deep := f.child("r.1")
		deep.Digest = digest("other")
		f.start(f.child("r.1"))
		_, err := d.try(note("before"), store.Draft{Kind: rein.StepDone, Step: "2", Data: rein.StepEnd{}, Starts: &deep})
		f.refused(err, rein.CodeConflict)
		equal(f, "log", f.kinds("r"), "[run.started]")
		d.append(note("after"))
		f.verified("r")
	}},
}

var claimTests = []test{
	{"takes the next epoch and shuts out the driver before", func(f *fixture) {
		old := f.drive("r")
		equal(f, "epoch", old.epoch, 1)
		old.append(note("one"))
		next := f.driver("r")
		equal(f, "epoch", next.epoch, 2)
		_, err := old.try(note("two"))
		f.refused(err, rein.CodeStale)
		next.append(note("two"))
		equal(f, "status", f.info("r").Status, rein.StatusRunning)
		equal(f, "due", f.due(), "[]")
	}},
	{"an unknown run is not found", func(f *fixture) {
		_, _, err := f.store.Claim(f.ctx, "r", f.now)
		f.refused(err, rein.CodeNotFound)
	}},
	{"an ended run is not claimed", func(f *fixture) {
		f.drive("r").finish(rein.EndDone)
		f.notClaimed("r")
	}},
	{"a run that waits is claimed when it is due", func(f *fixture) {
		d := f.drive("r")
		d.park(f.now.Add(time.Hour))
		f.notClaimed("r")
		f.later(time.Hour)
		f.claim("r")
	}},
	{"a run that waits for ever is claimed after a command", func(f *fixture) {
		d := f.drive("r")
		d.park(time.Time{})
		f.later(24 * time.Hour)
		f.notClaimed("r")
		f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "hello"})
		equal(f, "due", f.due(), "[r]")
		info := f.claim("r")
		equal(f, "newest command", info.Command, info.Seq)
	}},
	{"a command does not postpone a timer", func(f *fixture) {
		d := f.drive("r")
		d.park(f.now.Add(time.Minute))
		f.later(time.Hour)
		f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "hello"})
		equal(f, "wake", f.info("r").WakeAt, micro(day.Add(time.Minute)))
	}},
	{"a blocked run is claimed after Resume only", func(f *fixture) {
		d := f.drive("r")
		d.append(blocked())
		f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "hello"})
		f.notClaimed("r")
		for range 2 { // twice is as good as once
			if err := f.store.Resume(f.ctx, "r", "ann", f.now); err != nil {
				f.Fatal(err)
			}
		}
		equal(f, "log", f.kinds("r"), "[run.started run.blocked command.message run.resumed]")
		equal(f, "resumed by", f.events("r")[3].By, "ann")
		equal(f, "due", f.due(), "[r]")
		f.claim("r")
		f.verified("r")
	}},
	{"Resume makes a waiting run due without a word", func(f *fixture) {
		d := f.drive("r")
		d.park(time.Time{})
		if err := f.store.Resume(f.ctx, "r", "ann", f.now); err != nil {
			f.Fatal(err)
		}
		equal(f, "log", f.kinds("r"), "[run.started run.parked]")
		f.claim("r")
	}},
	{"Resume of an ended or unknown run is refused", func(f *fixture) {
		f.drive("r").finish(rein.EndDone)
		f.refused(f.store.Resume(f.ctx, "r", "ann", f.now), rein.CodeFinished)
		f.refused(f.store.Resume(f.ctx, "x", "ann", f.now), rein.CodeNotFound)
	}},
}

func (f *fixture) notClaimed(id rein.RunID) {
	f.Helper()
	before := f.info(id)
	info, claimed, err := f.store.Claim(f.ctx, id, f.now)
	if err != nil || claimed {
		f.Fatalf("claim %s: claimed %v, %v", id, claimed, err)
	}
	if diff := cmp.Diff(before, info); diff != "" {
		f.Errorf("a claim that failed changed the run: %s", diff)
	}
}
