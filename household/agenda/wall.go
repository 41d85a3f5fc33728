package agenda

import (
	"time"

	"rein"
	"rein/internal/civil"
)

// A Wall is what a clock and a calendar on the wall show: a day and a time, without a zone. Of an event that lasts all
// day only the day counts.
type Wall struct{ t time.Time } // its fields, in UTC

const (
	wallLayout  = "2006-01-02T15:04:05"
	shortLayout = "2006-01-02T15:04"
)

// WallOf is what the clocks of the time's zone show at it.
func WallOf(t time.Time) Wall {
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	return Wall{time.Date(year, month, day, hour, minute, second, 0, time.UTC)}
}

// ParseWall reads a wall time such as 2026-11-24T09:00, or a day such as 2026-11-24.
func ParseWall(text string) (Wall, error) {
	for _, layout := range []string{shortLayout, wallLayout, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return Wall{t}, nil
		}
	}
	return Wall{}, rein.Errorf(rein.CodeInvalid, "%.60q is not a time of a clock: write it like 2026-11-24T09:00, or a whole day like 2026-11-24", text)
}

// In returns the instant at which the clocks of a zone show the wall time, by the rule of package civil.
func (w Wall) In(zone *time.Location) (time.Time, civil.Fit) {
	year, month, day := w.t.Date()
	hour, minute, second := w.t.Clock()
	return civil.At(year, month, day, hour, minute, second, zone)
}

// IsZero reports whether it is no time.
func (w Wall) IsZero() bool { return w.t.IsZero() }

// Add returns the wall time that much later, as if clocks never changed.
func (w Wall) Add(d time.Duration) Wall { return Wall{w.t.Add(d)} }

// Sub returns how much later it is than another, as if clocks never changed.
func (w Wall) Sub(other Wall) time.Duration { return w.t.Sub(other.t) }

// Before reports whether it is before another.
func (w Wall) Before(other Wall) bool { return w.t.Before(other.t) }

// Compare orders wall times.
func (w Wall) Compare(other Wall) int { return w.t.Compare(other.t) }

// Equal reports whether both show the same.
func (w Wall) Equal(other Wall) bool { return w.t.Equal(other.t) }

// Weekday is the day of the week.
func (w Wall) Weekday() time.Weekday { return w.t.Weekday() }

// Midnight is the beginning of its day.
func (w Wall) Midnight() Wall { return Wall{w.t.Truncate(24 * time.Hour)} }

// String is the wall time with seconds only if it has some: 2026-11-24T09:00.
func (w Wall) String() string {
	if w.t.Second() == 0 {
		return w.t.Format(shortLayout)
	}
	return w.t.Format(wallLayout)
}

// Text is the wall time, or only its day.
func (w Wall) Text(allDay bool) string {
	if allDay {
		return w.t.Format(time.DateOnly)
	}
	return w.String()
}

// Format writes it as time.Time does.
func (w Wall) Format(layout string) string { return w.t.Format(layout) }

// MarshalText writes it for JSON.
func (w Wall) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (w *Wall) UnmarshalText(text []byte) (err error) {
	*w, err = ParseWall(string(text))
	return err
}
