package units

import (
	"testing"
	"time"
)

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Number(0), "0"},
		{Number(999), "999"},
		{Number(2_000_000), "2,000,000"},
		{Number(-1234), "-1,234"},
		{Count(1, "run"), "1 run"},
		{Count(2, "run"), "2 runs"},
		{Money(0), "0"},
		{Money(5_000_000), "5.00"},
		{Money(450), "0.00045"},
		{Money(1_230_000), "1.23"},
		{NewCurrency("USD", true).Money(80_000), "$0.08"},
		{NewCurrency("USD", false).Money(0), "$0"},
		{NewCurrency("EUR", true).Money(450), "€0.00045"},
		{NewCurrency("EUR", false).Money(450), "EUR 0.00045"},
		{NewCurrency("CHF", true).Money(5_000_000), "CHF 5.00"},
		{NewCurrency("", true).Money(80_000), "0.08"},
		{NewCurrency("\x1b[1", true).Money(80_000), "0.08"},
		{NewCurrency("usd", true).Money(80_000), "0.08"},
		{NewCurrency("EURO", true).Money(80_000), "0.08"},
		{Currency{}.Of("1.00"), "1.00"},
		{Size(1), "1 byte"},
		{Size(122_900), "122.9 kB"},
		{Size(84_000_000_000), "84.0 GB"},
		{Span(0), "0 ms"},
		{Span(3 * time.Millisecond), "3 ms"},
		{Span(1500 * time.Millisecond), "1.5 s"},
		{Span(time.Hour), "1 h"},
		{Span(2*time.Minute + 5*time.Second), "2 min 5 s"},
		{Span(50 * time.Hour), "2 d 2 h"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
