package civil

import (
	"testing"
	"time"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := Zone(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// Covers: NEU-57
func TestChangesOfClocks(t *testing.T) {
	for _, c := range []struct {
		zone, wall, want string
		fit              Fit
	}{
		{"Europe/Amsterdam", "2026-03-28T02:30", "2026-03-28T02:30:00+01:00", Once},
		{"Europe/Amsterdam", "2026-03-29T01:59:59", "2026-03-29T01:59:59+01:00", Once},
		{"Europe/Amsterdam", "2026-03-29T02:00", "2026-03-29T03:00:00+02:00", Missing},
		{"Europe/Amsterdam", "2026-03-29T02:59:59", "2026-03-29T03:00:00+02:00", Missing},
		{"Europe/Amsterdam", "2026-03-29T03:00", "2026-03-29T03:00:00+02:00", Once},
		{"Europe/Amsterdam", "2026-10-25T01:59", "2026-10-25T01:59:00+02:00", Once},
		{"Europe/Amsterdam", "2026-10-25T02:00", "2026-10-25T02:00:00+02:00", Twice},
		{"Europe/Amsterdam", "2026-10-25T02:30", "2026-10-25T02:30:00+02:00", Twice},
		{"Europe/Amsterdam", "2026-10-25T03:00", "2026-10-25T03:00:00+01:00", Once},
		{"America/New_York", "2026-03-08 02:30", "2026-03-08T03:00:00-04:00", Missing},
		{"Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-04T02:30:00+11:00", Missing}, // half an hour
		{"Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-05T01:45:00+11:00", Twice},
		{"Pacific/Apia", "2011-12-30T12:00", "2011-12-31T00:00:00+14:00", Missing}, // a whole day
		{"America/Sao_Paulo", "2018-11-04T00:00", "2018-11-04T01:00:00-02:00", Missing},
		{"UTC", "2026-03-29T02:30", "2026-03-29T02:30:00Z", Once},
		{"Europe/Amsterdam", "2026-03-29T01:30:00Z", "2026-03-29T03:30:00+02:00", Once},
	} {
		at, fit, err := Parse(c.wall, zone(t, c.zone))
		if err != nil || fit != c.fit || at.Format(time.RFC3339) != c.want {
			t.Errorf("%s in %s: %s, %d, %v; want %s, %d", c.wall, c.zone, at.Format(time.RFC3339), fit, err, c.want, c.fit)
		}
	}
}

// Every hour of some years is found again from what the clocks show then.
func TestEveryHour(t *testing.T) {
	for _, name := range []string{"Europe/Amsterdam", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns"} {
		z := zone(t, name)
		for at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2027; at = at.Add(30 * time.Minute) {
			w := at.In(z)
			got, fit := At(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), z)
			if fit == Missing || !got.Equal(at) && (fit != Twice || !got.Before(at)) {
				t.Fatalf("%s: %s becomes %s (%d)", name, w, got, fit)
			}
		}
	}
}

func TestWrongTimes(t *testing.T) {
	for _, text := range []string{"", "tomorrow", "2026-13-01T09:00", "2026-02-30T09:00", "09:00", "2026-01-01"} {
		if at, _, err := Parse(text, time.UTC); err == nil {
			t.Errorf("%q is read as %s", text, at)
		}
	}
	for _, name := range []string{"Local", "Europe/Nowhere", "../etc"} {
		if z, err := Zone(name); err == nil {
			t.Errorf("%q is the zone %s", name, z)
		}
	}
}
