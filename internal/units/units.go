// Package units writes numbers, amounts, sizes and times as people read them.
package units

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Number writes 2000000 as 2,000,000.
func Number(n int64) string {
	if n < 0 {
		return "-" + Number(-n)
	}
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Count writes a number with its noun.
func Count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Money writes millionths of the currency unit: 0, 0.0012, 5.00.
func Money(micros int64) string {
	if micros == 0 {
		return "0"
	}
	text := fmt.Sprintf("%d.%06d", micros/1_000_000, micros%1_000_000)
	for cents := len(text) - 4; strings.HasSuffix(text, "0") && len(text) > cents; {
		text = text[:len(text)-1]
	}
	return text
}

// Size writes a number of bytes.
func Size(n int64) string {
	const unit = 1000
	if n < unit {
		return Count(n, "byte")
	}
	value, units := float64(n)/unit, []string{"kB", "MB", "GB", "TB"}
	for value >= unit && len(units) > 1 {
		value, units = value/unit, units[1:]
	}
	return fmt.Sprintf("%.1f %s", value, units[0])
}

// Span writes a duration as people say it.
func Span(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "0 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return two(d, time.Minute, "min", time.Second, "s")
	case d < 24*time.Hour:
		return two(d, time.Hour, "h", time.Minute, "min")
	}
	return two(d, 24*time.Hour, "d", time.Hour, "h")
}

func two(d, big time.Duration, bigName string, small time.Duration, smallName string) string {
	text := fmt.Sprintf("%d %s", d/big, bigName)
	if rest := d % big / small; rest > 0 {
		text += fmt.Sprintf(" %d %s", rest, smallName)
	}
	return text
}

// timeFormat is how times are written.
const timeFormat = "2006-01-02 15:04:05"

// When writes a time in the zone of whoever reads.
func When(t time.Time) string { return t.Local().Format(timeFormat) }

// Lately writes a time for a list: short, with the year only if it was long ago.
func Lately(t, now time.Time) string {
	const long = 300 * 24 * time.Hour
	if now.Sub(t) > long {
		return t.Local().Format("2006-01-02")
	}
	return t.Local().Format("01-02 15:04")
}

// Day writes a time without its seconds.
func Day(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }
