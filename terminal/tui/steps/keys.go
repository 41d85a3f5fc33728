package steps

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"rein/api"
	"rein/terminal/tui/look"
)

var wayOut = look.Hint{Key: "Esc", Does: "back"}

// hints are the keys that make sense at the chosen step.
func (l *List) hints() []look.Hint {
	var all []look.Hint
	add := func(key, does string, is bool) {
		if is {
			all = append(all, look.Hint{Key: key, Does: does})
		}
	}
	if len(l.rows) > 0 {
		s := l.all[l.rows[l.at()]]
		add("Enter", "open", true)
		add("f", "fork here", canFork(s))
		add("→", "the run", s.Child != "")
		add("j k", "move", true)
		add("e", "next that failed", slices.ContainsFunc(l.all, isBad))
	}
	add("i", "hide its own", l.own)
	add("i", "show its own", !l.own && len(l.rows) < len(l.all))
	return append(all, wayOut)
}

// Key takes a key. One that is not for the list is not taken.
func (l *List) Key(k tea.KeyPressMsg) Act {
	l.hint = ""
	key := k.String()
	switch key {
	case "esc", "q":
		return Act{Kind: Back, Taken: true}
	case "i":
		l.own = !l.own
		l.arrange()
		return l.moved()
	}
	if len(l.rows) == 0 {
		return Act{}
	}
	at := l.at()
	if act, ok := l.act(key, l.all[l.rows[at]]); ok {
		return act
	}
	to, ok := l.move(key, at)
	if !ok {
		return Act{}
	}
	if to >= len(l.rows) {
		l.asked = "" // whoever goes on at the end wants what comes after it, also if it was asked for
	}
	l.chosen = l.all[l.rows[min(max(to, 0), len(l.rows)-1)]].Key
	return l.moved()
}

// act is what a key wants of the chosen step.
func (l *List) act(key string, s api.Step) (Act, bool) {
	switch key {
	case "enter", "o":
		return Act{Kind: Open, Step: s.Key, Taken: true}, true
	case "right", "l":
		act, ok := about(s)
		if !ok {
			act = Act{Kind: Open, Step: s.Key, Taken: true}
		}
		return act, true
	case "f":
		if !canFork(s) {
			l.hint = cannotFork
			return Act{Taken: true}, true
		}
		return Act{Kind: Fork, Step: s.Key, Taken: true}, true
	}
	return Act{}, false
}

// moved is the act after the chosen step has changed.
func (l *List) moved() Act {
	if l.wantsMore() {
		return Act{Kind: More, Step: l.next, Taken: true}
	}
	return Act{Taken: true}
}

// move finds the row that a key leads to; one after the last is the end.
func (l *List) move(key string, at int) (to int, ok bool) {
	last := len(l.rows) - 1
	switch key {
	case "j", "down":
		return at + 1, true
	case "k", "up":
		return at - 1, true
	case "g", "home":
		return 0, true
	case "G", "end":
		if at == last {
			return at + 1, true
		}
		return last, true
	case "pgdown", "ctrl+d", "space":
		return at + l.page, true
	case "pgup", "ctrl+u":
		return at - l.page, true
	case "e":
		return l.nextBad(at), true
	}
	return at, false
}

// nextBad is the next step that went wrong, after the last one the first again.
func (l *List) nextBad(at int) int {
	for i := 1; i <= len(l.rows); i++ {
		row := (at + i) % len(l.rows)
		if isBad(l.all[l.rows[row]]) {
			return row
		}
	}
	l.hint = "no step went wrong"
	return at
}

// Click chooses the step at a row of the last drawing, and opens the one that was chosen already.
func (l *List) Click(row int) Act {
	l.hint = ""
	if row < 0 || row >= len(l.drawn) || l.drawn[row] < 0 {
		return Act{}
	}
	s := l.all[l.rows[l.drawn[row]]]
	if s.Key == l.chosen {
		return Act{Kind: Open, Step: s.Key, Taken: true}
	}
	l.chosen = s.Key
	return l.moved()
}

// Wheel moves what is on the screen, down or up (less than 0). The chosen step stays on it.
func (l *List) Wheel(by int) Act {
	if len(l.rows) == 0 {
		return Act{}
	}
	most := max(0, len(l.rows)-l.page)
	if by > 0 && l.top == most {
		l.asked = "" // as with a key at the end
	}
	l.top = min(max(l.top+by, 0), most)
	row := min(max(l.at(), l.top), l.top+l.page-1, len(l.rows)-1)
	l.chosen = l.all[l.rows[row]].Key
	return l.moved()
}
