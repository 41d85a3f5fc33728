package look

import (
	"regexp"
	"strconv"
	"strings"
)

// Diff draws a text that holds unified diffs, as rein shows them before a file changes: what is added is green with a
// plus, what is removed red with a minus, the rest dim. Nothing is left out, and what stands between diffs stays text.
func (t Theme) Diff(text string, width int) []string {
	d := differ{t: t, width: width, lines: strings.Split(strings.TrimRight(Safe(text), "\n"), "\n")}
	for len(d.lines) > 0 {
		if d.isFile() {
			d.file()
			continue
		}
		d.rows = append(d.rows, Break(d.next(), width)...)
	}
	return d.rows
}

type differ struct {
	t     Theme
	width int
	lines []string // that are left
	rows  []string
}

func (d *differ) next() string {
	line := d.lines[0]
	d.lines = d.lines[1:]
	return line
}

func (d *differ) isFile() bool {
	return strings.HasPrefix(d.lines[0], "--- ") && len(d.lines) > 1 && strings.HasPrefix(d.lines[1], "+++ ")
}

// file draws the names of a file and its hunks.
func (d *differ) file() {
	from, to := d.next(), d.next()
	if name := from[4:]; to[4:] == name {
		d.styled(name, d.t.Strong)
	} else {
		d.styled(from, d.t.Strong)
		d.styled(to, d.t.Strong)
	}
	for d.hunk() {
	}
}

var hunkHead = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)

// hunk draws as many lines as the head announces: what a line looks like proves nothing.
func (d *differ) hunk() bool {
	if len(d.lines) == 0 {
		return false
	}
	head := hunkHead.FindStringSubmatch(d.lines[0])
	if head == nil {
		return false
	}
	d.styled(d.next(), d.t.Fact)
	removed, added := count(head[1]), count(head[2])
	for len(d.lines) > 0 && (removed > 0 || added > 0 || strings.HasPrefix(d.lines[0], `\`)) {
		switch sign := (d.lines[0] + " ")[0]; sign {
		case '+':
			added--
			d.line(sign, d.t.Good)
		case '-':
			removed--
			d.line(sign, d.t.Bad)
		case ' ':
			removed, added = removed-1, added-1
			d.line(sign, d.t.Dim)
		case '\\':
			d.styled(d.next(), d.t.Dim)
		default:
			return true
		}
	}
	return true
}

// count is the number of lines in the head of a hunk, which is left out if it is one.
func count(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1
	}
	return n
}

// line draws a line with its sign apart. The rows that a long one is folded into have a sign of their own, which no line
// of a file can have.
func (d *differ) line(sign byte, paint func(string) string) {
	lead := string(sign) + " "
	text := d.next()
	for _, row := range Break(text[min(1, len(text)):], d.width-2) {
		d.rows = append(d.rows, paint(lead+row))
		lead = d.t.Signs.Fold + " "
	}
}

func (d *differ) styled(line string, paint func(string) string) {
	for _, row := range Break(line, d.width) {
		d.rows = append(d.rows, paint(row))
	}
}
