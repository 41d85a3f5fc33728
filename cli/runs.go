package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"rein"
	"rein/internal/units"
	"rein/journal/usage"
	"rein/store"
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
	}, lookFlags(c)...)
}

// mostTrees is how many trees are listed without --all.
const mostTrees = 50

func (r *runsFlags) run(ctx context.Context, c *call) error {
	s, err := c.setup().Read(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer s.Close()
	roots, err := r.roots(ctx, s)
	if err != nil {
		return err
	}
	if len(roots) == 0 {
		if r.session != "" {
			return fmt.Errorf("there is no session %q in %s: %s shows what there is", r.session, s.Folder, c.tip("runs --all"))
		}
		return c.nothing(s.NoData())
	}
	left := 0
	if !r.all && len(roots) > mostTrees {
		left = len(roots) - mostTrees
		roots = roots[:mostTrees]
	}
	if err := c.list(ctx, s, roots); err != nil {
		return err
	}
	if left > 0 {
		c.note("%s more: %s", units.Number(int64(left)), c.tip("runs --all"))
	}
	return nil
}

// A root is the little that is needed to put trees in order.
type root struct {
	id      rein.RunID
	ended   bool
	changed time.Time
}

// roots returns all roots in the order in which they are listed.
func (r *runsFlags) roots(ctx context.Context, s store.Reader) ([]root, error) {
	var list []root
	for info, err := range s.Runs(ctx, store.Filter{Roots: true, Session: r.session}) {
		if err != nil {
			return nil, err
		}
		list = append(list, root{info.ID, info.Status.Ended(), info.Changed})
	}
	slices.SortStableFunc(list, func(a, b root) int {
		if a.ended != b.ended {
			if a.ended {
				return 1
			}
			return -1
		}
		return cmp.Or(b.changed.Compare(a.changed), cmp.Compare(a.id, b.id))
	})
	return list, nil
}

func (c *call) list(ctx context.Context, s store.Reader, roots []root) error {
	table := tabwriter.NewWriter(c.out.Stdout, 0, 8, 2, ' ', 0)
	if !c.json {
		fmt.Fprintln(table, "RUN\tSTATUS\tFLOW\tSTARTED\tTOKENS\tCOST\tTITLE")
	}
	for _, root := range roots {
		lines, err := readTree(ctx, s, root.id)
		if err != nil {
			return err
		}
		for _, line := range lines {
			if !c.json {
				fmt.Fprintln(table, line.row())
			} else if err := c.printJSON(line); err != nil {
				return err
			}
		}
	}
	return table.Flush()
}

// A runLine is a run as it is listed. Roots have the account of their tree.
type runLine struct {
	rein.RunInfo
	Ledger *rein.Ledger `json:"ledger,omitempty"`
	Held   rein.Amount  `json:"held,omitzero"` // the part of the ledger that is only reserved
}

// readTree returns a root and the runs below it, parents before their children.
func readTree(ctx context.Context, s store.Reader, id rein.RunID) ([]runLine, error) {
	below := map[rein.RunID][]rein.RunInfo{}
	var held rein.Amount
	for info, err := range s.Runs(ctx, store.Filter{Tree: id}) {
		if err != nil {
			return nil, err
		}
		below[info.ID.Parent()] = append(below[info.ID.Parent()], info)
		if info.Status.Ended() {
			continue
		}
		amount, err := usage.Held(ctx, s, info.ID)
		if rein.CodeOf(err) == rein.CodeDamaged {
			continue // a list is no audit: the run is shown with what its row says
		}
		if err != nil {
			return nil, err
		}
		held = held.Plus(amount)
	}
	ledger, err := s.Ledger(ctx, id)
	if err != nil {
		return nil, err
	}
	lines := inOrder(below, "", nil)
	lines[0].Ledger, lines[0].Held = &ledger, held // there is a ledger, so there is a root
	return lines, nil
}

func inOrder(below map[rein.RunID][]rein.RunInfo, parent rein.RunID, lines []runLine) []runLine {
	for _, info := range below[parent] {
		lines = append(lines, runLine{RunInfo: info})
		lines = inOrder(below, info.ID, lines)
	}
	return lines
}

func (l runLine) row() string {
	tokens, cost := "", ""
	if l.Ledger != nil {
		spent := l.Ledger.Used.Minus(l.Held)
		tokens, cost = units.Number(spent.Tokens), units.Money(spent.Micros)
	}
	title := short(l.Title, 60)
	if l.Erased {
		title = "(erased)"
	}
	return strings.Join([]string{
		strings.Repeat("  ", l.ID.Depth()) + safe(string(l.ID)), terminal.StatusWord(l.RunInfo), safe(l.Flow),
		l.Started.Local().Format("2006-01-02 15:04"), tokens, cost, title,
	}, "\t")
}
