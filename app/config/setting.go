package config

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"rein/internal/near"
)

// A setting reads and shows the value of a key.
type setting interface {
	// read takes the value from a file and returns what is wrong with it.
	read(*loading, *node) error
	// parse takes it from a flag or from the environment.
	parse(*loading, string) error
	// show writes it as TOML does, never a secret.
	show(*Config) string
}

// A scalar is a setting that is one value. A file may write it in one of the kinds; from there on it
// is text, so that all sources are read alike.
type scalar struct {
	kinds []kind
	wants string // "a whole number from 1 to 100"
	set   func(*loading, string) error
	get   func(*Config) string
}

func (s scalar) read(l *loading, n *node) error {
	if !slices.Contains(s.kinds, n.kind) {
		return fmt.Errorf("it is %s and must be %s", n.kind, s.wants)
	}
	return s.parse(l, n.text)
}

func (s scalar) parse(l *loading, value string) error { return s.set(l, value) }

func (s scalar) show(c *Config) string { return s.get(c) }

func text(field func(*Config) *string, check func(string) error) setting {
	return scalar{
		kinds: []kind{isString}, wants: "a string",
		set: func(l *loading, v string) error {
			if err := check(v); err != nil {
				return err
			}
			*field(l.config) = v
			return nil
		},
		get: func(c *Config) string { return quoted(*field(c)) },
	}
}

// path is a text that names a file or folder: of a file's own folder, if a file says it.
func path(field func(*Config) *string) setting {
	s := text(field, notEmpty).(scalar)
	s.set = func(l *loading, v string) error {
		if err := notEmpty(v); err != nil {
			return err
		}
		*field(l.config) = l.path(v)
		return nil
	}
	return s
}

func choice(field func(*Config) *string, of []string) setting {
	return text(field, func(v string) error {
		if !slices.Contains(of, v) {
			return fmt.Errorf("it is %q and must be one of %s%s", v, strings.Join(of, ", "), near.DidYouMean(v, of))
		}
		return nil
	})
}

// whole is a whole number that is kept as it is.
func whole(field func(*Config) *int64, least, most int64) setting {
	return number(least, most, func(c *Config) int64 { return *field(c) }, func(c *Config, n int64) { *field(c) = n })
}

func number(least, most int64, get func(*Config) int64, set func(*Config, int64)) setting {
	wants := fmt.Sprintf("a whole number from %d to %d", least, most)
	return scalar{
		kinds: []kind{isInteger}, wants: wants,
		set: func(l *loading, v string) error {
			n, err := strconv.ParseInt(strings.ReplaceAll(v, "_", ""), 0, 64)
			if err != nil || n < least || n > most {
				return fmt.Errorf("it is %s and must be %s", v, wants)
			}
			set(l.config, n)
			return nil
		},
		get: func(c *Config) string { return strconv.FormatInt(get(c), 10) },
	}
}

var decimal = regexp.MustCompile(`^\d{1,12}(\.\d{1,6})?$`)

// money is kept in millionths and read digit by digit, so that no amount is rounded.
func money(field func(*Config) *int64, least, most int64) setting {
	wants := fmt.Sprintf("an amount from %s to %s, with at most six decimals", units(least), units(most))
	return scalar{
		kinds: []kind{isInteger, isFloat, isString}, wants: wants,
		set: func(l *loading, v string) error {
			digits := strings.ReplaceAll(v, "_", "")
			before, after, _ := strings.Cut(digits, ".")
			n, err := strconv.ParseInt(before+(after + "000000")[:6], 10, 64)
			if !decimal.MatchString(digits) || err != nil || n < least || n > most {
				return fmt.Errorf("it is %s and must be %s", v, wants)
			}
			*field(l.config) = n
			return nil
		},
		get: func(c *Config) string { return units(*field(c)) },
	}
}

func units(micros int64) string {
	text := fmt.Sprintf("%d.%06d", micros/1e6, micros%1e6)
	for strings.HasSuffix(text, "0") && len(text)-strings.IndexByte(text, '.') > 3 {
		text = text[:len(text)-1]
	}
	return text
}

func duration(field func(*Config) *time.Duration, least, most time.Duration) setting {
	wants := fmt.Sprintf("a time such as \"60s\", from %s to %s", timeText(least), timeText(most))
	return scalar{
		kinds: []kind{isString}, wants: wants,
		set: func(l *loading, v string) error {
			d, err := time.ParseDuration(v)
			if err != nil || d < least || d > most {
				return fmt.Errorf("it is %q and must be %s", v, wants)
			}
			*field(l.config) = d
			return nil
		},
		get: func(c *Config) string { return quoted(timeText(*field(c))) },
	}
}

// timeText leaves out the parts that are zero: 1m, not 1m0s.
func timeText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func anything(string) error { return nil }

func notEmpty(v string) error {
	if strings.TrimSpace(v) == "" {
		return fmt.Errorf("it is empty: say something, or leave the line out")
	}
	return nil
}

var language = regexp.MustCompile(`^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$`)

func isLanguage(v string) error {
	if !language.MatchString(v) {
		return fmt.Errorf("it is %q and must be a language such as \"en\" or \"pt-BR\"", v)
	}
	return nil
}

func isZone(v string) error {
	if _, err := time.LoadLocation(v); err != nil || v == "" || v == "Local" {
		return fmt.Errorf("it is %q and must be a time zone such as \"Europe/Lisbon\" or \"UTC\"", v)
	}
	return nil
}

// currency is the form of a code of ISO 4217. Which ones are in use changes with the years.
var currency = regexp.MustCompile(`^[A-Z]{3}$`)

func isCurrency(v string) error {
	if !currency.MatchString(v) {
		return fmt.Errorf("it is %q and must be the three capital letters of a currency, such as \"USD\" or \"EUR\"", v)
	}
	return nil
}

func quoted(s string) string { return strconv.Quote(s) }
