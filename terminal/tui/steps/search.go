package steps

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"rein/terminal/tui/look"
)

// A search is what somebody looks for in a step.
type search struct {
	typing bool
	before string // what was looked for before somebody began to type
	query  string
	found  []int // the rows that have it
	at     int   // which of them is the one on the screen
}

// among looks for the words in all rows. Where they are broken over two rows, the first of the line counts.
func (s *search) among(d *Detail) {
	s.found = s.found[:0]
	if s.query == "" {
		return
	}
	query := lower(s.query)
	for i := 0; i < len(d.rows); {
		next, here, any := i, d.rows[i].line, false
		for ; next < len(d.rows) && d.rows[next].line == here; next++ {
			if index(lower(d.rows[next].text), query) >= 0 {
				s.found, any = append(s.found, next), true
			}
		}
		if !any && next > i+1 && index(lower(d.what.lines[here].text), query) >= 0 {
			s.found = append(s.found, i)
		}
		i = next
	}
	s.at = min(s.at, max(0, len(s.found)-1))
}

// lower makes upper and lower case the same, character by character, so that places stay the same.
func lower(s string) []rune {
	runes := []rune(s)
	for i, r := range runes {
		runes[i] = unicode.ToLower(r)
	}
	return runes
}

// index is where a text begins in another one, or -1.
func index(in, text []rune) int {
	for i := 0; i+len(text) <= len(in); i++ {
		if slices.Equal(in[i:i+len(text)], text) {
			return i
		}
	}
	return -1
}

// marked shows where in a row the words are.
func (s *search) marked(t look.Theme, i int, text string) string {
	if _, has := slices.BinarySearch(s.found, i); !has {
		return text
	}
	runes, query, out := []rune(text), lower(s.query), ""
	for {
		at := index(lower(string(runes)), query)
		if at < 0 {
			return out + string(runes)
		}
		out += string(runes[:at]) + t.Chosen(string(runes[at:at+len(query)]))
		runes = runes[at+len(query):]
	}
}

// words say how far the search is.
func (s *search) words() string {
	switch {
	case s.query == "":
		return ""
	case len(s.found) == 0:
		return "not found: " + look.SafeLine(s.query)
	}
	return strconv.Itoa(s.at+1) + " of " + strconv.Itoa(len(s.found)) + ": " + look.SafeLine(s.query)
}

// typed takes a key while somebody types what to look for. Over says that it is complete.
func (s *search) typed(key, text string) (over bool) {
	switch key {
	case "enter":
		s.typing = false
		return true
	case "esc":
		s.typing, s.query = false, s.before
		return true
	case "backspace":
		if runes := []rune(s.query); len(runes) > 0 {
			s.query = string(runes[:len(runes)-1])
		}
	case "ctrl+u":
		s.query = ""
	default:
		s.query += strings.ToValidUTF8(text, "")
	}
	return false
}
