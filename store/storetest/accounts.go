package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"rein"
	"rein/store"
)

// user returns limits of users alone.
func user(q rein.Quota) store.Limits { return store.Limits{User: q} }

// A limitedTest is one of a store with limits.
type limitedTest struct {
	limits store.Limits
	test
}

// soundAccounts wants the accounts to be what the other tables say.
func (f *fixture) soundAccounts() {
	f.Helper()
	wrong, err := f.store.VerifyAccounts(context.WithoutCancel(f.ctx))
	if err != nil || len(wrong) > 0 {
		f.Errorf("accounts: %v\n%s", err, strings.Join(wrong, "\n"))
	}
}

// account returns what a user uses; of household home.
func (f *fixture) account(user string) rein.Quota {
	f.Helper()
	accounts, err := f.store.Accounts(f.ctx, "home", "", f.now)
	if err != nil {
		f.Fatal(err)
	}
	for _, a := range accounts {
		if a.User == user {
			return a.Used
		}
	}
	return rein.Quota{}
}

// rootOf is a root of another user than the owner.
func (f *fixture) rootOf(user string, id rein.RunID) store.Start {
	s := f.root(id)
	s.Start.Task.User = user
	return s
}

// quota wants an error to name a limit, in words that help.
func (f *fixture) quota(err error, code rein.Code, part string, words ...string) {
	f.Helper()
	f.refused(err, code)
	if e, ok := errors.AsType[*rein.Error](err); !ok || e.Dim != part {
		f.Errorf("the limit is %q in %v, want %q", e.Dim, err, part)
	}
	for _, word := range words {
		if err != nil && !strings.Contains(err.Error(), word) {
			f.Errorf("the error does not say %q: %v", word, err)
		}
	}
}

// Covers: LAW-8
var accountTests = []limitedTest{
	{user(rein.Quota{Driven: 2}), test{"driven runs are counted, waiting ones are not", func(f *fixture) {
		f.start(f.root("a"))
		f.start(f.root("b"))
		_, _, err := f.store.Start(f.ctx, f.root("c"))
		f.quota(err, rein.CodeQuota, "driven", "user owner", "2 runs under way", "limits.user.driven")
		f.driver("a").park(time.Time{})
		equal(f, "driven", f.account("owner").Driven, 1)
		f.start(f.root("c"))
		f.driver("b").finish(rein.EndDone)
		f.driver("c").append(blocked())
		equal(f, "driven", f.account("owner").Driven, 0)
		equal(f, "driven by the household", f.account("").Driven, 0)
		f.send(rein.Command{Kind: rein.CommandMessage, Run: "a", Text: "wake up"})
		f.driver("a") // what waited may always go on
		equal(f, "driven", f.account("owner").Driven, 1)
		f.start(f.rootOf("ann", "d"))
		f.start(f.root("e"))
		_, _, err = f.store.Start(f.ctx, f.root("f"))
		f.refused(err, rein.CodeQuota)
		_, started, err := f.store.Start(f.ctx, f.root("e")) // it exists
		if started || err != nil {
			f.Errorf("starting a run again: %v %v", started, err)
		}
	}}},
	{user(rein.Quota{Driven: 2}), test{"a child counts too, and its parent goes on without it", func(f *fixture) {
		d := f.drive("r")
		start := f.child("r.1")
		d.append(store.Draft{Kind: rein.StepDone, Step: "1", Data: rein.StepEnd{Child: "r.1"}, Starts: &start})
		start = f.child("r.2")
		_, err := d.try(store.Draft{Kind: rein.StepDone, Step: "2", Data: rein.StepEnd{Child: "r.2"}, Starts: &start})
		f.quota(err, rein.CodeQuota, "driven")
		d.append(note("without it"))
		equal(f, "frames", f.account("owner").Frames, 1) // no person started the child
	}}},
	{store.Limits{Household: rein.Quota{Driven: 2}}, test{"a household has limits of its own", func(f *fixture) {
		f.start(f.rootOf("ann", "a"))
		f.start(f.rootOf("bob", "b"))
		_, _, err := f.store.Start(f.ctx, f.rootOf("eve", "c"))
		f.quota(err, rein.CodeQuota, "driven", "household home", "limits.household.driven")
		other := f.rootOf("ann", "d")
		other.Start.Task.Household = "next door"
		f.start(other)
	}}},
	{user(rein.Quota{Frames: 3}), test{"frames are counted by the hour and by who sends them", func(f *fixture) {
		f.start(f.root("r"))
		say := func(by string) error {
			_, err := f.store.Command(f.ctx, rein.Command{Kind: rein.CommandMessage, Run: "r", By: by, Text: "x"}, f.now)
			return err
		}
		for _, kind := range []rein.CommandKind{rein.CommandMessage, rein.CommandComment} {
			f.send(rein.Command{Kind: kind, Run: "r", By: "owner", Text: "x", Key: "k" + string(kind)})
		}
		f.quota(say("owner"), rein.CodeQuota, "frames", "3 times this hour", "09:00 UTC")
		f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", By: "owner", Text: "x", Key: "kmessage"}) // sent again
		_, _, err := f.store.Start(f.ctx, f.root("s"))
		f.quota(err, rein.CodeQuota, "frames")
		f.start(f.rootOf("ann", "t"))
		id := f.driver("r").open("1.ask", nil)
		f.send(answer(id, "owner", "blue")) // answers and stops are always taken
		f.later(time.Hour)
		if err := say("owner"); err != nil {
			f.Error(err)
		}
		equal(f, "frames", f.account("owner").Frames, 1)
		f.send(rein.Command{Kind: rein.CommandStop, Run: "r", By: "owner"})
	}}},
	{user(rein.Quota{Tokens: 1000, Micros: 500}), test{"the day's tokens and money are reserved, settled and renewed", func(f *fixture) {
		d := f.drive("r")
		d.append(reserve(rein.Amount{Tokens: 900}))
		_, err := d.try(note("with it"), reserve(rein.Amount{Tokens: 101}))
		f.quota(err, rein.CodeBudget, "day_tokens", "900 of 1000", "needs 101", "2026-03-02 00:00 UTC", "limits.user.day_tokens")
		equal(f, "log", len(f.events("r")), 2)
		settle := note("done")
		settle.Spend = rein.Amount{Tokens: -800}
		d.append(settle)
		equal(f, "tokens", f.account("owner").Tokens, 100)
		_, err = d.try(reserve(rein.Amount{Micros: 501}))
		f.quota(err, rein.CodeBudget, "day_micros", "day's money", "0.00 of 0.0005", "0.000501")
		d.append(reserve(rein.Amount{Rounds: 1})) // it needs neither
		start := f.root("s")
		start.Start.Reserve = rein.Amount{Tokens: 901}
		_, _, err = f.store.Start(f.ctx, start)
		f.quota(err, rein.CodeQuota, "day_tokens")
		f.start(f.rootOf("ann", "t"))
		f.later(24 * time.Hour)
		equal(f, "tokens of the new day", f.account("owner").Tokens, 0)
		d.append(reserve(rein.Amount{Tokens: 1000}))
		f.verified("r")
	}}},
	{user(rein.Quota{Tokens: 1000}), test{"what was reserved yesterday is given back yesterday", func(f *fixture) {
		s := f.root("r")
		s.Start.Reserve = rein.Amount{Tokens: 100}
		f.start(s)
		d := f.driver("r")
		d.append(reserve(rein.Amount{Tokens: 900}))
		f.later(24 * time.Hour)
		two := reserve(rein.Amount{Tokens: 400})
		two.Step = "2"
		d.append(two)
		settle := note("done")
		settle.Spend = rein.Amount{Tokens: -800}
		d.append(settle)
		equal(f, "tokens", f.account("owner").Tokens, 400)
		settle.Step, settle.Spend = "2", rein.Amount{Tokens: -300}
		d.append(settle)
		equal(f, "tokens", f.account("owner").Tokens, 100)
		both := []store.Draft{two, settle}
		both[0].Step, both[1].Step = "3", "3"
		d.append(both...)
		equal(f, "tokens", f.account("owner").Tokens, 200)
		end := ended(rein.EndDone)
		end.Spend = rein.Amount{Tokens: -100} // its reserve
		d.append(end)
		equal(f, "tokens", f.account("owner").Tokens, 200)
		equal(f, "tokens of the tree", f.ledger("r").Used.Tokens, 300)
	}}},
	{user(rein.Quota{Tokens: 1000}), test{"an overrun counts, and what follows is refused", func(f *fixture) {
		d := f.drive("r")
		over := note("more than it said")
		over.Spend = rein.Amount{Tokens: 5000}
		d.append(over)
		_, err := d.try(reserve(rein.Amount{Tokens: 1}))
		f.quota(err, rein.CodeBudget, "day_tokens")
		back := note("and some of it back")
		back.Spend = rein.Amount{Tokens: -10}
		_, err = d.try(back, reserve(rein.Amount{Tokens: 10}))
		f.quota(err, rein.CodeBudget, "day_tokens")
		d.finish(rein.EndLimit) // it can always end
	}}},
	{user(rein.Quota{Bytes: 20_000}), test{"bytes are counted, refused and given back", func(f *fixture) {
		d := f.drive("r")
		long := strings.Repeat("0123456789", 1000)
		d.append(note(long))
		d.append(note(long)) // the same text is kept once
		if used := f.account("owner").Bytes; used < 10_000 || used > 13_000 {
			f.Errorf("%d bytes are counted", used)
		}
		_, err := d.try(store.Draft{Kind: rein.StepStarted, Step: "2", Data: rein.StepStart{Sig: "other" + long}, Reserve: true})
		f.quota(err, rein.CodeBudget, "bytes", "user owner keeps", "20.0 kB", "erase old runs")
		start := f.root("s")
		start.Start.Task.Messages[0].Text = "other" + long
		_, _, err = f.store.Start(f.ctx, start)
		f.quota(err, rein.CodeQuota, "bytes")
		_, err = f.store.Command(f.ctx, rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "other" + long}, f.now)
		f.quota(err, rein.CodeQuota, "bytes")
		d.append(note("other" + long)) // what reserves nothing is recorded: a run must be able to end
		d.finish(rein.EndDone)
		before := f.account("owner").Bytes
		if err := f.store.Erase(f.ctx, These("r")); err != nil {
			f.Fatal(err)
		}
		if left := f.account("owner").Bytes; before-left < 20_000 || left <= 0 {
			f.Errorf("erasing leaves %d of %d bytes", left, before)
		}
		f.start(start)
	}}},
	{user(rein.Quota{Bytes: 5000}), test{"files and notes count, and go", func(f *fixture) {
		put := func(name string, size int64) error {
			return f.store.Write(f.ctx, func(ctx context.Context, tx rein.Tx) error {
				if err := store.Room(ctx, tx, "home", "owner", size); err != nil {
					return err
				}
				_, err := tx.ExecContext(ctx, `INSERT INTO session_files
					(household, user_name, session, name, media_type, readable, size, sha256, version, created, changed, run, step, content)
					VALUES ('home', 'owner', 's', ?, '', 1, ?, '', 1, 0, 0, '', '', ?)`, name, size, name)
				return err
			})
		}
		for i := range 4 {
			if err := put(fmt.Sprint(i), 1000); err != nil {
				f.Fatal(err)
			}
		}
		equal(f, "bytes", f.account("owner").Bytes, 4000)
		equal(f, "bytes of the household", f.account("").Bytes, 4000)
		f.quota(put("more", 1001), rein.CodeQuota, "bytes")
		d := f.drive("r")
		large := store.Draft{Kind: rein.StepStarted, Step: "1", Data: rein.StepStart{Sig: strings.Repeat("ab", 300)}, Reserve: true}
		_, err := d.try(large)
		f.quota(err, rein.CodeBudget, "bytes")
		remove := note("gone")
		remove.Commit = func(ctx context.Context, tx rein.Tx) error {
			_, err := tx.ExecContext(ctx, `DELETE FROM session_files WHERE name < '3'`)
			return err
		}
		failing := remove
		failing.Commit = func(ctx context.Context, tx rein.Tx) error {
			return errors.Join(remove.Commit(ctx, tx), store.Room(ctx, tx, "home", "owner", 1), errTool)
		}
		if _, err := d.try(failing); !errors.Is(err, errTool) {
			f.Error(err)
		}
		_, err = d.try(large) // nothing went
		f.quota(err, rein.CodeBudget, "bytes")
		f.quota(put("more", 2000), rein.CodeQuota, "bytes")
		d.append(remove)
		d.append(large)
		if err := put("more", 2000); err != nil {
			f.Error(err)
		}
	}}},
	{user(rein.Quota{Frames: 2}), test{"a next run that may not start leaves the completing one alone", func(f *fixture) {
		d := f.drive("r")
		late := f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", By: "owner", Text: "and then?"})
		d.see()
		end := ended(rein.EndDone)
		next := f.root("next")
		next.Start.Task.Session = "r"
		end.Next = &store.NextRun{Start: next, Messages: []rein.CommandID{late.Command}}
		end.Outcome.Next = &rein.Next{Run: "next", Commands: end.Next.Messages}
		logged := d.append(end)
		if written, err := rein.Payload[rein.RunEnd](logged[0]); err != nil || written.Next != nil || written.End != rein.EndDone {
			f.Errorf("the log says %+v %v", written, err)
		}
		equal(f, "status", f.info("r").Status, rein.Status(rein.EndDone))
		_, err := f.store.Run(f.ctx, "next")
		f.refused(err, rein.CodeNotFound)
		receipt := f.receipts("r")[late.Command]
		equal(f, "state", receipt.State, rein.ReceiptNotApplied)
		for _, word := range []string{"could not be started", "2 times this hour", "09:00 UTC"} {
			if !strings.Contains(receipt.Reason, word) {
				f.Errorf("the receipt does not say %q: %q", word, receipt.Reason)
			}
		}
		again, err := f.store.Command(f.ctx, rein.Command{Kind: rein.CommandMessage, Run: "r", By: "owner", Text: "and then?", Key: receipt.Key}, f.now)
		if err != nil || again.Reason != receipt.Reason {
			f.Errorf("sent again it says %+v %v", again, err)
		}
	}}},
	{store.Limits{Household: rein.Quota{Tokens: 100}}, test{"what is spent outside of runs counts for the household", func(f *fixture) {
		spend := func(tokens int64, reserve bool, reserved time.Time) error {
			return f.store.Spend(f.ctx, store.Spending{Household: "home", Tokens: tokens, At: f.now, Reserve: reserve, Reserved: reserved})
		}
		if err := spend(90, true, time.Time{}); err != nil {
			f.Fatal(err)
		}
		f.quota(spend(11, true, time.Time{}), rein.CodeQuota, "day_tokens", "household home")
		d := f.drive("r")
		_, err := d.try(reserve(rein.Amount{Tokens: 11}))
		f.quota(err, rein.CodeBudget, "day_tokens", "household home")
		first := f.now
		f.later(24 * time.Hour)
		for _, tokens := range []int64{50, 20} {
			if err := spend(tokens, true, time.Time{}); err != nil {
				f.Fatal(err)
			}
		}
		if err := spend(-80, false, first); err != nil { // of yesterday
			f.Fatal(err)
		}
		equal(f, "tokens", f.account("").Tokens, 70)
	}}},
	{store.Limits{}, test{"refused starts leave no account and no household behind", func(f *fixture) {
		f.start(f.root("taken"))
		household := func(i int) string {
			if i%2 == 0 {
				return "home"
			}
			return fmt.Sprintf("h%d", i)
		}
		together(writers, func(i int) {
			start := f.rootOf(fmt.Sprintf("u%d", i), rein.RunID(fmt.Sprintf("r%d", i)))
			start.Start.Task.Household, start.Start.Task.Session = household(i), "taken"
			_, _, err := f.store.Start(f.ctx, start)
			f.refused(err, rein.CodeForbidden)
			start.Start.Task.Session = ""
			if _, _, err = f.store.Start(f.ctx, start); err != nil {
				f.Error(err)
			}
		})
		for i := range writers {
			accounts, err := f.store.Accounts(f.ctx, household(i), fmt.Sprintf("u%d", i), f.now)
			if err != nil || accounts[0].Used.Driven != 1 || accounts[0].Used.Frames != 1 {
				f.Errorf("user u%d of household %s has %+v, %v", i, household(i), accounts, err)
			}
		}
	}}},
	{user(rein.Quota{Bytes: 2400}), test{"what a function takes back does not count", func(f *fixture) {
		keep := func(ctx context.Context, tx rein.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO session_files
				(household, user_name, session, name, media_type, readable, size, sha256, version, created, changed, run, step, content)
				VALUES ('home', 'owner', 's', 'a', '', 1, 1500, '', 1, 0, 0, '', '', 'a')`)
			return err
		}
		clear := func(ctx context.Context, tx rein.Tx) error {
			_, err := tx.ExecContext(ctx, `DELETE FROM session_files`)
			return err
		}
		fail := func(do func(context.Context, rein.Tx) error) func(context.Context, rein.Tx) error {
			return func(ctx context.Context, tx rein.Tx) error {
				return errors.Join(do(ctx, tx), store.Room(ctx, tx, "home", "owner", 1), errTool)
			}
		}
		write := func(do func(context.Context, rein.Tx) error) {
			if err := f.store.Write(f.ctx, do); err != nil && !errors.Is(err, errTool) {
				f.Error(err)
			}
		}
		d := f.drive("r")
		large := func(want rein.Code) {
			_, err := d.try(store.Draft{Kind: rein.StepStarted, Step: "1", Data: rein.StepStart{Sig: strings.Repeat("ab", 300)}, Reserve: true})
			if rein.CodeOf(err) != want {
				f.Errorf("a large event: %v, want %q", err, want)
			}
		}
		write(keep)
		together(writers, func(i int) {
			if i%2 == 0 {
				write(fail(clear))
			} else {
				large(rein.CodeBudget)
			}
		})
		d.append(reserve(rein.Amount{Rounds: 1})) // it looks at what is kept, and that is then known
		write(clear)
		large("")
	}}},
	{user(rein.Quota{Driven: 10, Tokens: 1000}), test{"racing starts, messages and reservations never pass a limit", func(f *fixture) {
		var started, granted, refused atomic.Int64
		together(writers, func(i int) {
			id := rein.RunID(fmt.Sprintf("r%d", i))
			start := f.rootOf("ann", id)
			start.Claim = true
			_, _, err := f.store.Start(f.ctx, start)
			switch rein.CodeOf(err) {
			case "":
				started.Add(1)
			case rein.CodeQuota:
				refused.Add(1)
				return
			default:
				f.Error(err)
			}
			for range 20 {
				draft := reserve(rein.Amount{Tokens: 30})
				draft.At = f.now
				_, err := f.store.Append(f.ctx, store.Batch{Run: id, Epoch: 1, Drafts: []store.Draft{draft}})
				switch rein.CodeOf(err) {
				case "":
					granted.Add(1)
				case rein.CodeBudget:
				default:
					f.Error(err)
				}
			}
		})
		equal(f, "started", started.Load(), 10)
		equal(f, "refused", refused.Load(), writers-10)
		equal(f, "granted", granted.Load(), 1000/30)
		equal(f, "driven", f.account("ann").Driven, 10)
		equal(f, "tokens", f.account("ann").Tokens, 1000/30*30)
		equal(f, "tokens of the household", f.account("").Tokens, 1000/30*30)
	}}},
}
