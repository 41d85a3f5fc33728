// Package tree draws the tree of a run, live: one or two rows for each run, the keys to move among them, and what a person
// wants done with one. It does nothing itself: what has to happen is an Act.
package tree

import (
	"time"

	"rein"
	"rein/journal/timeline"
	"rein/terminal/tui/look"
)

// A Tree shows the runs below a root, and keeps which of them is chosen and which are folded. Runs stay in the order in
// which they started, so nothing moves when one of them ends.
type Tree struct {
	theme  look.Theme
	chosen rein.RunID
	top    rein.RunID // the first that is drawn
	folded map[rein.RunID]bool
	hint   string // why the last key did nothing

	order []rein.RunID // those that are not folded away, as they were last drawn
	drawn []rein.RunID // which run each of the last rows belongs to
	page  int          // how many fit on the screen
}

// New returns a Tree with nothing folded.
func New(t look.Theme) *Tree {
	return &Tree{theme: t, folded: map[rein.RunID]bool{}, page: 1}
}

const (
	oneRow  = 100 // cells from which on all that is said of a run fits into one row
	minHead = 6   // rows from which on there is a row above the tree
	minFoot = 3   // and one below it
)

// Rows draws the tree. There are as many rows as the height, so that the keys are on the last one.
func (v *Tree) Rows(root *timeline.Timeline, width, height int, now time.Time) []string {
	if width < 1 || height < 1 {
		return nil
	}
	v.order, v.drawn = v.order[:0], make([]rein.RunID, height)
	if root == nil || root.Seq == 0 {
		return v.empty(width, height)
	}
	nodes := v.nodes(root)
	p := pen{Theme: v.theme, width: width, tall: 2, now: now}
	body := height - btoi(height >= minHead) - btoi(height >= minFoot)
	if width >= oneRow || body < 2*p.tall {
		p.tall = 1
	}
	v.page = max(1, body/p.tall)
	chosen, top := v.place(nodes)
	var rows []string
	if height >= minHead {
		rows = append(rows, v.head(root, nodes, width))
	}
	for i := top; i < min(len(nodes), top+v.page); i++ {
		for _, row := range p.node(nodes, i, i == chosen) {
			v.drawn[len(rows)] = nodes[i].Run
			rows = append(rows, row)
		}
	}
	return v.withFoot(rows, nodes[chosen], root, width, height)
}

// place finds the chosen run and the first one on the screen, such that the chosen one is on it.
func (v *Tree) place(nodes []node) (chosen, top int) {
	for _, n := range nodes {
		v.order = append(v.order, n.Run)
	}
	chosen = shown(nodes, v.chosen)
	top = shown(nodes, v.top)
	top = min(max(top, chosen-v.page+1), chosen, max(0, len(nodes)-v.page))
	v.chosen, v.top = nodes[chosen].Run, nodes[top].Run
	return chosen, top
}

// shown is where a run is, or the nearest one above it that is not folded away, or the root.
func shown(nodes []node, run rein.RunID) int {
	for ; run != ""; run = run.Parent() {
		for i, n := range nodes {
			if n.Run == run {
				return i
			}
		}
	}
	return 0
}

func (v *Tree) empty(width, height int) []string {
	rows := make([]string, height)
	rows[0] = v.theme.Dim(v.theme.Cut(" Reading the log"+v.theme.Signs.More, width))
	if height >= minFoot {
		rows[height-1] = v.theme.Hints([]look.Hint{wayOut}, width)
	}
	return rows
}

// withFoot fills the rows up and adds the keys.
func (v *Tree) withFoot(rows []string, chosen node, root *timeline.Timeline, width, height int) []string {
	if height < minFoot {
		return rows
	}
	for len(rows) < height-1 {
		rows = append(rows, "")
	}
	if v.hint != "" {
		return append(rows, v.theme.Waits(v.theme.Cut(" "+v.hint, width)))
	}
	return append(rows, " "+v.theme.Hints(hints(chosen, root), width-1))
}
