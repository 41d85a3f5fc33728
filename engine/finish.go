package engine

import (
	"context"
	"fmt"
	"time"

	"rein"
	"rein/store"
)

// finish ends the run: first everything below it, then itself, so that nothing in the tree is
// billed after its end. It is interrupted and replayed like a verb: a crash before the last event makes the
// flow return again, with the same outcome.
//
// The end is refused by the store if a command has come that this drive has not read. That decides between
// a stop and an answer that arrive together: what is in the log first counts.
func (d *drive) finish(out rein.Outcome, err error) {
	// In this order: a flow that does not fit its log must not end anybody's children, a paused run ends
	// nobody either, and the children's ends come before this run's own.
	d.checkReplayed()
	d.waitWhilePaused()
	d.reap()
	follows := d.follows()
	for {
		var draft store.Draft
		var held bool
		refused := d.writeAsSeen(func() []store.Draft {
			if held = d.mail.heldNow(); held {
				return nil // a paused run does not end by itself, nor does it start the next one
			}
			draft = d.endDraft(out, err, follows)
			return []store.Draft{draft}
		})
		if held {
			d.waitWhilePaused()
			continue
		}
		if refused == nil {
			// The state first, so that a verb that a stubborn flow still calls unwinds; then those who wait;
			// then the next run, which must not be seen to run before this one is seen to have ended.
			d.unwind(ended, nil)
			begun := d.begun(draft.Next)
			if !begun {
				draft.Outcome.Next = nil
			}
			d.engine.tell(d.id, *draft.Outcome)
			if begun {
				d.engine.driveStarted(draft.Next.Start)
			}
			return
		}
		if rein.CodeOf(refused) != rein.CodeUnseen {
			d.fail(refused)
		}
		d.refresh()
	}
}

// checkReplayed blocks the run if the log holds steps that the flow did not ask for again: then it
// is not the flow that made them. A run that is being ended, or whose budget is spent, may leave steps
// out.
func (d *drive) checkReplayed() {
	d.mu.Lock()
	over := d.mail.ending != "" || d.purse.spent || d.blocked != nil
	left := d.log.unused()
	d.mu.Unlock()
	if over || left == "" {
		return
	}
	d.mismatch(rein.Blocked{
		Reason: fmt.Sprintf("flow %s has ended, but the log goes on with step %s", d.task.Flow, left), Step: left,
	})
}

// reap ends the children that nobody waited for and waits for their ends, so that the end of a run is the
// end of everything below it. It may park meanwhile, and comes here again when the flow is replayed.
func (d *drive) reap() {
	d.mu.Lock()
	left, ending := d.mail.unfinished(), d.mail.ending
	d.mu.Unlock()
	if len(left) > 0 && ending == "" {
		d.flush() // what made the flow end comes before what follows from it
	}
	for _, child := range left {
		if ending != "" {
			break // they were told in the same transaction
		}
		// The key is the same in every attempt, so a drive that was cut here cancels nobody twice.
		_, err := d.engine.command(context.Background(), rein.Command{
			Kind: rein.CommandCancel, Run: child, By: bySystem, Key: "reap", Text: "its parent has ended",
		})
		if code := rein.CodeOf(err); code != "" && code != rein.CodeFinished {
			d.fail(err)
		}
	}
	if len(left) > 0 {
		d.refresh()
	}
	d.await("its children to end", time.Time{}, func() bool { return len(d.mail.unfinished()) == 0 })
}

// endDraft is the event that ends the run, as things stand. What a person wanted counts before what the
// flow returned. The event settles the budget too: what was reserved ahead is given back, and the reserve
// unless it was used. follows is what d.follows returns.
func (d *drive) endDraft(out rein.Outcome, err error, follows *rein.Task) store.Draft {
	d.mu.Lock()
	defer d.mu.Unlock()
	end := rein.RunEnd{Outcome: normalOutcome(out)}
	switch {
	case d.mail.ending != "":
		end.End = d.mail.ending.Ends()
		if d.partial != "" && d.mail.ending != rein.CommandDelete { // newer than what the flow knows
			end.Text = d.partial
		}
	case rein.CodeOf(err) == rein.CodeBudget:
		end.End, end.Failure = rein.EndLimit, rein.FailureOf(err)
	case err != nil:
		end.End, end.Failure = rein.EndFailed, rein.FailureOf(err)
	case end.End == "":
		end.End = rein.EndDone
	case !end.End.Completed():
		end.Failure = rein.FailureOf(rein.Errorf(rein.CodeInternal, "flow %s returned end %q; a flow ends as done, limit or declined", d.task.Flow, end.End))
		end.End = rein.EndFailed
	}
	if end.End == rein.EndLimit && d.purse.limit != nil {
		end.Failure = d.purse.limit // people learn which limit it was, and when it renews
	}
	draft := store.Draft{
		Kind: end.End.EndKind(), Data: &end, Status: rein.Status(end.End), Outcome: &end,
	}
	draft.Spend = d.purse.unusedLocked()
	if !d.purse.reserveUse {
		draft.Spend = draft.Spend.Minus(d.purse.reserve)
	}
	if end.End.Completed() && d.id.Depth() == 0 && len(d.mail.fromPeople()) > 0 && follows != nil {
		if draft.Next = d.nextRun(*follows); draft.Next != nil {
			end.Next = &rein.Next{Run: draft.Next.Start.Run, Commands: draft.Next.Messages}
		}
	}
	return draft
}

// begun reports whether there is a run that goes on with what was said too late for this one. A limit of the
// user or household may have refused it: then the receipts of the messages say so.
func (d *drive) begun(next *store.NextRun) bool {
	if next == nil {
		return false
	}
	_, err := d.opts.Store.Run(context.Background(), next.Start.Run)
	return rein.CodeOf(err) != rein.CodeNotFound
}
