package cli

import (
	"cmp"
	"context"

	"rein"
	"rein/app"
	"rein/internal/units"
	"rein/store"
)

const auditHelp = `Checks the hash chain of each run's log, its payloads and texts, and where the log ends. Then
it builds what people see of the run (its status, title and outcome, asks, receipts, ledger)
from the log again and compares. If no run is named, it also looks for what was taken out,
compares sessions and what users are said to use with the logs, and users, tokens and logins
with the chain of their changes. Payloads that were erased are counted: the chain proves that
nothing else changed.
Whoever can write the file can also write new chains: --head proves that nothing was taken
away or written again since rein audit head printed it.`

func runAudit(ctx context.Context, c *call) error {
	var head rein.Hash
	if c.head != "" {
		var err error
		if head, err = c.givenHead(); err != nil {
			return err
		}
	}
	s, err := c.setup().Read(ctx)
	if err != nil {
		if len(c.args) > 0 || c.head != "" {
			return err
		}
		return c.nothing(err)
	}
	defer s.Close()
	ids, err := c.audited(ctx, s)
	if err != nil {
		return err
	}
	var sum app.Tally
	width := longest(ids)
	tell := func(v store.Verdict) error {
		if sum.Add(v); v.Run == "" {
			return c.printFaults("store", v.Wrong)
		}
		return c.printVerdict(v, width)
	}
	if len(c.args) > 0 {
		err = verifyEach(ctx, s, ids, tell)
	} else {
		err = cmp.Or(app.Audit(ctx, s, tell), c.auditAccounts(ctx, s, &sum))
	}
	if err == nil && c.head != "" {
		err = c.auditHead(ctx, s, head, &sum)
	}
	if err != nil {
		return err
	}
	return c.printSum(sum)
}

// printFaults tells what is wrong beside runs.
func (c *call) printFaults(where string, found []string) error {
	for _, what := range found {
		if !c.json {
			c.print("wrong  %s\n", safe(what))
		} else if err := c.printJSON(map[string]string{where: what}); err != nil {
			return err
		}
	}
	return nil
}

// auditAccounts tells what is wrong with what users are said to use.
func (c *call) auditAccounts(ctx context.Context, s *app.Data, sum *app.Tally) error {
	found, err := s.VerifyAccounts(ctx)
	if err != nil {
		return err
	}
	sum.Accounts = len(found) > 0
	return c.printFaults("accounts", found)
}

// printSum comes last: it says whether anything was wrong, and what to do.
func (c *call) printSum(sum app.Tally) error {
	if !c.json {
		c.print("%s\n", sum)
	}
	if sum.Accounts && sum.Wrong == 0 { // otherwise they only tell of logs that are not sound
		c.note("rein: the accounts are not what the logs say: %s counts them again", c.tip("audit recount"))
	}
	if sum.Accounts || sum.Wrong > 0 {
		return errWrong
	}
	return nil
}

// audited returns the runs that were named, or all.
func (c *call) audited(ctx context.Context, s *app.Data) (ids []rein.RunID, err error) {
	for _, id := range c.args {
		if _, err := s.Run(ctx, rein.RunID(id)); rein.CodeOf(err) == rein.CodeNotFound {
			return nil, c.unknownRun(err, s)
		}
		ids = append(ids, rein.RunID(id))
	}
	if len(c.args) > 0 {
		return ids, nil
	}
	for info, err := range s.Store.Runs(ctx, store.Filter{}) {
		if err != nil {
			break // the audit says what is wrong
		}
		ids = append(ids, info.ID)
	}
	return ids, ctx.Err()
}

// verifyEach audits some runs. That one cannot be read is a finding too; only being interrupted is not.
func verifyEach(ctx context.Context, s store.Auditor, ids []rein.RunID, tell func(store.Verdict) error) error {
	for _, id := range ids {
		verdict, err := s.Verify(ctx, id)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			verdict = store.Verdict{Run: id, Wrong: []string{err.Error()}}
		}
		if err := tell(verdict); err != nil {
			return err
		}
	}
	return nil
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
	c.print("%-5s  %-*s  %s, %s erased, head %s\n", state, width, safe(string(v.Run)), units.Count(v.Events, "event"), units.Number(v.Erased), shortHash(v.Head))
	for _, what := range v.Wrong {
		c.print("       %s\n", safe(what))
	}
	return nil
}

// shortHash is as much of a hash as fits into a line. --json has it whole.
func shortHash(h rein.Hash) string { return h.String()[:16] }
