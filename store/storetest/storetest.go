// Package storetest is the contract of store.Store: the tests that every implementation must pass.
package storetest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"rein"
	"rein/store"
)

// Run tests a store. Each subtest opens an empty one of its own, with limits for its users. Whatever
// was done to it, its accounts must be what its other tables say.
func Run(t *testing.T, open func(t *testing.T, limits store.Limits) store.Store) {
	for _, group := range []struct {
		name  string
		tests []test
	}{
		{"Start", startTests},
		{"Claim", claimTests},
		{"Append", appendTests},
		{"Commit", commitTests},
		{"Budget", budgetTests},
		{"End", endTests},
		{"Command", commandTests},
		{"Ask", askTests},
		{"Stop", stopTests},
		{"Pause", pauseTests},
		{"Mode", modeTests},
		{"Events", eventTests},
		{"Views", viewTests},
		{"Erase", eraseTests},
		{"Verify", verifyTests},
		{"Keep", keepTests},
		{"Watch", watchTests},
		{"Tables", tableTests},
		{"Concurrency", concurrencyTests},
	} {
		t.Run(group.name, func(t *testing.T) {
			t.Parallel()
			for _, test := range group.tests {
				t.Run(test.name, func(t *testing.T) {
					t.Parallel()
					run(t, test, open(t, store.Limits{}))
				})
			}
		})
	}
	t.Run("Accounts", func(t *testing.T) {
		for _, test := range accountTests {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				run(t, test.test, open(t, test.limits))
			})
		}
	})
}

func run(t *testing.T, test test, s store.Store) {
	f := &fixture{T: t, store: s, ctx: t.Context(), now: day}
	test.run(f)
	f.soundAccounts()
	f.sound()
}

// sound checks that everything is what the logs make of it.
func (f *fixture) sound() {
	f.Helper()
	err := f.store.Audit(context.WithoutCancel(f.ctx), func(v store.Verdict) error {
		if len(v.Wrong) > 0 {
			f.Errorf("audit of %q: %q", v.Run, v.Wrong)
		}
		return nil
	})
	if err != nil && rein.CodeOf(err) != rein.CodeUnavailable {
		f.Error(err)
	}
}

type test struct {
	name string
	run  func(*fixture)
}

// day is when the tests take place. It has nanoseconds, which a store need not keep.
var day = time.Date(2026, 3, 1, 8, 0, 0, 123_456_789, time.UTC)

// A fixture is one test's store, with the calls that must work.
type fixture struct {
	*testing.T
	store store.Store
	ctx   context.Context
	now   time.Time
}

// later moves the clock, which only this test has.
func (f *fixture) later(d time.Duration) time.Time {
	f.now = f.now.Add(d)
	return f.now
}

func digest(s string) rein.Hash { return sha256.Sum256([]byte(s)) }

// root makes a start with a budget that is large enough for anything.
func (f *fixture) root(id rein.RunID) store.Start {
	budget := rein.DefaultBudget()
	return store.Start{
		Run: id, Digest: digest(string(id)), At: f.now,
		Start: rein.RunStart{Task: rein.Task{
			Flow: "answer", Budget: &budget,
			Messages: []rein.Message{{Role: rein.User, Text: "what is " + string(id) + "?\nplease"}},
		}},
	}
}

func (f *fixture) child(id rein.RunID) store.Start {
	s := f.root(id)
	s.Start.Task.Budget = nil
	return s
}

func (f *fixture) start(s store.Start) rein.RunInfo {
	f.Helper()
	info, started, err := f.store.Start(f.ctx, s)
	if err != nil || !started {
		f.Fatalf("start %s: started %v, %v", s.Run, started, err)
	}
	return info
}

func (f *fixture) claim(id rein.RunID) rein.RunInfo {
	f.Helper()
	info, claimed, err := f.store.Claim(f.ctx, id, f.now)
	if err != nil || !claimed {
		f.Fatalf("claim %s: claimed %v, %v", id, claimed, err)
	}
	return info
}

// drive starts and claims a root, and returns what its driver needs.
func (f *fixture) drive(id rein.RunID) *driver {
	f.Helper()
	if id.Parent() == "" {
		f.start(f.root(id))
	} else {
		f.start(f.child(id))
	}
	return f.driver(id)
}

func (f *fixture) driver(id rein.RunID) *driver {
	f.Helper()
	info := f.claim(id)
	return &driver{fixture: f, id: id, epoch: info.Epoch, seen: info.Command}
}

// A driver is who holds a run's newest epoch.
type driver struct {
	*fixture
	id    rein.RunID
	epoch int64
	seen  int64
}

func (d *driver) try(drafts ...store.Draft) ([]rein.Event, error) {
	for i := range drafts {
		if drafts[i].At.IsZero() {
			drafts[i].At = d.now
		}
	}
	return d.store.Append(d.ctx, store.Batch{Run: d.id, Epoch: d.epoch, Seen: d.seen, Drafts: drafts})
}

func (d *driver) append(drafts ...store.Draft) []rein.Event {
	d.Helper()
	events, err := d.try(drafts...)
	if err != nil {
		d.Fatalf("append to %s: %v", d.id, err)
	}
	return events
}

// see reads the newest commands, as a driver does before it parks.
func (d *driver) see() *driver {
	d.Helper()
	d.seen = d.info(d.id).Command
	return d
}

func (d *driver) park(until time.Time) {
	d.Helper()
	d.append(parked(until))
}

func (d *driver) finish(end rein.End) {
	d.Helper()
	d.append(ended(end))
}

func (d *driver) open(sub rein.StepKey, change func(*rein.Ask)) rein.AskID {
	d.Helper()
	ask := rein.Ask{ID: rein.NewAskID(d.id, sub), Run: d.id, Step: sub, Kind: rein.AskQuestion, Text: "Which one?", State: rein.AskPending, Opened: d.now}
	if change != nil {
		change(&ask)
	}
	d.append(store.Draft{Kind: rein.AskOpened, Step: sub, Data: ask, Opens: &ask})
	return ask.ID
}

func note(text string) store.Draft {
	return store.Draft{Kind: rein.StepDone, Step: "1", Data: rein.StepEnd{Sig: "note", Partial: text}}
}

func parked(until time.Time) store.Draft {
	return store.Draft{Kind: rein.RunParked, Data: rein.Parked{Until: until}, Status: rein.StatusWaiting, Until: until}
}

func blocked() store.Draft {
	return store.Draft{Kind: rein.RunBlocked, Data: rein.Blocked{Reason: "changed"}, Status: rein.StatusBlocked}
}

func ended(end rein.End) store.Draft {
	outcome := &rein.RunEnd{Outcome: rein.Outcome{End: end, Text: "that was it"}}
	return store.Draft{Kind: end.EndKind(), Data: outcome, Status: rein.Status(end), Outcome: outcome}
}

func (f *fixture) send(c rein.Command) rein.Receipt {
	f.Helper()
	receipt, err := f.store.Command(f.ctx, c, f.now)
	if err != nil {
		f.Fatalf("%s to %s: %v", c.Kind, c.Run, err)
	}
	return receipt
}

func (f *fixture) info(id rein.RunID) rein.RunInfo {
	f.Helper()
	info, err := f.store.Run(f.ctx, id)
	if err != nil {
		f.Fatalf("run %s: %v", id, err)
	}
	return info
}

func (f *fixture) ask(id rein.AskID) rein.Ask {
	f.Helper()
	ask, err := f.store.Ask(f.ctx, id)
	if err != nil {
		f.Fatalf("ask %s: %v", id, err)
	}
	return ask
}

func (f *fixture) events(id rein.RunID) []rein.Event {
	f.Helper()
	var events []rein.Event
	for e, err := range f.store.Events(f.ctx, id, 0) {
		if err != nil {
			f.Fatalf("events of %s: %v", id, err)
		}
		events = append(events, e)
	}
	return events
}

func (f *fixture) kinds(id rein.RunID) string {
	f.Helper()
	var kinds []rein.Kind
	for _, e := range f.events(id) {
		kinds = append(kinds, e.Kind)
	}
	return fmt.Sprint(kinds)
}

func (f *fixture) ledger(root rein.RunID) rein.Ledger {
	f.Helper()
	l, err := f.store.Ledger(f.ctx, root)
	if err != nil {
		f.Fatalf("ledger of %s: %v", root, err)
	}
	return l
}

// receipts returns the state of each of a run's receipts.
func (f *fixture) receipts(id rein.RunID) map[rein.CommandID]rein.Receipt {
	f.Helper()
	receipts, err := f.store.Receipts(f.ctx, id)
	if err != nil {
		f.Fatalf("receipts of %s: %v", id, err)
	}
	byID := map[rein.CommandID]rein.Receipt{}
	for _, r := range receipts {
		byID[r.Command] = r
	}
	return byID
}

// due returns what is due, as text.
func (f *fixture) due() string {
	f.Helper()
	ids, _, err := f.store.Due(f.ctx, f.now, 100)
	if err != nil {
		f.Fatalf("due: %v", err)
	}
	return fmt.Sprint(ids)
}

func (f *fixture) verified(id rein.RunID) store.Verdict {
	f.Helper()
	verdict, err := f.store.Verify(f.ctx, id)
	if err != nil || len(verdict.Wrong) > 0 {
		f.Fatalf("verify %s: %q, %v", id, verdict.Wrong, err)
	}
	return verdict
}

// refused checks that an error has the code, and says something.
func (f *fixture) refused(err error, code rein.Code) {
	f.Helper()
	if rein.CodeOf(err) != code {
		f.Errorf("error %v has code %q, want %q", err, rein.CodeOf(err), code)
	} else if err.Error() == "" {
		f.Errorf("an error with code %q says nothing", code)
	}
}

func equal[T comparable](f *fixture, what string, got, want T) {
	f.Helper()
	if got != want {
		f.Errorf("%s is %v, want %v", what, got, want)
	}
}

func micro(t time.Time) time.Time { return time.UnixMicro(t.UnixMicro()).UTC() }

// These chooses the runs that are named, for store.Eraser.
func These(runs ...rein.RunID) func(context.Context, store.Moment) ([]rein.RunID, error) {
	return func(context.Context, store.Moment) ([]rein.RunID, error) { return runs, nil }
}
