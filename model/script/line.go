package script

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"rein"
)

// A line is one line of a script: its first word, and what is left of it while it is read.
type line struct {
	p    *parser
	no   int
	word string
	rest string
}

func splitLines(text []byte) []string {
	lines := strings.Split(string(text), "\n")
	for i, s := range lines {
		lines[i] = strings.TrimSuffix(s, "\r")
	}
	return lines
}

func newLine(p *parser, no int, text string) *line {
	word, rest := cutWord(strings.TrimSpace(text))
	return &line{p: p, no: no, word: word, rest: rest}
}

// cutWord returns the text up to the first blank, and what follows the blanks.
func cutWord(s string) (word, rest string) {
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], strings.TrimLeft(s[i:], " \t")
	}
	return s, ""
}

func (l *line) errorf(format string, args ...any) error {
	return rein.Errorf(rein.CodeInvalid, "%s:%d: %s", l.p.name, l.no, fmt.Sprintf(format, args...))
}

func (l *line) done() bool { return l.rest == "" }

// end refuses what is left of the line.
func (l *line) end() error {
	if l.done() {
		return nil
	}
	hint := ""
	if strings.HasPrefix(l.rest, "#") {
		hint = "; a comment has a line of its own"
	}
	return l.errorf("%s: %q is too much%s", l.word, clip(l.rest), hint)
}

// quoted reports whether a string in quotes comes next.
func (l *line) quoted() bool {
	return strings.HasPrefix(l.rest, `"`) || strings.HasPrefix(l.rest, "`")
}

// value reads the next string in quotes, or the next word.
func (l *line) value(want string) (string, error) {
	if l.done() {
		return "", l.errorf("%s: want %s", l.word, want)
	}
	if !l.quoted() {
		var word string
		word, l.rest = cutWord(l.rest)
		return word, nil
	}
	prefix, err := strconv.QuotedPrefix(l.rest)
	if err != nil {
		return "", l.errorf("%s: %s is not a whole string; close it with %c", l.word, clip(l.rest), l.rest[0])
	}
	after := l.rest[len(prefix):]
	if after != "" && after[0] != ' ' && after[0] != '\t' {
		return "", l.errorf("%s: want a blank after %s; inside quotes write \\\" for a quote", l.word, prefix)
	}
	l.rest = strings.TrimLeft(after, " \t")
	s, err := strconv.Unquote(prefix)
	if err != nil {
		return "", l.errorf("%s: %s is not a string as Go writes it", l.word, prefix)
	}
	return s, nil
}

// text reads a string in quotes or a heredoc.
func (l *line) text(want string) (string, error) {
	if strings.HasPrefix(l.rest, "<<") {
		return l.heredoc()
	}
	if !l.quoted() {
		return "", l.errorf(`%s: want %s in quotes, "…" or `+"`…`, or <<END", l.word, want)
	}
	return l.value(want)
}

// heredoc reads the lines up to the one that repeats the word after <<. Indentation of that last
// line is taken off all lines, so that a script can be indented.
func (l *line) heredoc() (string, error) {
	tag, rest := cutWord(l.rest[len("<<"):])
	if tag == "" {
		return "", l.errorf("%s <<: want a word that will end the text, as in <<END", l.word)
	}
	if rest != "" {
		return "", l.errorf("%s: <<%s must end its line; put %q before it", l.word, tag, clip(rest))
	}
	l.rest = ""
	var lines []string
	for {
		s, ok := l.p.next()
		if !ok {
			return "", l.errorf("%s <<%s: no line %q ends the text", l.word, tag, tag)
		}
		if strings.TrimSpace(s) == tag {
			indent := s[:strings.Index(s, tag)]
			for i := range lines {
				lines[i] = strings.TrimPrefix(lines[i], indent)
			}
			return strings.Join(lines, "\n"), nil
		}
		lines = append(lines, s)
	}
}

// json reads one JSON value.
func (l *line) json() (json.RawMessage, error) {
	text := l.rest
	if strings.HasPrefix(text, "<<") {
		var err error
		if text, err = l.heredoc(); err != nil {
			return nil, err
		}
		if !json.Valid([]byte(text)) {
			return nil, l.errorf("%s: the text is not JSON; for arguments that are not, use malformed", l.word)
		}
		return json.RawMessage(text), nil
	}
	dec := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return nil, l.errorf("%s: %s is not JSON (%v); for arguments that are not, use malformed", l.word, clip(text), err)
	}
	l.rest = strings.TrimLeft(text[dec.InputOffset():], " \t")
	return raw, nil
}

// option reads the next word if it is name=value.
func (l *line) option(name string) (value string, ok bool, err error) {
	rest, ok := strings.CutPrefix(l.rest, name+"=")
	if !ok {
		return "", false, nil
	}
	l.rest = rest
	value, err = l.value("a value after " + name + "=")
	return value, true, err
}

// condition reads the name and the operator of a condition.
func (l *line) condition() (name, op string, err error) {
	i := strings.IndexAny(l.rest, "=~! \t")
	if i > 0 {
		for _, op := range []string{"!=", "!~", "=", "~"} {
			if strings.HasPrefix(l.rest[i:], op) {
				name, l.rest = l.rest[:i], l.rest[i+len(op):]
				if l.rest == "" || l.rest[0] == ' ' || l.rest[0] == '\t' {
					return "", "", l.errorf(`%s%s: want a value right after it; "" is the empty one`, name, op)
				}
				return name, op, nil
			}
		}
	}
	word, _ := cutWord(l.rest)
	if strings.HasPrefix(word, "#") {
		return "", "", l.end()
	}
	return "", "", l.errorf(`%q is not a condition; want phase=NAME, turn=N, last~"text" or the like`, clip(word))
}
