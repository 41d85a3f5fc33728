package basics

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

const (
	maxPlaces  = 20
	maxCounted = 1_000
	around     = 80 // bytes of context on each side of a place
)

// A Place is where a find found its text.
type Place struct {
	Offset int    `json:"offset"`
	Line   string `json:"line"` // the line it is in, or the part of it around the place
}

// find lists places from the offset on.
func (p *Page) find(text string, args resultArgs) string {
	start := back(text, args.Offset)
	p.Offset = start
	pattern := regexp.MustCompile("(?i)" + regexp.QuoteMeta(strings.ToValidUTF8(args.Find, "\uFFFD")))
	found := pattern.FindAllStringIndex(text[start:], maxCounted+1)
	if len(found) == 0 {
		return fmt.Sprintf("[%q is not in bytes %d to %d]", args.Find, start, len(text))
	}
	shown := found[:min(len(found), maxPlaces)]
	var lines []string
	for _, at := range shown {
		place := Place{Offset: start + at[0], Line: lineAround(text, start+at[0], start+at[1])}
		p.Places = append(p.Places, place)
		lines = append(lines, fmt.Sprintf("offset %d: %s", place.Offset, place.Line))
	}
	if len(found) > len(shown) {
		next := start + shown[len(shown)-1][1]
		p.Next = &next
		lines = append(lines, fmt.Sprintf("[%d of %s places; go on with offset %d]", len(shown), count(len(found)), next))
	} else {
		lines = append(lines, fmt.Sprintf("[%d of %d places; read on at one with offset]", len(shown), len(found)))
	}
	return strings.Join(lines, "\n")
}

func count(n int) string {
	if n > maxCounted {
		return fmt.Sprintf("more than %d", maxCounted)
	}
	return fmt.Sprint(n)
}

// lineAround returns the line of a place, cut to whole characters where it is long. What was looked
// for may hold a line end: it is shown as a space.
func lineAround(text string, from, to int) string {
	start := max(strings.LastIndexByte(text[:from], '\n')+1, from-around)
	end := min(to+around, len(text))
	if i := strings.IndexByte(text[to:end], '\n'); i >= 0 {
		end = to + i
	}
	line := strings.Map(oneLine, text[back(text, start):back(text, end)])
	return strings.TrimSpace(line)
}

func oneLine(c rune) rune {
	if unicode.IsControl(c) {
		return ' '
	}
	return c
}
