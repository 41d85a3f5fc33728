package steps

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"rein/internal/units"
	"rein/terminal/tui/look"
)

// foot is the row of keys, or of what somebody types or has to know.
func (d *Detail) foot(width int) string {
	t := d.theme
	switch {
	case d.find.typing:
		return t.Spread(" /"+look.SafeLine(d.find.query)+t.Chosen(" "), t.Hints([]look.Hint{{Key: "Enter", Does: "find"}, {Key: "Esc", Does: "stop"}}, width/2), width)
	case d.hint != "":
		return t.Waits(t.Cut(" "+d.hint, width))
	}
	return " " + t.Hints(d.hints(), width-1)
}

func (d *Detail) hints() []look.Hint {
	var all []look.Hint
	add := func(key, does string, is bool) {
		if is {
			all = append(all, look.Hint{Key: key, Does: does})
		}
	}
	if d.what != nil {
		add("n N", d.find.words(), d.find.query != "")
		add("Tab", "next part", true)
		add("/", "search", true)
		add("f", "fork here", canFork(d.step))
		add("y", "copy this part", true)
		add("→", "the run", d.step.Child != "")
		add("j k", "scroll", true)
	}
	return append(all, wayOut)
}

// Key takes a key. One that is not for the step is not taken.
func (d *Detail) Key(k tea.KeyPressMsg) Act {
	d.hint = ""
	key := k.String()
	switch {
	case d.what != nil && d.find.typing:
		d.search(key, k.Text)
		return Act{Taken: true}
	case key == "esc" && d.find.query != "":
		d.find = search{}
		return Act{Taken: true}
	case key == "esc" || key == "q" || key == "left" || key == "h":
		return Act{Kind: Back, Taken: true}
	case d.what == nil:
		return Act{}
	}
	if act, ok := d.act(key); ok {
		return act
	}
	return Act{Taken: d.scroll(key)}
}

// act is what a key wants of the step or of a part.
func (d *Detail) act(key string) (Act, bool) {
	none := Act{Taken: true}
	switch key {
	case "f":
		if !canFork(d.step) {
			d.hint = cannotFork
			return none, true
		}
		return Act{Kind: Fork, Step: d.step.Key, Taken: true}, true
	case "right", "l":
		act, ok := about(d.step)
		if !ok {
			d.hint = "this step is about no other run"
			act = none
		}
		return act, true
	case "y":
		p := d.what.parts[d.part]
		text := p.text()
		d.hint = "copied: " + p.name + ", " + units.Count(int64(utf8.RuneCountInString(text)), "character")
		return Act{Kind: Copy, Step: d.step.Key, Text: text, Taken: true}, true
	case "/":
		d.find = search{typing: true, before: d.find.query}
		return none, true
	case "n":
		d.match(1)
		return none, true
	case "N":
		d.match(-1)
		return none, true
	case "tab", "]":
		d.toPart(d.part + 1)
		return none, true
	case "shift+tab", "[":
		d.toPart(d.part - 1)
		return none, true
	}
	return Act{}, false
}

// search takes a key into what is looked for, and goes to the first place after the top of the screen.
func (d *Detail) search(key, text string) {
	d.find.typed(key, text)
	d.find.at = 0
	d.find.among(d)
	for i, row := range d.find.found {
		if row >= d.top {
			d.find.at = i
			break
		}
	}
	d.show()
}

// match goes to the next place that has what is looked for, or to the one before.
func (d *Detail) match(by int) {
	n := len(d.find.found)
	switch {
	case d.find.query == "":
		d.hint = "/ searches first"
	case n == 0:
		d.hint = d.find.words()
	default:
		d.find.at = (d.find.at + by + n) % n
		d.show()
	}
}

// show brings the place that was found onto the screen.
func (d *Detail) show() {
	if len(d.find.found) == 0 {
		return
	}
	row := d.find.found[d.find.at]
	if row < d.top || row >= d.top+d.page {
		d.to(row - d.page/3)
	}
	d.part = max(0, d.what.lines[d.rows[row].line].part)
}

// to scrolls to a row.
func (d *Detail) to(top int) { d.top = min(max(top, 0), max(0, len(d.rows)-d.page)) }

// toPart goes to a part, after the last one to the first.
func (d *Detail) toPart(part int) {
	n := len(d.what.parts)
	d.part = (part + n) % n
	for i, r := range d.rows {
		if d.what.lines[r.line].part == d.part {
			if d.what.lines[r.line].voice == blank {
				continue
			}
			d.to(i)
			return
		}
	}
}

// scroll moves what is on the screen. The part that is copied is the first of which something is on it, unless it is one
// that still is.
func (d *Detail) scroll(key string) bool {
	switch key {
	case "j", "down":
		d.to(d.top + 1)
	case "k", "up":
		d.to(d.top - 1)
	case "pgdown", "space", "ctrl+d":
		d.to(d.top + d.page)
	case "pgup", "ctrl+u":
		d.to(d.top - d.page)
	case "g", "home":
		d.to(0)
	case "G", "end":
		d.to(len(d.rows))
	default:
		return false
	}
	d.keepPart()
	return true
}

func (d *Detail) keepPart() {
	first := -1
	for i := d.top; i < min(len(d.rows), d.top+d.page); i++ {
		l := d.what.lines[d.rows[i].line]
		if l.part == d.part {
			return
		}
		if first < 0 && l.voice != blank {
			first = l.part
		}
	}
	d.part = max(first, 0)
}

// Wheel scrolls, down or up (less than 0).
func (d *Detail) Wheel(by int) {
	if d.what != nil {
		d.to(d.top + by)
		d.keepPart()
	}
}
