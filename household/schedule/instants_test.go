package schedule

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein/internal/civil"
)

const amsterdam = "Europe/Amsterdam"

func at(t *testing.T, zone, wall string) time.Time {
	t.Helper()
	place, err := civil.Zone(zone)
	if err != nil {
		t.Fatal(err)
	}
	found, _, err := civil.Parse(wall, place)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// The slots of expressions around changes of the clocks: a time that is missing fires at the first instant after the jump,
// and one that comes twice fires the first time.
//
// Covers: NEU-57
func TestCronSlots(t *testing.T) {
	for _, c := range []struct{ zone, expression, after, want string }{
		{amsterdam, "30 7 * * 2", "2026-11-20T12:00", "11-24T07:30+01 12-01T07:30+01 12-08T07:30+01"},
		{amsterdam, "0 8 * * 1-5", "2026-11-20T12:00", "11-23T08:00+01 11-24T08:00+01 11-25T08:00+01"},
		{amsterdam, "0 8 * * 7", "2026-11-20T12:00", "11-22T08:00+01 11-29T08:00+01 12-06T08:00+01"},
		{amsterdam, "0 8 * * 5-7", "2026-11-20T12:00", "11-21T08:00+01 11-22T08:00+01 11-27T08:00+01"},
		{amsterdam, "@daily", "2026-11-20T12:00", "11-21T00:00+01 11-22T00:00+01 11-23T00:00+01"},
		{amsterdam, "30 2 * * *", "2026-03-28T12:00", "03-29T03:00+02 03-30T02:30+02 03-31T02:30+02"},
		{amsterdam, "*/20 2 * * *", "2026-03-29T00:00", "03-29T03:00+02 03-30T02:00+02 03-30T02:20+02"},
		{amsterdam, "*/30 1-3 * * *", "2026-03-29T01:00", "03-29T01:30+01 03-29T03:00+02 03-29T03:30+02"},
		{amsterdam, "30 2 * * *", "2026-10-24T12:00", "10-25T02:30+02 10-26T02:30+01 10-27T02:30+01"},
		{amsterdam, "0 * * * *", "2026-10-25T01:30", "10-25T02:00+02 10-25T03:00+01 10-25T04:00+01"},
		{amsterdam, "0 9 29 2 *", "2026-11-20T12:00", "2028-02-29T09:00+01 2032-02-29T09:00+01 2036-02-29T09:00+01"},
		{amsterdam, "0 9 13 * 5", "2026-11-20T12:00", "11-27T09:00+01 12-04T09:00+01 12-11T09:00+01"},
		{"Australia/Lord_Howe", "15 2 * * *", "2026-10-03T12:00", "10-04T02:30+11 10-05T02:15+11 10-06T02:15+11"},
		{"Pacific/Apia", "0 12 * * *", "2011-12-29T13:00", "2011-12-31T00:00+14 2011-12-31T12:00+14 2012-01-01T12:00+14"},
	} {
		e, err := parseCron(c.expression)
		if err != nil {
			t.Error(err)
			continue
		}
		s := Schedule{Kind: Cron, Expression: c.expression, Zone: c.zone}
		var got []string
		after := at(t, c.zone, c.after)
		for _, slot := range s.Coming(after, 3) {
			got = append(got, strings.TrimPrefix(slot.In(s.Location()).Format("2006-01-02T15:04-07"), "2026-"))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s in %s:\n%s", c.expression, c.zone, diff)
		}
		// Looking back finds the same as looking ahead.
		coming := s.Coming(after, 40)
		back, more := s.Between(after, coming[len(coming)-1], 1000)
		if diff := cmp.Diff(coming, back); diff != "" || more {
			t.Errorf("%s in %s, looking back (%v):\n%s", c.expression, c.zone, more, diff)
		}
		if some, more := e.between(after, coming[len(coming)-1], s.Location(), 7); !more || len(some) != 7 || !some[6].Equal(coming[39]) || !some[0].Equal(coming[33]) {
			t.Errorf("%s: the newest 7 are %v", c.expression, some)
		}
	}
}

// Intervals count from when the job was made, and do not care about clocks on the wall.
func TestEverySlots(t *testing.T) {
	s := Schedule{Kind: Every, At: at(t, amsterdam, "2026-03-28T12:00").UTC(), Every: 24 * time.Hour, Zone: amsterdam}
	if got := s.NextAfter(s.At.Add(-time.Hour)); !got.Equal(s.At.Add(24 * time.Hour)) {
		t.Error("before the beginning:", got)
	}
	if got := s.NextAfter(s.At.Add(24 * time.Hour)); got.In(s.Location()).Format("01-02T15:04") != "03-30T13:00" {
		t.Error(got)
	}
	found, more := s.Between(s.At, s.At.AddDate(3, 0, 0), 5)
	if len(found) != 5 || !more || !found[4].Equal(s.At.AddDate(3, 0, 0)) {
		t.Error(found, more)
	}
	if found, more = s.Between(s.At, s.At.Add(time.Hour), 5); found != nil || more {
		t.Error(found, more)
	}
}
