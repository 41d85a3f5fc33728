package main

import (
	"context"
	"fmt"

	"rein"
	"rein/store"
)

const auditHelp = `Checks the hash chain of each run's log, its payloads and texts, where the log ends and,
for the root of a tree, that the budget's ledger is the sum of what the logs say; if no run is
named, also that what users are said to use is what the logs say. Payloads
that were erased are counted: the chain proves that nothing else changed.
Keep the head hashes elsewhere to be able to prove later that nothing was rewritten.`

func runAudit(ctx context.Context, c *call) error {
	s, err := c.open(ctx)
	if err != nil {
		if len(c.args) > 0 {
			return err
		}
		return c.nothing(err)
	}
	defer s.Close()
	ids, err := c.audited(ctx, s)
	if err != nil {
		return err
	}
	var sum tally
	for _, id := range ids {
		verdict, err := verify(ctx, s, id)
		if err != nil {
			return err
		}
		sum.add(verdict)
		if err := c.printVerdict(verdict, longest(ids)); err != nil {
			return err
		}
	}
	if !c.json {
		c.print("%s\n", sum)
	}
	if len(c.args) == 0 {
		if err := c.auditAccounts(ctx, s); err != nil {
			return err
		}
	}
	if sum.wrong > 0 {
		return errWrong
	}
	return nil
}

// auditAccounts tells what is wrong with what users are said to use.
func (c *call) auditAccounts(ctx context.Context, s *data) error {
	found, err := s.VerifyAccounts(ctx)
	if err != nil || len(found) == 0 {
		return err
	}
	for _, what := range found {
		if !c.json {
			c.print("wrong  %s\n", safe(what))
		} else if err := c.printJSON(map[string]string{"accounts": what}); err != nil {
			return err
		}
	}
	c.note("rein: the accounts are not what the logs say: %s counts them again", c.tip("audit recount"))
	return errWrong
}

// audited returns the runs that were named, or all.
func (c *call) audited(ctx context.Context, s *data) ([]rein.RunID, error) {
	for _, id := range c.args {
		if _, err := s.Run(ctx, rein.RunID(id)); rein.CodeOf(err) == rein.CodeNotFound {
			return nil, c.unknownRun(err, s)
		}
	}
	if len(c.args) == 0 {
		return allRuns(ctx, s)
	}
	ids := make([]rein.RunID, len(c.args))
	for i, id := range c.args {
		ids[i] = rein.RunID(id)
	}
	return ids, nil
}

func allRuns(ctx context.Context, s store.Store) (ids []rein.RunID, err error) {
	for info, err := range s.Runs(ctx, store.Filter{}) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, info.ID)
	}
	return ids, nil
}

// verify audits a run. That it cannot be read is a finding too; only being interrupted is not.
func verify(ctx context.Context, s store.Store, id rein.RunID) (store.Verdict, error) {
	verdict, err := s.Verify(ctx, id)
	if err == nil || ctx.Err() != nil {
		return verdict, ctx.Err()
	}
	verdict.Run = id
	verdict.Wrong = append(verdict.Wrong, err.Error())
	return verdict, nil
}

// longest is how wide a column of IDs must be.
func longest(ids []rein.RunID) int {
	width := 0
	for _, id := range ids {
		width = max(width, len(id))
	}
	return width
}

func (c *call) printVerdict(v store.Verdict, width int) error {
	if c.json {
		return c.printJSON(v)
	}
	state := "ok"
	if len(v.Wrong) > 0 {
		state = "wrong"
	}
	c.print("%-5s  %-*s  %s, %s erased, head %s\n", state, width, safe(string(v.Run)), count(v.Events, "event"), number(v.Erased), v.Head)
	for _, what := range v.Wrong {
		c.print("       %s\n", safe(what))
	}
	return nil
}

// A tally of verdicts.
type tally struct{ runs, events, erased, wrong int64 }

func (t *tally) add(v store.Verdict) {
	t.runs++
	t.events += v.Events
	t.erased += v.Erased
	if len(v.Wrong) > 0 {
		t.wrong++
	}
}

func (t tally) String() string {
	text := fmt.Sprintf("%s, %s, %s erased: ", count(t.runs, "run"), count(t.events, "event"), number(t.erased))
	if t.wrong == 0 {
		return text + "nothing is wrong"
	}
	return text + number(t.wrong) + " wrong; restore a backup"
}
