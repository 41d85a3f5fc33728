package storetest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"rein"
	"rein/store"
)

const writers = 64

// together runs do in many goroutines that begin at the same time.
func together(n int, do func(i int)) {
	var ready, done sync.WaitGroup
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			do(i)
		})
	}
	done.Wait()
}

// Covers: ENG-46
var concurrencyTests = []test{
	{"many drivers, each with a run", func(f *fixture) {
		together(writers, func(i int) {
			id := rein.RunID(fmt.Sprintf("r%d", i))
			if _, _, err := f.store.Start(f.ctx, f.root(id)); err != nil {
				f.Error(err)
				return
			}
			for n := range 20 {
				info, claimed, err := f.store.Claim(f.ctx, id, f.now)
				if err != nil || !claimed {
					f.Errorf("claim: %v, %v", claimed, err)
					return
				}
				b := store.Batch{Run: id, Epoch: info.Epoch, Drafts: []store.Draft{note(fmt.Sprint(n)), note("again")}}
				if _, err := f.store.Append(f.ctx, b); err != nil {
					f.Error(err)
				}
			}
		})
		for i := range writers {
			equal(f, "events", f.verified(rein.RunID(fmt.Sprintf("r%d", i))).Events, 41)
		}
	}},
	{"many drivers of one run: one has it at a time", func(f *fixture) {
		f.start(f.root("r"))
		var written atomic.Int64
		together(writers, func(int) {
			info, _, err := f.store.Claim(f.ctx, "r", f.now)
			if err != nil {
				f.Error(err)
				return
			}
			_, err = f.store.Append(f.ctx, store.Batch{Run: "r", Epoch: info.Epoch, Drafts: []store.Draft{note("mine")}})
			switch rein.CodeOf(err) {
			case "":
				written.Add(1)
			case rein.CodeStale:
			default:
				f.Error(err)
			}
		})
		equal(f, "epoch", f.info("r").Epoch, writers)
		equal(f, "events", f.verified("r").Events, 1+written.Load())
	}},
	{"a start, a command and an answer happen once", func(f *fixture) {
		var started, first atomic.Int64
		together(writers, func(int) {
			_, isNew, err := f.store.Start(f.ctx, f.root("r"))
			if err != nil {
				f.Error(err)
			}
			if isNew {
				started.Add(1)
			}
			receipt, err := f.store.Command(f.ctx, rein.Command{Kind: rein.CommandMessage, Run: "r", Key: "k", Text: "once"}, f.now)
			if err != nil {
				f.Error(err)
			}
			if !receipt.Again {
				first.Add(1)
			}
		})
		equal(f, "started", started.Load(), 1)
		equal(f, "first", first.Load(), 1)
		id := f.driver("r").open("1.ask", nil)
		var won atomic.Int64
		together(writers, func(i int) {
			_, err := f.store.Command(f.ctx, answer(id, "", fmt.Sprint(i)), f.now)
			switch rein.CodeOf(err) {
			case "":
				won.Add(1)
			case rein.CodeClosed:
			default:
				f.Error(err)
			}
		})
		equal(f, "won", won.Load(), 1)
	}},
	{"racing reservations never exceed the budget", func(f *fixture) {
		const tokens, each = 1000, 30
		d := f.smallBudget("r", rein.Amount{Tokens: tokens})
		drivers := []*driver{d, f.drive("r.1"), f.drive("r.2"), f.drive("r.1.1")}
		var granted atomic.Int64
		together(writers, func(i int) {
			_, err := drivers[i%len(drivers)].try(note("before"), reserve(rein.Amount{Tokens: each}))
			switch rein.CodeOf(err) {
			case "":
				granted.Add(1)
			case rein.CodeBudget:
			default:
				f.Error(err)
			}
		})
		equal(f, "granted", granted.Load(), tokens/each)
		equal(f, "used", f.ledger("r").Used.Tokens, tokens/each*each)
		f.verified("r")
	}},
	{"refused and failing requests leave the others alone", func(f *fixture) {
		f.start(f.root("r"))
		d := f.driver("r")
		d.append(withCommit("CREATE TABLE calendar (day INTEGER PRIMARY KEY)"))
		var good atomic.Int64
		together(writers, func(i int) {
			draft := withCommit(fmt.Sprintf("INSERT INTO calendar VALUES (%d)", i))
			if i%3 == 0 {
				commit := draft.Commit
				draft.Commit = func(ctx context.Context, tx rein.Tx) error {
					if err := commit(ctx, tx); err != nil {
						return err
					}
					return errTool
				}
			}
			epoch := d.epoch
			if i%3 == 1 {
				epoch = 99
			}
			_, err := f.store.Append(f.ctx, store.Batch{Run: "r", Epoch: epoch, Drafts: []store.Draft{draft}})
			if err == nil {
				good.Add(1)
			}
		})
		equal(f, "good", good.Load(), writers/3)
		equal(f, "events", f.verified("r").Events, 2+writers/3)
		rows := 0
		count := note("count")
		count.Commit = func(ctx context.Context, tx rein.Tx) error {
			all, err := tx.QueryContext(ctx, "SELECT day FROM calendar")
			for err == nil && all.Next() {
				rows++
			}
			return err
		}
		d.append(count)
		equal(f, "rows", rows, writers/3)
	}},
	{"a stop and a spawn cannot miss each other", func(f *fixture) {
		f.start(f.root("r"))
		together(8, func(i int) {
			if i == 0 {
				if _, err := f.store.Command(f.ctx, rein.Command{Kind: rein.CommandStop, Run: "r"}, f.now); err != nil {
					f.Error(err)
				}
				return
			}
			_, _, err := f.store.Start(f.ctx, f.child(rein.RunID(fmt.Sprintf("r.%d", i))))
			if code := rein.CodeOf(err); code != "" && code != rein.CodeStopped {
				f.Error(err)
			}
		})
		for run, err := range f.store.Runs(f.ctx, store.Filter{Tree: "r"}) {
			if err != nil {
				f.Fatal(err)
			}
			equal(f, "ending of "+string(run.ID), run.Ending, rein.CommandStop)
		}
	}},
	{"a caller who leaves knows, or nothing happened", func(f *fixture) {
		d := f.drive("r")
		var written atomic.Int64
		together(writers, func(int) {
			ctx, cancel := context.WithCancel(f.ctx)
			go cancel()
			b := store.Batch{Run: "r", Epoch: d.epoch, Drafts: []store.Draft{note("x")}}
			if _, err := f.store.Append(ctx, b); err == nil {
				written.Add(1)
			}
		})
		equal(f, "events", f.verified("r").Events, 1+written.Load())
	}},
}
