package look_test

import (
	"testing"
	"time"

	"rein/terminal/tui/look"
)

func TestAmounts(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0 ms", 40 * time.Millisecond: "40 ms", 1240 * time.Millisecond: "1.2 s", 9 * time.Second: "9 s", 59999 * time.Millisecond: "59 s",
		72 * time.Second: "1 min 12 s", 25 * time.Hour: "1 d 1 h",
	} {
		if got := look.Span(d); got != want {
			t.Errorf("Span(%v) is %q, want %q", d, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1k", 12_430: "12.4k", 999_949: "999.9k", 999_950: "1M", 3_140_000: "3.1M"} {
		if got := look.Count(n); got != want {
			t.Errorf("Count(%d) is %q, want %q", n, got, want)
		}
	}
	for micros, want := range map[int64]string{0: "0.00", 12: "0.000012", 120: "0.0001", 1_260: "0.0013", 9_999: "0.01", 83_412: "0.08", 5_000_000: "5.00"} {
		if got := look.Money(micros); got != want {
			t.Errorf("Money(%d) is %q, want %q", micros, got, want)
		}
	}
}

// The way out is named however narrow it is, and no row is too wide.
func TestHints(t *testing.T) {
	t.Parallel()
	theme := look.New(true)
	hints := []look.Hint{{"Enter", "open"}, {"d", "delete"}, {"Esc", "back"}}
	for cells, want := range map[int]string{80: "Enter open  d delete  Esc back", 22: "Enter open  Esc back", 12: "Esc back", 5: "Esc …"} {
		if got := look.Plainly(theme.Hints(hints, cells)); got != want {
			t.Errorf("in %d cells: %q, want %q", cells, got, want)
		}
	}
}
