package tree

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/journal/timeline"
	"rein/terminal/tui/look"
)

var wayOut = look.Hint{Key: "Esc", Does: "back"}

// hints are the keys that make sense at a run.
func hints(n node, root *timeline.Timeline) []look.Hint {
	all := []look.Hint{{Key: "Enter", Does: "open"}}
	add := func(key, does string, is bool) {
		if is {
			all = append(all, look.Hint{Key: key, Does: does})
		}
	}
	_, asked := oldest(n.Timeline)
	live := n.Ended.IsZero()
	add("a", "answer", asked)
	add("n", "next that waits", !asked && waiting(root, "") > 0)
	add("m", "modify", live)
	add("d", "delete", live)
	add("c", "comment", true)
	add("M", "message", live)
	add("o", "unfold", n.folded)
	add("o", "fold", len(n.Children) > 0 && !n.folded)
	add("s", "stop", live)
	add("p", "pause", live && n.Paused == nil)
	add("p", "resume", live && n.Paused != nil)
	return append(all, wayOut)
}

var acts = map[string]Kind{
	"enter": Open, "a": Answer, "M": Message, "m": Modify, "c": Comment, "p": Pause, "s": Stop, "d": Delete,
	"esc": Back, "q": Back, "t": Back,
}

// Key takes a key. One that is not for the tree is not taken.
func (v *Tree) Key(k tea.KeyPressMsg, root *timeline.Timeline) Act {
	v.hint = ""
	kind, isAct := acts[k.String()]
	if root == nil || root.Seq == 0 {
		return Act{Kind: map[bool]Kind{true: Back}[kind == Back], Taken: kind == Back}
	}
	nodes := v.nodes(root)
	at := shown(nodes, v.chosen)
	if isAct {
		return v.act(kind, nodes[at].Timeline)
	}
	to, ok := v.move(k.String(), nodes, at)
	if ok {
		v.chosen = nodes[min(max(to, 0), len(nodes)-1)].Run
	}
	return Act{Taken: ok}
}

// move finds the run that a key leads to.
func (v *Tree) move(key string, nodes []node, at int) (to int, ok bool) {
	switch key {
	case "j", "down":
		return at + 1, true
	case "k", "up":
		return at - 1, true
	case "g", "home":
		return 0, true
	case "G", "end":
		return len(nodes) - 1, true
	case "pgdown", "ctrl+d":
		return at + v.page, true
	case "pgup", "ctrl+u":
		return at - v.page, true
	case "o", "space":
		v.fold(nodes[at], !nodes[at].folded)
		return at, true
	case "left", "h":
		return v.outward(nodes, at), true
	case "right", "l":
		return v.inward(nodes, at), true
	case "n":
		return v.next(nodes, at), true
	}
	return at, false
}

func (v *Tree) fold(n node, folded bool) {
	if len(n.Children) > 0 {
		v.folded[n.Run] = folded
	}
}

// outward folds a run or, if there is nothing to fold, leads to the one above it.
func (v *Tree) outward(nodes []node, at int) int {
	n := nodes[at]
	if len(n.Children) > 0 && !n.folded {
		v.fold(n, true)
		return at
	}
	return max(n.above, 0)
}

// inward unfolds a run or, if there is nothing to unfold, leads to the first one below it.
func (v *Tree) inward(nodes []node, at int) int {
	n := nodes[at]
	switch {
	case n.folded:
		v.fold(n, false)
	case len(n.Children) > 0:
		return at + 1
	}
	return at
}

// next is the next run that waits for a person, after the last one the first again. One that is folded away counts at the
// run that hides it.
func (v *Tree) next(nodes []node, at int) int {
	for i := 1; i <= len(nodes); i++ {
		n := nodes[(at+i)%len(nodes)]
		if _, waits := own(n.Timeline); waits || hidden(n) > 0 {
			return (at + i) % len(nodes)
		}
	}
	v.hint = "no run waits for you"
	return at
}

// Click chooses the run at a row of the last drawing, and opens the one that was chosen already.
func (v *Tree) Click(row int) Act {
	v.hint = ""
	if row < 0 || row >= len(v.drawn) || v.drawn[row] == "" {
		return Act{}
	}
	run := v.drawn[row]
	if run == v.chosen {
		return Act{Kind: Open, Run: run, Taken: true}
	}
	v.chosen = run
	return Act{Taken: true}
}

// Wheel moves what is on the screen, down or up (less than 0). The chosen run stays on it.
func (v *Tree) Wheel(by int) {
	at := func(run rein.RunID) int { return max(slices.Index(v.order, run), 0) }
	if len(v.order) == 0 {
		return
	}
	top := min(max(at(v.top)+by, 0), max(len(v.order)-v.page, 0))
	chosen := min(max(at(v.chosen), top), top+v.page-1, len(v.order)-1)
	v.top, v.chosen = v.order[top], v.order[chosen]
}
