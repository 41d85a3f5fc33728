package agenda_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/household/agenda"
	"rein/internal/civil"
)

// A rule is worked out on the wall. Where the clocks jump over a time, it is the first instant after the jump; a time that
// comes twice is the first of the two.
//
// Covers: NEU-56
func TestOccurrences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, start, rule, from, to string
		want                        []string
	}{
		{"once", "2026-11-24T09:00", "", "2026-11-01", "2026-12-01", []string{"2026-11-24 09:00"}},
		{"not then", "2026-11-24T09:00", "", "2026-12-01", "2027-12-01", nil},
		{"weekly over a change of the clocks", "2026-10-20T09:00", "FREQ=WEEKLY", "2026-10-20", "2026-11-04", []string{"2026-10-20 09:00", "2026-10-27 09:00", "2026-11-03 09:00"}},
		{"in the hour that is missing", "2026-03-28T02:30", "FREQ=DAILY", "2026-03-28", "2026-03-31", []string{"2026-03-28 02:30", "2026-03-29 03:00", "2026-03-30 02:30"}},
		{"in the hour that comes twice", "2026-10-24T02:30", "FREQ=DAILY", "2026-10-24", "2026-10-27", []string{"2026-10-24 02:30", "2026-10-25 02:30", "2026-10-26 02:30"}},
		{"the last Friday", "2026-01-30T17:00", "FREQ=MONTHLY;BYDAY=-1FR", "2026-05-01", "2026-08-01", []string{"2026-05-29 17:00", "2026-06-26 17:00", "2026-07-31 17:00"}},
		{"the 31st", "2026-01-31T08:00", "FREQ=MONTHLY", "2026-02-01", "2026-06-01", []string{"2026-03-31 08:00", "2026-05-31 08:00"}},
		{"29 February", "2024-02-29T08:00", "FREQ=YEARLY", "2025-01-01", "2029-12-31", []string{"2028-02-29 08:00"}},
		{"every other week, years later", "2016-01-04T08:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", "2026-11-01", "2026-11-25", []string{"2026-11-09 08:00", "2026-11-13 08:00", "2026-11-23 08:00"}},
		{"counted", "2026-11-20T08:00", "FREQ=DAILY;COUNT=3", "2026-11-21", "2026-12-21", []string{"2026-11-21 08:00", "2026-11-22 08:00"}},
		{"until, in UTC", "2026-11-20T08:00", "FREQ=DAILY;UNTIL=20261121T070000Z", "2026-11-01", "2026-12-21", []string{"2026-11-20 08:00", "2026-11-21 08:00"}},
		{"until a day", "2026-11-20T08:00", "FREQ=DAILY;UNTIL=20261121", "2026-11-01", "2026-12-21", []string{"2026-11-20 08:00", "2026-11-21 08:00"}},
		{"all day", "2026-11-20", "FREQ=WEEKLY", "2026-11-21", "2026-11-28", []string{"2026-11-27 00:00"}},
		{"what is under way", "2026-11-20T23:30", "", "2026-11-21", "2026-11-22", []string{"2026-11-20 23:30"}},
		{"a time that only just ended", "2026-11-20T23:00", "", "2026-11-21", "2026-11-22", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := draft(t, agenda.Draft{Start: c.start, Rule: c.rule})
			found, err := e.Occurrences(at(c.from), at(c.to), amsterdam, 100)
			if diff := cmp.Diff(c.want, starts(found)); diff != "" || err != nil {
				t.Errorf("%s %v", diff, err)
			}
		})
	}
}

// An occurrence says whether the clocks change at its time. One whose end is missing too lasts as long as usual.
func TestFit(t *testing.T) {
	t.Parallel()
	e := draft(t, agenda.Draft{Start: "2026-03-29T02:15", Minutes: 30})
	found, err := e.Occurrences(at("2026-03-29"), at("2026-03-30"), amsterdam, 9)
	if err != nil || len(found) != 1 || found[0].Fit != civil.Missing || found[0].End.Sub(found[0].Start) != 30*time.Minute {
		t.Errorf("%+v %v", found, err)
	}
}

// A rule is read back to front of the years: what happens late in a series does not depend on where one begins to look.
func TestForward(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{
		"FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,SU;WKST=SU", "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=-1", "FREQ=MONTHLY;INTERVAL=7",
		"FREQ=YEARLY;INTERVAL=3", "FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=MO", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=-1", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
		"FREQ=DAILY;INTERVAL=2;BYMONTH=1,2", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
	} {
		e := draft(t, agenda.Draft{Start: "2001-01-31T10:00", Rule: rule})
		all, err := e.Occurrences(at("2001-01-01"), at("2031-01-01"), amsterdam, 20_000)
		if err != nil || len(all) == 0 {
			t.Fatalf("%s: %d %v", rule, len(all), err)
		}
		for year := 2002; year < 2029; year += 3 {
			from, to := time.Date(year, 1, 1, 0, 0, 0, 0, amsterdam), time.Date(year+2, 1, 1, 0, 0, 0, 0, amsterdam)
			part, err := e.Occurrences(from, to, amsterdam, 20_000)
			var want []string
			for _, o := range all {
				if !o.Start.Before(from) && o.Start.Before(to) {
					want = append(want, starts([]agenda.Occurrence{o})...)
				}
			}
			if diff := cmp.Diff(want, starts(part)); diff != "" || err != nil {
				t.Errorf("%s from %d: %s %v", rule, year, diff, err)
			}
		}
	}
}

// A rule that cannot be used is refused, with what would be right. None takes long, whatever it asks for.
func TestBadRules(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	for rule, want := range map[string]string{
		"FREQ=HOURLY":                            "more than once a day",
		"FREQ=SECONDLY;INTERVAL=1":               "more than once a day",
		"FREQ=FORTNIGHTLY":                       "it must be DAILY, WEEKLY, MONTHLY or YEARLY",
		"BYDAY=MO":                               "FREQ is missing",
		"every tuesday":                          "write it like FREQ=WEEKLY;BYDAY=TU",
		"FREQ=DAILY;FREQ=WEEKLY":                 "stands there twice",
		"FREQ=DAILY;COUNT=2;UNTIL=20270101":      "both COUNT and UNTIL",
		"FREQ=DAILY;COUNT=0":                     "a number from 1 to 10000",
		"FREQ=DAILY;INTERVAL=-1":                 "a number from 1 to 1000",
		"FREQ=DAILY;INTERVAL=99999999999":        "a number from 1 to 1000",
		"FREQ=DAILY;UNTIL=tomorrow":              "write it like 20261231T230000Z",
		"FREQ=DAILY;BYEASTER=1":                  "there is no part",
		"FREQ=DAILY;BYMONTH=13":                  "bymonth must be between 1 and 12",
		"FREQ=MONTHLY;BYDAY=53MO":                "does not go with it",
		"FREQ=MONTHLY;BYDAY=-53MO":               "does not go with it",
		"FREQ=WEEKLY;BYDAY=2MO":                  "does not go with it",
		"FREQ=MONTHLY;BYMONTHDAY=0":              "bymonthday must be between",
		"FREQ=YEARLY;BYSETPOS=1":                 "BYSETPOS chooses from",
		"FREQ=WEEKLY;BYMONTHDAY=3":               "use MONTHLY",
		"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30":     "no day fits it",
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30,31": "no day fits it",
		"FREQ=DAILY;UNTIL=20200101":              "no day fits it",
		"FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=" + strings.TrimSuffix(strings.Repeat("1,", 60), ","): "at most 24 are possible",
		"FREQ=DAILY;BYHOUR=" + strings.Repeat("1,", 300) + "1":                                      "at most 500 bytes",
	} {
		e := draft(t, agenda.Draft{Start: "2026-11-24T09:00", Rule: rule})
		if err := desk.write(e); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", rule, err, want)
		}
	}
}
