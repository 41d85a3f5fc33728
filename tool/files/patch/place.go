package patch

import (
	"fmt"
	"strings"

	"rein"
)

// maxWork bounds how many lines are compared for one file: what repeats itself a million times is refused.
const maxWork = 50_000_000

// writing is one file while its hunks are put in.
type writing struct {
	file  File
	lines []string
	open  bool // the last line has no line feed
	work  int

	end     int  // where the last hunk that was placed ends, in lines
	moved   bool // a hunk was not where it said: the numbers of those after it say nothing
	grown   int  // by how many lines the hunks so far have made the file longer
	hasOpen bool // what is written ends without a line feed
}

// apply places one hunk after the other and writes the lines between them.
func (w *writing) apply() (string, error) {
	var out strings.Builder
	from := 0
	copyTo := func(to int) {
		for ; from < to; from++ {
			w.put(&out, w.lines[from], w.open && from == len(w.lines)-1)
		}
	}
	for i, h := range w.file.Hunks {
		at, err := w.place(i, h)
		if err != nil {
			return "", err
		}
		copyTo(at)
		for _, l := range h.lines {
			open := l.open
			if l.op == ' ' { // as it is in the file
				open = w.open && from == len(w.lines)-1
			}
			from += l.old()
			if l.op == '-' {
				continue
			}
			if w.hasOpen {
				return "", w.refuse(i, h, "it adds lines after the last, which has no newline; write that line again with - and +")
			}
			w.put(&out, l.text, open)
		}
		w.end = from
		w.grown += h.growth()
	}
	if w.hasOpen && from < len(w.lines) {
		return "", w.refuse(len(w.file.Hunks)-1, w.file.Hunks[len(w.file.Hunks)-1], "it ends a line without a newline in the middle of the file")
	}
	copyTo(len(w.lines))
	return out.String(), nil
}

func (w *writing) put(out *strings.Builder, text string, open bool) {
	out.WriteString(text)
	if !open {
		out.WriteByte('\n')
	}
	w.hasOpen = open
}

func (h Hunk) growth() (n int) {
	for _, l := range h.lines {
		n += l.new() - l.old()
	}
	return n
}

// context counts the lines before the first change and after the last.
func (h Hunk) context() (lead, trail int) {
	for lead < len(h.lines) && h.lines[lead].op == ' ' {
		lead++
	}
	for trail < len(h.lines)-lead && h.lines[len(h.lines)-1-trail].op == ' ' {
		trail++
	}
	return lead, trail
}

// before are the lines that must be in the file.
func (h Hunk) before() (lines []line) {
	for _, l := range h.lines {
		if l.op != '+' {
			lines = append(lines, l)
		}
	}
	return lines
}

// place returns the line at which a hunk goes.
func (w *writing) place(i int, h Hunk) (int, error) {
	want := h.before()
	if !h.placed {
		return w.placeByContext(i, h, want)
	}
	if len(want) == 0 {
		if len(w.lines) > 0 || i > 0 {
			return 0, w.refuse(i, h, "it has no line of context, so nothing shows that its place is right; give it some")
		}
		return 0, nil
	}
	if h.old < w.end {
		return 0, w.refuse(i, h, "it begins at line %d, before the end of the hunk before it: sort the hunks, and do not repeat one", h.old+1)
	}
	exact := !w.moved && h.new == h.old+w.grown
	atEnd := h.lines[len(h.lines)-1].op != ' ' // a diff has lines of context after a change unless the file ends there
	if exact && w.fits(want, h.old) {
		if atEnd && h.old+len(want) < len(w.lines) {
			return 0, w.refuse(i, h, "no line of context follows its changes, as if the file ended there, but the file goes on; give it some")
		}
		return h.old, nil
	}
	if lead, trail := h.context(); h.old == 0 && lead < trail { // likewise before one, unless the file begins there
		return 0, w.mismatch(i, h, want, 0)
	}
	return w.only(i, h, want, w.matches(want, w.end, atEnd), exact)
}

// only returns the one place there is.
func (w *writing) only(i int, h Hunk, want []line, found []int, exact bool) (int, error) {
	switch {
	case w.work <= 0:
		return 0, rein.Errorf(rein.CodeLimit, "%q repeats itself too much to find the place of hunk %d; split the patch", w.file.Path, i+1)
	case len(found) == 1:
		w.moved = true
		return found[0], nil
	case len(found) > 1:
		return 0, w.refuse(i, h, "its lines are at %d places (lines %s) and not where it says: give it more lines of context", len(found), listed(found))
	}
	at := w.closest(want)
	if exact {
		at = h.old
	}
	return 0, w.mismatch(i, h, want, at)
}

// fits reports whether the lines are in the file at this place.
func (w *writing) fits(want []line, at int) bool {
	if at < 0 || at+len(want) > len(w.lines) {
		return false
	}
	return w.common(want, at) == len(want)
}

// common is how many of the lines fit from this place on.
func (w *writing) common(want []line, at int) int {
	for i, l := range want {
		w.work--
		if !w.same(l, at+i) {
			return i
		}
	}
	return len(want)
}

// same compares a line, and whether it has a line feed.
func (w *writing) same(l line, at int) bool {
	if at >= len(w.lines) || w.lines[at] != l.text {
		return false
	}
	open := w.open && at == len(w.lines)-1
	return open == l.open
}

// matches returns the places where the lines are, from a line on; if atEnd is set, only where the file ends.
func (w *writing) matches(want []line, from int, atEnd bool) (found []int) {
	if atEnd {
		from = max(from, len(w.lines)-len(want))
	}
	for at := from; at+len(want) <= len(w.lines) && w.work > 0; at++ {
		if w.fits(want, at) {
			found = append(found, at)
		}
	}
	return found
}

// closest is the place where most of the lines fit, for an error.
func (w *writing) closest(want []line) (at int) {
	most := -1
	for i := w.end; i < len(w.lines) && w.work > 0; i++ {
		if n := w.common(want, i); n > most {
			at, most = i, n
		}
	}
	return max(at, w.end)
}

// mismatch says which line is another.
func (w *writing) mismatch(i int, h Hunk, want []line, at int) error {
	n := 0
	for n < len(want)-1 && w.same(want[n], at+n) {
		n++
	}
	expected := quoted(want[n].text, want[n].open)
	found := "nothing: the file has " + fmt.Sprint(len(w.lines)) + " lines"
	if at+n < len(w.lines) {
		found = quoted(w.lines[at+n], w.open && at+n == len(w.lines)-1)
	}
	return w.refuse(i, h, "line %d of the file is expected to be %s and is %s", at+n+1, expected, found)
}

func quoted(text string, open bool) string {
	s := fmt.Sprintf("%.200q", text)
	if open {
		s += " without a newline"
	}
	return s
}

func listed(places []int) string {
	var b strings.Builder
	for i, at := range places[:min(len(places), 10)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, at+1)
	}
	if len(places) > 10 {
		b.WriteString(", …")
	}
	return b.String()
}

func (w *writing) refuse(i int, h Hunk, format string, args ...any) error {
	return rein.Errorf(rein.CodeConflict, "%q, hunk %d (line %d of the patch, %.100q) does not fit: %s", w.file.Path, i+1, h.line, h.header, fmt.Sprintf(format, args...))
}
