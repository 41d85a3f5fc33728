package lenient

import "strings"

// A region is a part of the text that looks like one object.
type region struct {
	start, end int
	open       bool // the text ends before its last brace
	// With the code fence around it, if there is one.
	fenceStart, fenceEnd int
	fenced               bool
}

// regions returns the outermost objects of text from a byte on, in order. Quotes count only inside
// of something that begins like an object, so an apostrophe in prose hides nothing, and braces that
// do not begin like an object (`{curly}`, a function's body) only hold what is in them. Of very many
// it returns the first or the last.
func (s *search) regions(from int, last bool) ([]region, error) {
	var found []region
	var opened braces
	objects, quoted := 0, false // objects: how many of the open braces begin like an object
	for i := from; i < len(s.text); i++ {
		s.steps++
		switch c := s.text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"' && objects > 0:
			quoted = !quoted
		case quoted:
		case c == '{':
			b := brace{at: i, object: s.beginsObject(i + 1), more: 1}
			if b.object {
				objects++
			}
			if opened = opened.push(b); objects > maxDepth {
				return nil, errDepth
			}
		case c == '}' && len(opened) > 0:
			b := opened[len(opened)-1]
			opened = opened.pop()
			if b.object {
				objects--
			}
			if b.object && objects == 0 { // else it is a part of another
				if len(found) == maxRegions && !last {
					s.fences(found)
					return found, nil
				}
				found = append(lastOf(found), region{start: b.at, end: i + 1})
			}
		}
	}
	for _, b := range opened {
		if b.object {
			found = append(found, region{start: b.at, end: len(s.text), open: true})
			break
		}
	}
	s.fences(found)
	return found, nil
}

// A brace is open: one that begins like an object, or several in a row that do not.
type brace struct {
	at     int
	object bool
	more   int // how many
}

type braces []brace

func (all braces) push(b brace) braces {
	if n := len(all) - 1; n >= 0 && !b.object && !all[n].object {
		all[n].more++
		return all
	}
	return append(all, b)
}

func (all braces) pop() braces {
	n := len(all) - 1
	if all[n].more--; all[n].more == 0 {
		return all[:n]
	}
	return all
}

// maxRegions is how many objects of one text are tried.
const maxRegions = 1000

// lastOf makes room for one more.
func lastOf(found []region) []region {
	if len(found) < 2*maxRegions {
		return found
	}
	return found[:copy(found, found[maxRegions:])]
}

// maxLookahead bounds how far a decision looks ahead, so that many decisions stay linear.
const maxLookahead = 128

// beginsObject reports whether what follows a brace can be the first key of an object.
func (s *search) beginsObject(i int) bool {
	rest := s.text[i:min(len(s.text), i+maxLookahead)]
	trimmed := strings.TrimLeft(rest, space)
	s.steps += len(rest) - len(trimmed) + wordLen(trimmed)
	switch {
	case trimmed == "":
		return true
	case strings.ContainsRune(`"'},/\`, rune(trimmed[0])):
		return true
	case strings.HasPrefix(trimmed, "“") || strings.HasPrefix(trimmed, "‘") || strings.HasPrefix(trimmed, "..."):
		return true
	}
	return keyAhead(trimmed)
}

// keyAhead reports whether text begins with a bare word and a colon.
func keyAhead(text string) bool {
	n := wordLen(text)
	return n > 0 && strings.HasPrefix(strings.TrimLeft(text[n:], space), ":")
}

// wordLen returns the length of the bare word that text begins with.
func wordLen(text string) int {
	n := 0
	for n < len(text) && wordByte(text[n]) {
		n++
	}
	return n
}

func wordByte(c byte) bool {
	return c == '_' || c == '-' || c == '$' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}

// fences notes which regions are all that a code fence holds.
func (s *search) fences(found []region) {
	free := 0 // where the last fence ended: its marks are not the next one's
	for i := range found {
		r := &found[i]
		start, ok := s.fenceBefore(r.start)
		if !ok || start < free {
			continue
		}
		if end, ok := s.fenceAfter(r.end, r.open); ok {
			r.fenced, r.fenceStart, r.fenceEnd = true, start, end
			free = end
		}
	}
}

const fence = "```"

// fenceBefore returns where the fence starts that opens right before a byte.
func (s *search) fenceBefore(at int) (int, bool) {
	before := strings.TrimRight(s.text[:at], space)
	s.steps += at - len(before)
	word := len(before)
	for word > 0 && len(before)-word < 8 && wordByte(before[word-1]) {
		word--
	}
	switch strings.ToLower(before[word:]) {
	case "", "json", "jsonc", "json5":
	default:
		return 0, false
	}
	marks := strings.TrimRight(before[:word], "`")
	s.steps += word - len(marks)
	return len(marks), word-len(marks) >= len(fence)
}

// fenceAfter returns where the fence ends that closes right after a byte. An object that was cut
// off has no closing fence.
func (s *search) fenceAfter(at int, open bool) (int, bool) {
	if open {
		return at, true
	}
	after := strings.TrimLeft(s.text[at:], space)
	s.steps += len(s.text) - at - len(after)
	rest := strings.TrimLeft(after, "`")
	s.steps += len(after) - len(rest)
	return len(s.text) - len(rest), len(after)-len(rest) >= len(fence)
}
