package script

import (
	"strconv"
	"time"
)

// most bounds the numbers of a script, so that prices times tokens fit an int64.
const most = 1_000_000_000

func (l *line) tokens(to *int64) error {
	value, err := l.value("a number of tokens, as in: " + l.word + " 8000")
	if err != nil {
		return err
	}
	n, ok := wholeNumber(value)
	if !ok || n == 0 {
		return l.errorf("%s: %q is not a number of tokens from 1 to %d", l.word, clip(value), most)
	}
	*to = n
	return nil
}

func (l *line) duration(to *time.Duration) error {
	if *to != 0 {
		return l.errorf("a second %s in this entry; want one", l.word)
	}
	value, err := l.value("a time, as in: " + l.word + " 200ms")
	if err != nil {
		return err
	}
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return l.errorf("%s: %q is not a time; want one like 200ms, 5s or 1m30s", l.word, clip(value))
	}
	*to = d
	return nil
}

// A field is a number that a line may give as name=value.
type field struct {
	name string
	to   *int64
}

// fields reads the rest of the line; it must give one field at least.
func (l *line) fields(example string, number func(string) (int64, bool), fields ...field) error {
	if l.done() {
		return l.errorf("%s: want %s", l.word, example)
	}
	given := map[string]bool{}
next:
	for !l.done() {
		for _, f := range fields {
			value, ok, err := l.option(f.name)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			n, good := number(value)
			if !good || given[f.name] {
				return l.errorf("%s: %s=%s is given twice or is not a number from 0 to %d; want %s", l.word, f.name, clip(value), most, example)
			}
			*f.to, given[f.name] = n, true
			continue next
		}
		return l.errorf("%s: %q is not one of its numbers; want %s", l.word, clip(l.rest), example)
	}
	return nil
}

func wholeNumber(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0 && n <= most
}
