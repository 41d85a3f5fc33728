package patch

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }

// fileName is the name on a line --- or +++: quoted by git, or up to a tab, after which diff -u puts a time.
func fileName(s string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		name, _, ok := cutQuoted(s)
		if !ok {
			return "", errorf("the quotes of the name %.200q are not closed", s)
		}
		return name, nil
	}
	name, _, _ := strings.Cut(s, "\t")
	return strings.TrimRight(name, " "), nil
}

// unquote reads a name that git may have quoted.
func unquote(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	name, rest, ok := cutQuoted(s)
	if !ok || rest != "" {
		return "", errorf("the quotes of the name %.200q are not closed, or closed too early", s)
	}
	return name, nil
}

// cutQuoted reads a name in the quotes of C, and returns what follows it.
func cutQuoted(s string) (name, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], utf8.ValidString(b.String())
		case s[i] != '\\':
			b.WriteByte(s[i])
		default:
			c, size := escaped(s[i+1:])
			if size == 0 {
				return "", "", false
			}
			b.WriteByte(c)
			i += size
		}
	}
	return "", "", false
}

// escaped reads what follows a backslash; size zero: it is nothing that C knows.
func escaped(s string) (c byte, size int) {
	if s == "" {
		return 0, 0
	}
	if i := strings.IndexByte(`abtnvfr"\`, s[0]); i >= 0 {
		return "\a\b\t\n\v\f\r\"\\"[i], 1
	}
	if len(s) >= 3 {
		if n, err := strconv.ParseUint(s[:3], 8, 8); err == nil {
			return byte(n), 3
		}
	}
	return 0, 0
}
