package files

import (
	"bytes"
	"errors"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"

	"rein"
)

// A needle is what grep looks for.
type needle struct {
	re *regexp.Regexp
	// part is a text that every match contains; empty: none is known. Looking for it first is much
	// faster than to compare every line.
	part []byte
}

// newNeedle reads a pattern.
func newNeedle(pattern string, fixed, fold bool) (needle, error) {
	if fixed {
		pattern = regexp.QuoteMeta(pattern)
	}
	if fold {
		pattern = "(?i:" + pattern + ")"
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return needle{}, badPattern(pattern, err)
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return needle{}, badPattern(pattern, err)
	}
	if hasNewline(tree) {
		return needle{}, rein.Errorf(rein.CodeInvalid, "pattern %.200q has a newline in it, and lines are searched one by one: search for a part that is within a line", pattern)
	}
	return needle{re: re, part: []byte(required(tree.Simplify()))}, nil
}

func badPattern(pattern string, err error) error {
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		return rein.Errorf(rein.CodeInvalid, "pattern %.200q is not a regular expression of RE2: %s: %q; escape special characters with \\, or set fixed to search for the text as it is", pattern, e.Code, e.Expr)
	}
	return rein.Errorf(rein.CodeInvalid, "pattern %.200q: %w", pattern, err)
}

// hasNewline reports whether a pattern asks for a newline itself.
func hasNewline(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral {
		for _, r := range re.Rune {
			if r == '\n' {
				return true
			}
		}
	}
	for _, sub := range re.Sub {
		if hasNewline(sub) {
			return true
		}
	}
	return false
}

// required returns the longest text that every match surely contains.
func required(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpConcat:
		longest := ""
		for _, sub := range re.Sub {
			if s := required(sub); len(s) > len(longest) {
				longest = s
			}
		}
		return longest
	}
	return ""
}

// find returns where the first match is in a line.
func (n needle) find(line []byte) []int {
	if !n.maybe(line) {
		return nil
	}
	return n.re.FindIndex(line)
}

// maybe reports whether a text could have a match in it.
func (n needle) maybe(text []byte) bool { return bytes.Contains(text, n.part) }

// readable makes a line UTF-8: a byte that is not part of it is taken for Latin-1.
func readable(line []byte) []byte {
	if utf8.Valid(line) {
		return line
	}
	var out []byte
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		if r == utf8.RuneError && n == 1 {
			r = rune(line[0])
		}
		out = utf8.AppendRune(out, r)
		line = line[n:]
	}
	return out
}
