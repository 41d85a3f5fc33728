package patch

import "strings"

// placeByContext places a hunk of V4A, which has no line numbers: its lines must be at one place only, after the hunk
// before. Lines after @@ narrow that down to what they begin.
func (w *writing) placeByContext(i int, h Hunk, want []line) (int, error) {
	if len(want) == 0 && !h.atEnd && len(w.lines) > 0 {
		return 0, w.refuse(i, h, "it has no line of context, so nothing says where it goes; give it some, or end it with %q", endOfFile)
	}
	if len(want) == 0 {
		return len(w.lines), nil
	}
	spans := []span{{w.end, len(w.lines)}}
	for _, scope := range h.scopes {
		if spans = w.narrow(spans, scope); len(spans) == 0 {
			return 0, w.refuse(i, h, "no line of the file, after the hunk before, begins with %.200q", scope)
		}
	}
	found := w.within(want, spans, h.atEnd)
	if len(found) == 0 { // what looks the same may be a part of nothing, as in a text with headings
		found = w.matches(want, spans[0].from, h.atEnd)
	}
	return w.only(i, h, want, found, false)
}

// A span is a part of the file.
type span struct{ from, to int }

// narrow returns what begins with a line in the spans: the lines below it that are indented more.
func (w *writing) narrow(spans []span, scope string) (inner []span) {
	seen := map[int]bool{}
	for _, s := range spans {
		for at := s.from; at < s.to && w.work > 0; at++ {
			w.work--
			if !seen[at] && strings.HasPrefix(strings.TrimSpace(w.lines[at]), scope) {
				seen[at] = true
				inner = append(inner, span{at, w.block(at, s.to)})
			}
		}
	}
	return inner
}

// block returns where the lines end that belong to the one that heads them.
func (w *writing) block(head, most int) int {
	for at := head + 1; at < most; at++ {
		w.work--
		text := strings.TrimSpace(w.lines[at])
		if text != "" && strings.Trim(text, ")]};,") != "" && indent(w.lines[at]) <= indent(w.lines[head]) {
			return at
		}
	}
	return most
}

func indent(l string) int { return len(l) - len(strings.TrimLeft(l, " \t")) }

// within returns the places in the spans where the lines begin, each once.
func (w *writing) within(want []line, spans []span, atEnd bool) (found []int) {
	seen := map[int]bool{}
	for _, s := range spans {
		for _, at := range w.matches(want, s.from, atEnd) {
			if at < s.to && !seen[at] {
				seen[at] = true
				found = append(found, at)
			}
		}
	}
	return found
}
