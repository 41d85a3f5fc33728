package pick

import (
	"rein/internal/units"
	"rein/terminal/tui/look"
)

// A Cursor is where the terminal's cursor belongs.
type Cursor struct{ X, Y int }

// A frame is for screens that have room for it.
const (
	framedWidth  = 48
	framedHeight = 8
	hintHeight   = 10
)

// Rows draws the list. It has the same height whatever is found, so that nothing jumps while somebody types.
func (l *List) Rows(width, height int) ([]string, Cursor) {
	if width < 4 || height < 3 {
		return nil, Cursor{}
	}
	framed := width >= framedWidth && height >= framedHeight
	inner, left, above, below := width, 0, 2, 0
	if framed {
		inner, left, below = width-4, 2, 1
	}
	hint := height >= hintHeight
	if hint {
		below++
	}
	l.above = above
	room := max(1, min(height-above-below, max(1, l.tallest())))
	search, x := l.typing(inner)
	rows := append([]string{search}, l.body(inner, room)...)
	if hint {
		rows = append(rows, l.hint(inner))
	}
	if framed {
		return l.theme.Box(l.theme.Strong(l.title), l.count(), rows, width, l.theme.Accent), Cursor{left + x, 1}
	}
	heading := l.theme.Spread(l.theme.Strong(l.title), l.theme.Dim(l.count()), inner)
	return append([]string{heading}, rows...), Cursor{x, 1}
}

// tallest is how many lines there are if nothing is searched.
func (l *List) tallest() int {
	n, group := len(l.shown), ""
	for i := range l.shown {
		if own := l.shown[i].group; own != group {
			if group = own; own != "" {
				n++
			}
		}
	}
	return n
}

func (l *List) count() string {
	all, found := units.Number(int64(len(l.items))), units.Number(int64(len(l.hits)))
	if len(l.hits) == len(l.items) {
		return all
	}
	return found + " of " + all
}

// typing is the row with what is typed, and where the cursor is in it.
func (l *List) typing(width int) (row string, x int) {
	sign := l.theme.Signs.Person + " "
	if l.typed == "" {
		return l.theme.Cut(l.theme.Accent(sign)+l.theme.Dim("type to search"), width), 2
	}
	typed := l.typed
	for look.Cells(typed) > width-3 {
		typed = withoutFirst(typed)
	}
	return l.theme.Accent(sign) + typed, 2 + look.Cells(typed)
}

// body is the part of the list that is in view, in a number of rows.
func (l *List) body(width, room int) []string {
	rows := l.Bare(width, room)
	if len(l.hits) == 0 {
		rows = []string{l.theme.Cut(l.theme.Dim(l.nothing()), width)}
	}
	for len(rows) < room {
		rows = append(rows, "")
	}
	return rows
}

func (l *List) nothing() string {
	if len(l.items) == 0 {
		return l.empty
	}
	return "Nothing here matches " + l.typed + "."
}

// hint names the keys.
func (l *List) hint(width int) string {
	hints := []look.Hint{{Key: "Enter", Does: "choose"}}
	for _, a := range l.actions {
		hints = append(hints, look.Hint{Key: keyName(a.key), Does: a.word})
	}
	return l.theme.Hints(append(hints, look.Hint{Key: "Esc", Does: "close"}), width)
}
