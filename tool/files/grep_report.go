package files

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of one call of grep.
const (
	maxSearched = 1 << 30   // bytes of files
	maxReported = 256 << 10 // bytes of text
	maxShown    = 400       // bytes of a line
)

// Found is one element of the Data of grep: a line, or a file.
type Found struct {
	Path    string `json:"path"` // from the root, with slashes
	Line    int    `json:"line,omitempty"`
	Text    string `json:"text,omitempty"`    // of the line, clipped
	Context bool   `json:"context,omitempty"` // the line is beside a match
	Count   int    `json:"count,omitempty"`   // matching lines, if they were to be counted
}

// A grep is one call of the tool.
type grep struct {
	hunt   hunt
	args   grepArgs
	needle needle
	named  bool // the path is a file
	out    report

	path   string // of the file under way
	count  int    // of its lines that matched
	bytes  int64
	binary int
	large  int // files left out because enough was read
}

// A report is what was found so far.
type report struct {
	data    []Found
	lines   []string
	bytes   int
	results int
	last    Found // the last line
	full    bool  // more was found than is returned
}

// begin starts with a file.
func (g *grep) begin(s *lineSearch, path string) {
	g.path, g.count, g.out.last = path, 0, Found{}
	switch g.args.Output {
	case "count":
		s.around = 0
		s.hit = func(int, []byte, []int, [][]byte) bool { g.count++; return true }
	case "files":
		s.around = 0
		s.hit = func(int, []byte, []int, [][]byte) bool { g.count++; return false }
	default:
		s.hit, s.beside = g.match, func(number int, line []byte) { g.line(number, line, nil) }
	}
}

// done ends with a file.
func (g *grep) done(ctx context.Context, err error) error {
	switch {
	case g.out.full:
		return errEnough
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, errBinary) && g.named:
		return errBinary
	case errors.Is(err, errBinary):
		g.binary++
	case err != nil:
		g.hunt.left.unread++
	}
	if g.count == 0 || g.args.Output == "lines" {
		return nil
	}
	if g.out.results == g.args.Limit {
		g.out.full = true
		return errEnough
	}
	g.file()
	return nil
}

// file reports a file.
func (g *grep) file() {
	text, found := quoted(g.path), Found{Path: g.path}
	if g.args.Output == "count" {
		text, found.Count = fmt.Sprintf("%s: %d", text, g.count), g.count
	}
	g.out.results++
	g.out.add(text, found)
}

// match reports a line that matches.
func (g *grep) match(number int, line []byte, at []int, before [][]byte) bool {
	if g.out.results == g.args.Limit || g.out.bytes > maxReported {
		g.out.full = true
		return false
	}
	g.out.results++
	for i, earlier := range before {
		g.line(number-len(before)+i, earlier, nil)
	}
	g.line(number, line, at)
	return true
}

// line reports a line; at is nil if it is beside a match.
func (g *grep) line(number int, line []byte, at []int) {
	found := Found{Path: g.path, Line: number, Text: clipLine(line, at), Context: at == nil}
	if g.args.Context > 0 && len(g.out.data) > 0 && (g.out.last.Path != g.path || g.out.last.Line != number-1) {
		g.out.lines = append(g.out.lines, "--")
	}
	mark := ":"
	if found.Context {
		mark = "-"
	}
	g.out.last = found
	g.out.add(fmt.Sprintf("%s%s%d%s %s", quoted(g.path), mark, number, mark, found.Text), found)
}

func (o *report) add(line string, found Found) {
	o.lines = append(o.lines, line)
	o.data = append(o.data, found)
	o.bytes += len(line)
}

// text is the result for the model.
func (g *grep) text() string {
	lines := g.out.lines
	if len(lines) == 0 {
		lines = append(lines, "[nothing matches]")
	}
	if g.out.full {
		lines = append(lines, fmt.Sprintf("[stopped at %d: more match; set a higher limit, a narrower pattern, or another path]", g.out.results))
	}
	if g.binary > 0 {
		lines = append(lines, fmt.Sprintf("[%d binary files not searched]", g.binary))
	}
	if g.large > 0 {
		lines = append(lines, fmt.Sprintf("[%d files not searched after %d MiB: search a folder below, or name a file]", g.large, maxSearched>>20))
	}
	return strings.Join(append(lines, g.hunt.notes()...), "\n")
}

// clipLine shows a long line around its match.
func clipLine(line []byte, at []int) string {
	if len(line) <= maxShown {
		return string(line)
	}
	from := 0
	if at != nil {
		from = max(0, min(at[0]-maxShown/4, len(line)-maxShown))
	}
	to := from + maxShown
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to--
	}
	text := string(line[from:to])
	if from > 0 {
		text = fmt.Sprintf("[%d bytes left out] ", from) + text
	}
	if to < len(line) {
		text += fmt.Sprintf(" [%d bytes left out]", len(line)-to)
	}
	return text
}
