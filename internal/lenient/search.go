package lenient

import (
	"slices"
	"strings"
)

// A search looks for JSON in one text.
type search struct {
	text  string
	steps int // bytes looked at: the measure of the work done
}

func newSearch(text string) *search { return &search{text: text} }

// maxRestarts is how often a search that went astray (a quote in prose, say) begins again after the
// brace that misled it.
const maxRestarts = 8

// maxMends is how many parts of one text are mended before it counts as hopeless.
const maxMends = 16

const bom = "\uFEFF"

// whole returns the bounds of the text without white space and byte order mark.
func (s *search) whole() (start, end int) {
	body := strings.TrimPrefix(strings.TrimLeft(s.text, space), bom)
	body = strings.TrimLeft(body, space)
	start = len(s.text) - len(body)
	return start, start + len(strings.TrimRight(body, space))
}

// asWritten reads the whole text, or all that a fence around the whole text holds.
func (s *search) asWritten() (reading, Found, error) {
	start, end := s.whole()
	read, err := s.read(start, end)
	if err == nil {
		return read, Found{JSON: read.json, Start: start, End: end, Repaired: !read.exact}, nil
	}
	if from, to, ok := s.insideFence(start, end); ok {
		if inner, innerErr := s.read(from, to); innerErr == nil {
			return inner, Found{JSON: inner.json, Start: start, End: end, Repaired: !inner.exact}, nil
		}
	}
	return reading{}, Found{}, err
}

func (s *search) read(start, end int) (reading, error) {
	s.steps += end - start
	read, err := strict(s.text[start:end])
	if e, ok := err.(*Error); ok && e.Offset >= 0 {
		return read, &Error{Msg: e.Msg, Offset: e.Offset + start}
	}
	return read, err
}

// insideFence returns the bounds of what a fence holds that is all of the text between two bytes.
func (s *search) insideFence(start, end int) (from, to int, ok bool) {
	text := s.text[start:end]
	body := strings.TrimLeft(text, "`")
	marks := len(text) - len(body)
	inner := strings.TrimRight(body, "`")
	if marks < len(fence) || len(body)-len(inner) < len(fence) {
		return 0, 0, false
	}
	n := 0
	for n < len(inner) && n < 8 && wordByte(inner[n]) {
		n++
	}
	if tag := strings.ToLower(inner[:n]); tag == "json" || tag == "jsonc" || tag == "json5" {
		marks += n
	}
	return start + marks, start + len(text) - (len(body) - len(inner)), true
}

var errNoObject = &Error{Msg: "there is no JSON object in the text", Offset: -1}

func (s *search) first(key string) (Found, error) {
	return s.search(false, func(r reading) bool {
		object, ok := r.value.(map[string]any)
		if !ok || key == "" {
			return ok
		}
		_, has := object[key]
		return has
	})
}

func (s *search) last() (Found, error) {
	return s.search(true, func(r reading) bool { _, ok := r.value.(map[string]any); return ok })
}

// search finds an object that is good. A text that is a value of another kind as a whole has none.
func (s *search) search(last bool, good func(reading) bool) (Found, error) {
	read, found, err := s.asWritten()
	switch {
	case err == errDepth:
		return Found{}, err
	case err == nil && good(read):
		return found, nil
	case err == nil:
		return Found{}, errNoObject
	}
	if start, end := s.whole(); s.array(start, end) {
		return Found{}, errNoObject
	}
	return s.object(good, last)
}

// array reports whether the text, or what a fence around it holds, is an array in brackets, strict
// or not.
func (s *search) array(start, end int) bool {
	if from, to, ok := s.insideFence(start, end); ok {
		inner := strings.TrimSpace(s.text[from:to])
		start = from + strings.Index(s.text[from:to], inner)
		end = start + len(inner)
	}
	if start == end || s.text[start] != '[' {
		return false
	}
	level, quoted := 0, false
	for i := start; i < end; i++ {
		s.steps++
		switch c := s.text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			level++
		case c == ']':
			if level--; level == 0 {
				return i == end-1
			}
		}
	}
	return strings.ContainsRune(`[{"`, rune(s.text[min(start+1, end-1)]))
}

// object finds the first or last object that is good: strict ones before mended ones, and fenced
// ones before others if it is the first that counts.
func (s *search) object(good func(reading) bool, last bool) (Found, error) {
	from, mends := 0, 0
	for range maxRestarts {
		regions, err := s.regions(from, last)
		if err != nil {
			return Found{}, err
		}
		ordered := order(regions, last)
		if found, ok := s.strictAmong(ordered, good); ok {
			return found, nil
		}
		for _, r := range ordered {
			if mends++; mends > maxMends {
				return Found{}, errNoObject
			}
			if found, ok := s.mendRegion(r, good); ok {
				return found, nil
			}
		}
		if len(regions) == 0 || !regions[len(regions)-1].open {
			break
		}
		from = regions[len(regions)-1].start + 1
	}
	return Found{}, errNoObject
}

// strictObject returns a search for the first good object that needs no mending.
func (s *search) strictObject(good func(reading) bool) func() (Found, error) {
	return func() (Found, error) {
		regions, err := s.regions(0, false)
		if err != nil {
			return Found{}, err
		}
		if found, ok := s.strictAmong(order(regions, false), good); ok {
			return found, nil
		}
		return Found{}, errNoObject
	}
}

// order returns the regions in the order in which they are tried.
func order(regions []region, last bool) []region {
	ordered := slices.Clone(regions)
	if last {
		slices.Reverse(ordered)
		return ordered
	}
	slices.SortStableFunc(ordered, func(a, b region) int {
		switch {
		case a.fenced == b.fenced:
			return 0
		case a.fenced:
			return -1
		}
		return 1
	})
	return ordered
}

func (s *search) strictAmong(regions []region, good func(reading) bool) (Found, bool) {
	for _, r := range regions {
		if r.open {
			continue
		}
		if read, err := s.read(r.start, r.end); err == nil && good(read) {
			return r.found(read), true
		}
	}
	return Found{}, false
}

func (r region) found(read reading) Found {
	f := Found{JSON: read.json, Start: r.start, End: r.end, Repaired: !read.exact}
	if r.fenced {
		f.Start, f.End = r.fenceStart, r.fenceEnd
	}
	return f
}
