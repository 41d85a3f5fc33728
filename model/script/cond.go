package script

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rein"
)

// A cond is one condition of an entry.
type cond struct {
	key string
	src string // as it would be written, for messages and to tell equal conditions
	ok  func(*view) bool
}

// A key is something that a condition can look at. Exactly one of its functions is set.
type key struct {
	number func(*view) int
	min    int                  // of number
	names  func(*view) []string // compared whole, with * for anything
	texts  func(*view) []string // compared whole, or searched with ~
	flag   func(*view) bool     // yes or no
	nth    bool                 // counts calls, so it is not a function of the request alone
}

var keys = map[string]key{
	"phase":   {names: func(v *view) []string { return []string{v.req.Phase} }},
	"run":     {names: func(v *view) []string { return []string{string(v.req.Run)} }},
	"step":    {names: func(v *view) []string { return []string{string(v.req.Step)} }},
	"model":   {names: func(v *view) []string { return []string{v.req.Model} }},
	"offered": {names: (*view).offered},

	"round":   {number: func(v *view) int { return v.req.Round }},
	"turn":    {number: func(v *view) int { return v.turn }, min: 1},
	"results": {number: func(v *view) int { return v.results }},
	"attempt": {number: func(v *view) int { return v.attempt }, min: 1},
	"nth":     {nth: true},

	"last":   {texts: func(v *view) []string { return textOf(v.last) }},
	"user":   {texts: func(v *view) []string { return textOf(v.user) }},
	"tool":   {texts: func(v *view) []string { return textOf(v.tool) }},
	"system": {texts: func(v *view) []string { return v.texts(rein.System, rein.Developer) }},
	"any":    {texts: func(v *view) []string { return v.texts() }},

	"closing": {flag: func(v *view) bool { return v.req.Closing }},
	"schema":  {flag: func(v *view) bool { return len(v.req.Schema) > 0 }},
}

// got says what the view has where the condition wanted something else.
func (c cond) got(v *view) string {
	k := keys[c.key]
	switch {
	case k.number != nil:
		return fmt.Sprintf("%s is %d", c.key, k.number(v))
	case k.names != nil:
		return fmt.Sprintf("%s is %s", c.key, quoteAll(k.names(v)))
	case k.texts != nil:
		return fmt.Sprintf("%s is %s", c.key, quoteAll(k.texts(v)))
	default:
		return fmt.Sprintf("not %s", c.src)
	}
}

// addConds reads the conditions in the rest of a line into the entry.
func (e *entry) addConds(l *line) error {
	for !l.done() {
		name, op, err := l.condition()
		if err != nil {
			return err
		}
		k, ok := keys[name]
		if !ok {
			return l.errorf("no condition %q%s", name, suggest(name, sortedKeys(keys)))
		}
		value, err := l.value("a value after " + name + op)
		if err != nil {
			return err
		}
		if err := e.addCond(l, k, name, op, value); err != nil {
			return err
		}
	}
	return nil
}

func (e *entry) addCond(l *line, k key, name, op, value string) error {
	c := cond{key: name, src: name + op + quoteIfNeeded(value)}
	if strings.HasSuffix(op, "~") && k.texts == nil {
		return l.errorf("%s: ~ searches in texts; use %s", c.src, strings.Replace(c.src, "~", "=", 1))
	}
	if k.nth {
		return e.setNth(l, c.src, op, value)
	}
	yes, err := k.compile(op, value)
	if err != nil {
		return l.errorf("%s: %v", c.src, err)
	}
	c.ok = yes
	if strings.HasPrefix(op, "!") {
		c.ok = func(v *view) bool { return !yes(v) }
	}
	e.conds = append(e.conds, c)
	return nil
}

func (e *entry) setNth(l *line, src, op, value string) error {
	if e.nth != nil || op != "=" {
		return l.errorf("%s: an entry has at most one nth, written nth=N", src)
	}
	s, err := parseSpan(value, 1)
	if err != nil {
		return l.errorf("%s: %v", src, err)
	}
	e.nth, e.nthSrc = &s, src
	return nil
}

// compile returns the test of a condition, without regard to a "!" before it.
func (k key) compile(op, value string) (func(*view) bool, error) {
	switch {
	case k.number != nil:
		s, err := parseSpan(value, k.min)
		return func(v *view) bool { return s.has(k.number(v)) }, err
	case k.flag != nil:
		if value != "yes" && value != "no" {
			return nil, fmt.Errorf("want yes or no")
		}
		return func(v *view) bool { return k.flag(v) == (value == "yes") }, nil
	case k.names != nil:
		return func(v *view) bool { return slices.ContainsFunc(k.names(v), glob(value)) }, nil
	case strings.HasSuffix(op, "~"):
		return func(v *view) bool {
			return slices.ContainsFunc(k.texts(v), func(s string) bool { return strings.Contains(s, value) })
		}, nil
	default:
		return func(v *view) bool { return slices.Contains(k.texts(v), value) }, nil
	}
}

// glob returns a test of whole names in which each * of the pattern stands for anything.
func glob(pattern string) func(string) bool {
	parts := strings.Split(pattern, "*")
	first, rest := parts[0], parts[1:]
	return func(s string) bool {
		s, ok := strings.CutPrefix(s, first)
		if !ok || len(rest) == 0 {
			return ok && s == ""
		}
		for _, part := range rest[:len(rest)-1] {
			if _, s, ok = strings.Cut(s, part); !ok {
				return false
			}
		}
		return strings.HasSuffix(s, rest[len(rest)-1])
	}
}

// A span is a number, or a range of them with both ends included.
type span struct{ from, to int }

func (s span) has(n int) bool { return s.from <= n && n <= s.to }

// parseSpan reads 3, 2..4, 2.. or ..4.
func parseSpan(text string, least int) (span, error) {
	from, to, isRange := strings.Cut(text, "..")
	s := span{least, math.MaxInt}
	var err1, err2 error
	if from != "" || !isRange {
		s.from, err1 = strconv.Atoi(from)
	}
	if !isRange {
		s.to = s.from
	} else if to != "" {
		s.to, err2 = strconv.Atoi(to)
	}
	switch {
	case err1 != nil || err2 != nil || text == "..":
		return s, fmt.Errorf("want a number like 3, or a range like 2..4, 2.. or ..4")
	case s.from < least:
		return s, fmt.Errorf("counting starts at %d", least)
	case s.from > s.to:
		return s, fmt.Errorf("no number is from %d to %d; want %d..%d", s.from, s.to, s.to, s.from)
	}
	return s, nil
}
