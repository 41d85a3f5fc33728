package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// number writes 2000000 as 2,000,000.
func number(n int64) string {
	if n < 0 {
		return "-" + number(-n)
	}
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// count writes a number with its noun.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + noun + "s"
}

// money writes millionths of the currency unit: 0, 0.0012, 5.00.
func money(micros int64) string {
	if micros == 0 {
		return "0"
	}
	text := fmt.Sprintf("%d.%06d", micros/1_000_000, micros%1_000_000)
	for cents := len(text) - 4; strings.HasSuffix(text, "0") && len(text) > cents; {
		text = text[:len(text)-1]
	}
	return text
}

// size writes a number of bytes.
func size(n int64) string {
	const unit = 1000
	if n < unit {
		return count(n, "byte")
	}
	value, units := float64(n)/unit, []string{"kB", "MB", "GB", "TB"}
	for value >= unit && len(units) > 1 {
		value, units = value/unit, units[1:]
	}
	return fmt.Sprintf("%.1f %s", value, units[0])
}

// span writes a duration as people say it.
func span(d time.Duration) string {
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

const timeFormat = "2006-01-02 15:04:05"

// when writes a time in the zone of whoever reads.
func when(t time.Time) string { return t.Local().Format(timeFormat) }
