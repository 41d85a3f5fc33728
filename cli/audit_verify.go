package cli

import (
	"cmp"
	"context"
	"strings"

	"rein"
	"rein/app"
	"rein/internal/units"
)

// auditFlags are the flags of rein audit verify alone.
type auditFlags struct{ head string }

func auditVerifyCommand() command {
	var f auditFlags
	return command{
		name: "audit verify", args: "[RUN ...]", does: "check that nothing in the store was changed", most: anyNumber,
		more: `Checks the hash chain of each run's log, its payloads and texts, and where the log ends. Then it builds what people see of the run (status, title, outcome, asks, receipts, ledger) from the log again and compares. If you name no run, it also looks for rows that were removed, compares sessions and accounts with the logs, and users, tokens and logins with the record of their changes. Erased payloads are counted: the chain proves that nothing else changed.

Anyone who can write the file can also write new chains. --head proves that nothing was removed or written again since rein audit head printed HASH.`,
		flags: f.flags, run: f.run,
	}
}

func (f *auditFlags) flags(c *call) []flagDef {
	return append([]flagDef{text(&f.head, "head HASH", "prove that all that rein audit head covered is still there")}, lookFlags(c)...)
}

func (f *auditFlags) run(ctx context.Context, c *call) error {
	var head rein.Hash
	if f.head != "" {
		var err error
		if head, err = f.given(c); err != nil {
			return err
		}
	}
	s, err := c.setup().Read(ctx)
	if err != nil {
		if len(c.args) > 0 || f.head != "" {
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
	tell := func(v app.Verdict) error {
		if sum.Add(v); v.Run == "" {
			return c.printFaults("store", v.Wrong)
		}
		return c.printVerdict(v, width)
	}
	if len(c.args) > 0 {
		err = s.VerifyRuns(ctx, ids, tell)
	} else {
		err = cmp.Or(app.Audit(ctx, s, tell), c.auditAccounts(ctx, s, &sum))
	}
	if err == nil && f.head != "" {
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
	for _, name := range c.args {
		id, err := c.lookUp(ctx, name)
		if err != nil {
			return nil, err
		}
		if _, err := s.Run(ctx, id); rein.CodeOf(err) == rein.CodeNotFound {
			return nil, c.unknownRun(err, s.Place)
		}
		ids = append(ids, id)
	}
	if len(c.args) > 0 {
		return ids, nil
	}
	return s.RunIDs(ctx), ctx.Err()
}

// longest is how wide a column of IDs must be.
func longest(ids []rein.RunID) int {
	width := 0
	for _, id := range ids {
		width = max(width, len(id))
	}
	return width
}

func (c *call) printVerdict(v app.Verdict, width int) error {
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

// given reads --head: the hash, or the whole line that was printed with it.
func (f *auditFlags) given(c *call) (head rein.Hash, err error) {
	fields := strings.Fields(f.head)
	if len(fields) == 0 || head.UnmarshalText([]byte(fields[0])) != nil {
		return head, usagef("--head %.80q is not a head: give the 64 hex digits that rein audit head printed", f.head)
	}
	if len(c.args) > 0 {
		return head, usagef("--head covers everything: leave out the runs")
	}
	return head, nil
}

// A headVerdict is what was found of what a checkpoint covers.
type headVerdict struct {
	rein.Checkpoint
	Wrong []string `json:"wrong,omitempty"`
}

// auditHead proves that what a checkpoint covers is still there.
func (c *call) auditHead(ctx context.Context, s *app.Data, head rein.Hash, sum *app.Tally) error {
	of, found, err := s.VerifyHead(ctx, head)
	if rein.CodeOf(err) == rein.CodeNotFound {
		of, err = rein.Checkpoint{Head: head}, nil
		found = []string{
			"there is no checkpoint with this head: it belongs to another store, or is",
			"newer than this copy of the store, or somebody removed checkpoints",
		}
	}
	if err != nil {
		return err
	}
	if len(found) > 0 {
		sum.Wrong++
	}
	if c.json {
		return c.printJSON(headVerdict{of, found})
	}
	c.printHead(headVerdict{of, found})
	return nil
}

func (c *call) printHead(v headVerdict) {
	switch {
	case len(v.Wrong) == 0:
		c.print("ok     head %s of %s: all is there\n       (%s)\n", shortHash(v.Head), units.When(v.Made), covers(v.Checkpoint))
	case v.N == 0:
		c.print("wrong  head %s\n", shortHash(v.Head))
	default:
		c.print("wrong  head %s of %s: not all is there\n", shortHash(v.Head), units.When(v.Made))
	}
	for _, what := range v.Wrong {
		c.print("       %s\n", safe(what))
	}
}
