package tree

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/journal/timeline"
	"rein/terminal/tui/look"
)

// A node is a run at its place in the tree.
type node struct {
	*timeline.Timeline
	depth  int
	above  int  // where its parent is in the list; -1: it is the root
	last   bool // it is the last of its siblings
	folded bool // the runs below it are not shown
}

// nodes lists the runs of a tree that are not folded away, from top to bottom.
func (v *Tree) nodes(root *timeline.Timeline) []node {
	return v.below(nil, root, -1, true)
}

// below adds a run and what is shown below it.
func (v *Tree) below(all []node, t *timeline.Timeline, above int, last bool) []node {
	n := node{Timeline: t, above: above, last: last, folded: len(t.Children) > 0 && v.folded[t.Run]}
	if above >= 0 {
		n.depth = all[above].depth + 1
	}
	here := len(all)
	all = append(all, n)
	if n.folded {
		return all
	}
	children := ordered(t.Children)
	for i, child := range children {
		all = v.below(all, child, here, i == len(children)-1)
	}
	return all
}

// ordered are the children of a run in the order in which they started. Of one whose log has not come yet only later ones
// are known: it is the last.
func ordered(children map[rein.RunID]*timeline.Timeline) []*timeline.Timeline {
	return slices.SortedFunc(maps.Values(children), func(a, b *timeline.Timeline) int {
		if a.Started.IsZero() != b.Started.IsZero() {
			return cmp.Compare(btoi(a.Started.IsZero()), btoi(b.Started.IsZero()))
		}
		if c := a.Started.Compare(b.Started); c != 0 {
			return c
		}
		return compareIDs(a.Run, b.Run)
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareIDs compares siblings by the steps that started them: 9 comes before 10.
func compareIDs(a, b rein.RunID) int {
	return slices.CompareFunc(places(a), places(b), func(a, b string) int {
		n, errA := strconv.Atoi(a)
		m, errB := strconv.Atoi(b)
		if errA != nil || errB != nil {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(n, m)
	})
}

func places(run rein.RunID) []string {
	return strings.Split(strings.TrimPrefix(string(run), string(run.Parent())+rein.Separator), "-")
}

// runs counts a run and everything below it, and those of them that have not ended.
func runs(t *timeline.Timeline) (all, unfinished int) {
	all = 1
	if t.Ended.IsZero() {
		unfinished = 1
	}
	for _, child := range t.Children {
		n, m := runs(child)
		all, unfinished = all+n, unfinished+m
	}
	return all, unfinished
}

// title is the first line of what the run works on: of its task, or of what somebody changed it to.
func title(t *timeline.Timeline) string {
	text := t.Title
	for _, item := range slices.Backward(t.Items) {
		if p, ok := item.(*timeline.Person); ok && p.Sub == timeline.SaidModify {
			text = p.Text
			break
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return cmp.Or(flat(first), "a run without a question")
}

// flat is as much of a text as a row can show.
func flat(text string) string {
	const enough = 4096 // bytes: no row is that long
	if len(text) > enough {
		text = strings.ToValidUTF8(text[:enough], "")
	}
	return look.SafeLine(strings.Join(strings.Fields(text), " "))
}
