package sqlite

import (
	"slices"
	"strings"

	"rein"
	"rein/store"
)

// prepareBatch checks what can be checked without the store and does the work that needs no lock.
func prepareBatch(b store.Batch) (*batch, error) {
	if len(b.Drafts) == 0 {
		return nil, rein.Errorf(rein.CodeInvalid, "append to run %s: there is nothing to append", b.Run)
	}
	ready := &batch{Batch: b, drafts: make([]draft, len(b.Drafts)), plain: true}
	for i := range b.Drafts {
		d := &ready.drafts[i]
		d.Draft = &b.Drafts[i]
		if d.Status != "" {
			ready.parks = true
			if i != len(b.Drafts)-1 {
				return nil, rein.Errorf(rein.CodeInvalid, "append to run %s: draft %d says %q but is not the last", b.Run, i, d.Status)
			}
		}
		if err := prepareDraft(b.Run, d); err != nil {
			return nil, err
		}
		ready.opens = ready.opens || d.Opens != nil
		ready.calls = ready.calls || d.Commit != nil
		ready.plain = ready.plain && d.plain()
	}
	if ready.calls && ready.drafts[len(ready.drafts)-1].next != nil {
		// A next run that is refused makes the batch run again, and a function of somebody else runs once.
		return nil, rein.Errorf(rein.CodeInvalid, "append to run %s: a batch that starts the next run cannot have a commit", b.Run)
	}
	return ready, nil
}

func prepareDraft(run rein.RunID, d *draft) (err error) {
	if err := checkDraft(run, d); err != nil {
		return err
	}
	data := d.Data
	if d.Opens != nil {
		if d.opens, err = prepareAsk(run, d); err != nil {
			return err
		}
		if data == nil {
			data = d.opens
		}
	}
	if data == nil && d.Outcome != nil {
		data = d.Outcome
	}
	if err = d.payload.pack(data); err != nil {
		return err
	}
	d.payload.texts = append(d.payload.texts, d.Keep...)
	if d.Starts != nil || d.Next != nil || d.Outcome != nil {
		return prepareOthers(run, d)
	}
	return nil
}

// prepareOthers readies what a draft means for other runs than its own. Few do, and it takes much of the stack.
func prepareOthers(run rein.RunID, d *draft) (err error) {
	if d.Starts != nil {
		if d.starts, err = prepareStart(*d.Starts); err != nil {
			return err
		}
	}
	if d.Next != nil {
		if d.next, err = prepareNext(run, d.Next.Start); err != nil {
			return err
		}
	}
	if parent := run.Parent(); d.Outcome != nil && parent != "" {
		d.child, err = newPayload(rein.Command{Kind: rein.CommandChild, Run: parent, Child: run, End: d.Outcome.End})
	}
	return err
}

var ends = []rein.End{
	rein.EndDone, rein.EndLimit, rein.EndDeclined, rein.EndStopped, rein.EndCancelled, rein.EndDeleted, rein.EndFailed,
}

func checkDraft(run rein.RunID, d *draft) error {
	bad := func(what string) error {
		return rein.Errorf(rein.CodeInvalid, "append %q to run %s: %s", string(d.Kind), run, what)
	}
	switch {
	case d.Kind == "" || d.Kind == rein.RunStarted || d.Kind == rein.RunResumed || d.Kind.Command() != "":
		return bad("a driver does not write events of this kind")
	case d.Status == rein.StatusReady || d.Status == rein.StatusRunning:
		return bad("only Start and Claim make a run " + string(d.Status))
	case d.Status.Ended() != (d.Outcome != nil) || d.Kind.Ends() != d.Status.Ended():
		return bad("an event that ends a run has the end as its status and an outcome, and no other has")
	case d.Outcome != nil && (d.Outcome.End != rein.End(d.Status) || !slices.Contains(ends, d.Outcome.End) || d.Kind != d.Outcome.End.EndKind()):
		return bad("kind, status and outcome do not say the same end")
	case d.Next != nil && (d.Outcome == nil || !d.Outcome.End.Completed() || run.Parent() != ""):
		return bad("only a root that completes starts the next run")
	case d.Starts != nil && d.Starts.Run.Parent() != run:
		return bad("it starts run " + string(d.Starts.Run) + ", which is not a child of the run")
	}
	return checkAmount(d.Spend)
}

// prepareNext readies the run that follows another in its session. Which session that is, is not
// known here: endRoot compares.
func prepareNext(run rein.RunID, s store.Start) (*starting, error) {
	if s.Run.Parent() != "" || s.Run == run {
		return nil, rein.Errorf(rein.CodeInvalid, "the run after %s cannot be %q: give it an ID of its own, for a root", run, string(s.Run))
	}
	s.Exclusive = false
	return prepareStart(s)
}

func prepareAsk(run rein.RunID, d *draft) (*rein.Ask, error) {
	ask := *d.Opens
	if ask.Run == "" {
		ask.Run = run
	}
	if ask.Run != run || !strings.HasPrefix(string(ask.ID), string(run)+":") {
		return nil, rein.Errorf(rein.CodeInvalid, "ask %q of run %q cannot be opened by run %s", string(ask.ID), string(ask.Run), run)
	}
	if ask.State == "" {
		ask.State = rein.AskPending
	}
	if ask.State != rein.AskPending {
		return nil, rein.Errorf(rein.CodeInvalid, "ask %s cannot open as %q", ask.ID, ask.State)
	}
	if ask.Opened.IsZero() {
		ask.Opened = d.At
	}
	ask.Opened, ask.Deadline = stamp(ask.Opened), stamp(ask.Deadline)
	return &ask, nil
}
