package pick

import (
	"cmp"
	"slices"
)

// besideTitle is what a word loses that is found only in what stands after the title.
const besideTitle = 20

// Search looks for something else, as if it had been typed.
func (l *List) Search(typed string) {
	if typed != l.typed {
		l.typed = typed
		l.search()
	}
}

// Typed returns what is looked for.
func (l *List) Typed() string { return l.typed }

// search finds what is typed, and chooses the best.
func (l *List) search() {
	q := read(l.typed)
	l.hits, l.chosen, l.top = l.hits[:0], 0, 0
	for i := range l.shown {
		if score, ok := l.desk.rank(q, &l.shown[i]); ok {
			l.hits = append(l.hits, hit{int32(i), score})
		}
	}
	if len(q) > 0 {
		slices.SortFunc(l.hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.n, b.n)) })
	} else if now := slices.IndexFunc(l.items, func(i Item) bool { return i.Now }); now >= 0 {
		l.chosen = now
	}
	l.arrange(len(q) == 0)
}

// rank reports whether all words are in what is shown of an item, and how good that is.
func (d *desk) rank(q query, s *shown) (score int32, ok bool) {
	if len(q) == 0 {
		return 0, true
	}
	d.missing = d.missing[:0]
	d.lay(s.title)
	for _, w := range q {
		if points, ok := d.find(w); ok {
			score += int32(points)
		} else {
			d.missing = append(d.missing, w)
		}
	}
	if len(d.missing) == 0 || s.about == "" {
		return score, len(d.missing) == 0
	}
	d.lay(s.about)
	for _, w := range d.missing {
		points, ok := d.find(w)
		if !ok {
			return 0, false
		}
		score += int32(points) - besideTitle
	}
	return score, true
}

// arrange makes lines of the hits. What was searched is in the order of how good it is, where groups say nothing.
func (l *List) arrange(grouped bool) {
	l.lines = l.lines[:0]
	group := ""
	for i, h := range l.hits {
		if own := l.shown[h.n].group; grouped && own != group {
			group = own
			if own != "" {
				l.lines = append(l.lines, line{int32(i), true})
			}
		}
		l.lines = append(l.lines, line{int32(i), false})
	}
}

// found returns the bytes of a text at which what was typed is found, as far as it is.
func (d *desk) found(q query, text string) (at []int) {
	d.lay(text)
	for _, w := range q {
		if _, ok := d.find(w); ok {
			at = d.marks(at, len(w.letters))
		}
	}
	return sorted(at)
}
