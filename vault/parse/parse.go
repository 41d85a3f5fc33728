package parse

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"rein/vault/words"
)

// Beyond these a note is read line by line: its structure is no one's writing, and a parser of nested
// blocks would take time that grows with the square of it.
const (
	maxTree  = 2 << 20 // bytes
	maxLines = 50_000  // a tree takes about a hundred times the bytes of a short line
	maxDepth = 48      // blocks that one line opens
	maxRun   = 2000    // brackets, stars and the like in one paragraph
)

// Parse reads a note.
func Parse(text []byte) Note {
	var n Note
	body := n.readFront(text)
	switch why := unfitForTree(text[body:]); why {
	case "":
		n.readTree(text, body)
	default:
		n.Problems = append(n.Problems, why)
		n.readLines(text, body)
	}
	n.Code = inOrder(n.Code)
	n.scanInline(text, body)
	n.Boiler = inOrder(n.Boiler)
	n.finish(text, body)
	return n
}

// finish fills in what follows from the rest.
func (n *Note) finish(text []byte, body int) {
	if len(n.Headings) > maxHeadings {
		n.Headings = n.Headings[:maxHeadings:maxHeadings]
		n.Problems = append(n.Problems, fmt.Sprintf("%smore than %d headings; what comes after them counts as one section", TooMuch, maxHeadings))
	}
	nameSections(n.Headings, len(text))
	if n.Title == "" {
		if i := slices.IndexFunc(n.Headings, func(h Heading) bool { return h.Level == 1 }); i >= 0 {
			n.Title = n.Headings[i].Text
		}
	}
	n.Lang = words.Guess(prose(text, body, n.Code))
}

// prose returns the beginning of the text without code, which is English to a counter of words.
func prose(text []byte, from int, code []Span) string {
	const enough = 16 << 10
	var b strings.Builder
	for _, c := range code {
		if c.Start > from && b.Len() < enough {
			b.Write(text[from:min(c.Start, from+enough)])
			b.WriteByte(' ')
		}
		from = max(from, c.End)
	}
	if from < len(text) && b.Len() < enough {
		b.Write(text[from:min(len(text), from+enough)])
	}
	return b.String()
}

// inOrder sorts spans and joins those that touch.
func inOrder(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	out := spans[:0]
	for _, s := range spans {
		if s.End <= s.Start {
			continue
		}
		if len(out) > 0 && s.Start <= out[len(out)-1].End {
			out[len(out)-1].End = max(out[len(out)-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

// unfitForTree says why a text is not given to the tree parser, or "".
func unfitForTree(text []byte) string {
	if len(text) > maxTree {
		return "larger than 2 MB: read line by line"
	}
	if bytes.Count(text, []byte("\n")) > maxLines {
		return fmt.Sprintf("more than %d lines: read line by line", maxLines)
	}
	marks := 0
	for line := range bytes.Lines(text) {
		if blockDepth(line) > maxDepth {
			return "blocks nested too deep: read line by line"
		}
		if len(bytes.TrimSpace(line)) == 0 {
			marks = 0
			continue
		}
		for _, c := range line {
			if strings.IndexByte("[]!*_`<>~&\\", c) >= 0 {
				marks++
			}
		}
		if marks > maxRun {
			return "a paragraph with thousands of marks: read line by line"
		}
	}
	return ""
}

// blockDepth counts what could open a quote or a list at the beginning of a line; a step of
// indentation counts too, since the lines above may have opened a list.
func blockDepth(line []byte) int {
	depth, blanks := 0, 0
	for _, c := range line {
		switch {
		case c == ' ':
			blanks++
		case c == '\t':
			blanks += 4
		case strings.IndexByte(">-+*.)", c) >= 0:
			depth++
		case c < '0' || c > '9':
			return depth + blanks/4
		}
	}
	if isRule(line) {
		return 0
	}
	return depth + blanks/4
}

// isRule reports a line of nothing but one mark, such as dashes between two parts or under a heading.
func isRule(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && line[0] != '>' && len(bytes.Trim(line, string(line[:1]))) == 0
}
