package pick

import (
	"strings"

	"rein/terminal/tui/look"
)

// Bare draws no more than the items in view, at most a number of them.
func (l *List) Bare(width, most int) []string {
	l.page = max(1, most)
	l.scroll()
	q, lead := read(l.typed), l.hasLead()
	var rows []string
	for n := l.top; n < len(l.lines) && len(rows) < l.page; n++ {
		at := l.lines[n]
		if at.heading {
			rows = append(rows, l.theme.Label(l.theme.Cut(l.shown[l.hits[at.hit].n].group, width)))
			continue
		}
		rows = append(rows, l.row(q, int(at.hit), width, lead))
	}
	return rows
}

// scroll brings the chosen item into view, and the heading right above it.
func (l *List) scroll() {
	at := l.chosen
	for at < len(l.lines) && (l.lines[at].heading || int(l.lines[at].hit) != l.chosen) {
		at++
	}
	if at >= l.top+l.page {
		l.top = at - l.page + 1
	}
	if at > 0 && l.page > 1 && at < len(l.lines) && l.lines[at-1].heading {
		at--
	}
	l.top = max(0, min(l.top, at, len(l.lines)-l.page))
}

// hasLead reports whether some item has a mark, for which all make room.
func (l *List) hasLead() bool {
	for i := range l.items {
		if l.items[i].Live || l.items[i].Now {
			return true
		}
	}
	return false
}

func (l *List) row(q query, n, width int, lead bool) string {
	p := pen{l.theme, n == l.chosen}
	item, s := &l.items[l.hits[n].n], &l.shown[l.hits[n].n]
	before := "  "
	if p.chosen {
		before = l.theme.Accent(l.theme.Signs.Person) + " "
	}
	if lead {
		before += l.mark(item)
	}
	room := width - look.Cells(before)
	if room < 1 {
		return l.theme.Cut(before, width)
	}
	right := l.right(s, room)
	left := p.text(s.title, room-withSpace(right), l.desk.found(q, s.title), false)
	if rest := room - withSpace(right) - look.Cells(left) - 2; s.about != "" && rest >= 6 {
		left += p.plain("  ") + p.text(s.about, rest, l.desk.found(q, s.about), true)
	}
	fill := room - look.Cells(left) - look.Cells(right)
	return before + left + p.plain(strings.Repeat(" ", fill)) + p.dim(right)
}

func (l *List) mark(item *Item) string {
	switch {
	case item.Now:
		return l.theme.Good(l.theme.Signs.OK) + " "
	case item.Live:
		return l.theme.Runs(l.theme.Signs.Dot) + " "
	}
	return "  "
}

// right is what stands at the right edge, if the title has room beside it.
func (l *List) right(s *shown, room int) string {
	right := s.right
	if right == "" && l.typed != "" {
		right = s.group // there are no headings now
	}
	right = l.theme.Cut(right, room/2)
	if room-look.Cells(right) < 12 {
		return ""
	}
	return right
}

// withSpace is how many cells a text at the right edge takes, with the space before it.
func withSpace(right string) int {
	if right == "" {
		return 0
	}
	return look.Cells(right) + 1
}
