package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

// runsFlags are the flags of rein runs alone.
type runsFlags struct {
	session string
	all     bool
}

func runsCommand() command {
	var r runsFlags
	return command{
		name: "runs", does: "list the runs, unfinished ones first",
		more:  `Lists trees of runs, children indented below their parents. Unfinished trees come first, then those that ended, the latest first; without --all at most 50. Tokens and cost are what the whole tree has used.`,
		flags: r.flags, run: r.run,
	}
}

func (r *runsFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		text(&r.session, "session S", "only the runs of this session"),
		on(&r.all, "all", "list all trees, not only the first 50"),
		longFlag(c),
	}, lookFlags(c)...)
}

// mostTrees is how many trees are listed without --all.
const mostTrees = 50

func (r *runsFlags) run(ctx context.Context, c *call) error {
	v, err := c.setup().Look(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer v.Close()
	roots, err := r.roots(ctx, v)
	if len(roots) == 0 && err == nil && r.session != "" {
		roots, err = r.inSession(ctx, v)
	}
	if err != nil {
		return err
	}
	if len(roots) == 0 {
		if r.session != "" {
			return fmt.Errorf("there is no session %q in %s: %s shows what there is", r.session, v.Folder, c.tip("runs --all"))
		}
		return c.nothing(v.NoData())
	}
	left := 0
	if !r.all && len(roots) > mostTrees {
		left = len(roots) - mostTrees
		roots = roots[:mostTrees]
	}
	if err := c.list(ctx, v, roots); err != nil {
		return err
	}
	if left > 0 {
		c.note("%s more: %s", units.Number(int64(left)), c.tip("runs --all"))
	}
	return nil
}

// roots returns all roots in the order in which they are listed.
func (r *runsFlags) roots(ctx context.Context, v *app.View) ([]rein.RunInfo, error) {
	list, err := allRuns(ctx, v, api.RunQuery{Roots: true, Session: r.session})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b rein.RunInfo) int {
		if ended := a.Status.Ended(); ended != b.Status.Ended() {
			if ended {
				return 1
			}
			return -1
		}
		return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// inSession is roots for a name that is not the whole ID of a session.
func (r *runsFlags) inSession(ctx context.Context, v *app.View) ([]rein.RunInfo, error) {
	id, err := sessionID(ctx, v.Client, r.session)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return (&runsFlags{session: id}).roots(ctx, v)
}

// allRuns reads all pages of a list of runs.
func allRuns(ctx context.Context, v *app.View, q api.RunQuery) (all []rein.RunInfo, err error) {
	q.Limit = api.MaxLimit
	for {
		page, err := v.Runs(ctx, q)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Runs...)
		if q.After = page.Next; q.After == "" {
			return all, nil
		}
	}
}

func (c *call) list(ctx context.Context, v *app.View, roots []rein.RunInfo) error {
	var rows [][]string
	currency := currencyOf(ctx, v.Client, c.out.Screen.Nice())
	names, err := c.shortener(ctx, v.Client, runIDs(roots))
	if err != nil {
		return err
	}
	for _, root := range roots {
		lines, err := readTree(ctx, v, root.ID)
		if err != nil {
			return err
		}
		for _, line := range lines {
			if !c.json {
				rows = append(rows, line.row(names, currency))
			} else if err := c.printJSON(line); err != nil {
				return err
			}
		}
	}
	if !c.json {
		c.columns(withoutFree(append([][]string{{"RUN", "STATUS", "STARTED", "TOKENS", "COST", "TITLE"}}, rows...), currency.Money(0)))
	}
	return nil
}

// withoutFree leaves out the column of costs if nothing cost anything, which it writes as free: the title needs the room.
func withoutFree(rows [][]string, free string) [][]string {
	const cost = 4
	for _, row := range rows[1:] {
		if row[cost] != "" && row[cost] != free {
			return rows
		}
	}
	for i, row := range rows {
		rows[i] = slices.Delete(row, cost, cost+1)
	}
	return rows
}

// A runLine is a run as it is listed. Roots have the account of their tree.
type runLine struct {
	rein.RunInfo
	Ledger *rein.Ledger `json:"ledger,omitempty"`
	Held   rein.Amount  `json:"held,omitzero"` // the part of the ledger that is only reserved
}

// readTree returns a root and the runs below it, parents before their children.
func readTree(ctx context.Context, v *app.View, id rein.RunID) ([]runLine, error) {
	runs, err := allRuns(ctx, v, api.RunQuery{Tree: id})
	if err != nil {
		return nil, err
	}
	below := map[rein.RunID][]rein.RunInfo{}
	for _, info := range runs {
		below[info.ID.Parent()] = append(below[info.ID.Parent()], info)
	}
	budget, err := v.Budget(ctx, id)
	if err != nil {
		return nil, err
	}
	lines := inOrder(below, "", nil)
	lines[0].Ledger, lines[0].Held = &budget.Ledger, budget.Held // there is a budget, so there is a root
	return lines, nil
}

func runIDs(runs []rein.RunInfo) (ids []rein.RunID) {
	for _, run := range runs {
		ids = append(ids, run.ID)
	}
	return ids
}

func inOrder(below map[rein.RunID][]rein.RunInfo, parent rein.RunID, lines []runLine) []runLine {
	for _, info := range below[parent] {
		lines = append(lines, runLine{RunInfo: info})
		lines = inOrder(below, info.ID, lines)
	}
	return lines
}

func (l runLine) row(names shortener, currency units.Currency) []string {
	tokens, cost := "", ""
	if l.Ledger != nil {
		spent := l.Ledger.Used.Minus(l.Held)
		tokens, cost = units.Number(spent.Tokens), currency.Money(spent.Micros)
	}
	return []string{
		strings.Repeat("  ", l.ID.Depth()) + names.run(l.ID), terminal.StatusWord(l.RunInfo), units.Lately(l.Started, time.Now()), tokens, cost, titleOf(l.RunInfo),
	}
}
