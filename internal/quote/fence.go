package quote

import "strings"

// fences follows the fenced code of a Markdown text, line by line.
type fences struct {
	mark string // what opened the fence that is open
}

// OpenFence returns the fence that a text opens and does not close, which is also what closes it.
func OpenFence(text string) string {
	var f fences
	for line := range strings.Lines(text) {
		f.inside(line)
	}
	return f.mark
}

// inside reports whether the line is part of fenced code, its fences included.
func (f *fences) inside(line string) bool {
	line = strings.TrimSpace(line)
	mark := fence(line)
	info := line[len(mark):]
	switch {
	case f.mark != "":
		if mark != "" && mark[0] == f.mark[0] && len(mark) >= len(f.mark) && info == "" {
			f.mark = ""
		}
		return true
	case mark == "" || (mark[0] == '`' && strings.Contains(info, "`")):
		return false
	}
	f.mark = mark
	return true
}

// fence returns the three or more backticks or tildes that a line begins with.
func fence(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}
