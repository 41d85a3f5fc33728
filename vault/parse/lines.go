package parse

import (
	"bytes"
	"net/url"
	"strings"
)

// readLines takes headings and fenced code from a text whose structure is not worth a tree.
func (n *Note) readLines(text []byte, at int) {
	fence, opened := "", 0
	for line := range bytes.Lines(text[at:]) {
		trimmed := string(bytes.TrimSpace(line[:min(len(line), 1000)]))
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				n.Code = append(n.Code, Span{opened, at})
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			fence, opened = trimmed[:3], at+len(line)
		case strings.HasPrefix(trimmed, "#"):
			n.addLine(trimmed, at, at+len(line))
		}
		at += len(line)
	}
	if fence != "" {
		n.Code = append(n.Code, Span{opened, at})
	}
}

func (n *Note) addLine(line string, start, body int) {
	rest := strings.TrimLeft(line, "#")
	level := len(line) - len(rest)
	if level > 6 || !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "\t") {
		return
	}
	if len(n.Headings) > maxHeadings {
		return // finish says so
	}
	if name := headingText(strings.TrimRight(rest, "# ")); name != "" {
		n.Headings = append(n.Headings, Heading{Level: level, Text: name, Start: start, Body: body})
	}
}

// TooMuch begins the problem of a note that is not searched as others are.
const TooMuch = "too much for one note: "

// maxHeadings bounds how many sections a note has.
const maxHeadings = 20_000

// headingText is a name on one line that is short enough to cite.
func headingText(s string) string {
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "\uFFFD")
	runes := []rune(s)
	if len(runes) > 200 {
		s = string(runes[:200])
	}
	return s
}

func unescapePath(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// maxLinks bounds what is kept of one note.
const maxLinks = 10_000

func (n *Note) addLink(l Link) {
	if len(n.Links) < maxLinks && (l.Target != "" || l.Section != "") {
		n.Links = append(n.Links, l)
	}
}
