package look

import (
	"fmt"
	"strings"
	"time"

	"rein/internal/units"
)

// Span writes a duration as short as people say it: 40 ms, 1.2 s, 9 s, 1 min 12 s.
func Span(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		d = d.Truncate(time.Second)
	case d >= time.Second:
		d = d.Truncate(100 * time.Millisecond)
	}
	return strings.Replace(units.Span(d), ".0 s", " s", 1)
}

// Count writes a number so that it fits into a column: 812, 12.4k, 3.1M.
func Count(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 999_950:
		return strings.Replace(fmt.Sprintf("%.1fk", float64(n)/1e3), ".0k", "k", 1)
	}
	return strings.Replace(fmt.Sprintf("%.1fM", float64(n)/1e6), ".0M", "M", 1)
}

// Money writes an amount of money with its currency: $0.08.
func (t Theme) Money(micros int64) string { return t.Currency.Of(Money(micros)) }

// Money writes millionths of the currency unit with two digits, and with more only where they would say nothing.
func Money(micros int64) string {
	const cent, least = 10_000, 100 // least is a hundredth of a cent
	switch {
	case micros >= cent || micros <= 0:
		return fmt.Sprintf("%.2f", float64(micros)/1e6)
	case micros >= least:
		micros = (micros + least/2) / least * least
	}
	return units.Money(micros)
}
