package scheduler_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"rein/household/schedule"
)

// A statement says a second time what must fire of a job, and when: it knows the slots by looking at the clock on the wall
// minute by minute, and decides about sets of them.
type statement struct {
	id               string
	catchUp, overlap string
	slots            []time.Time

	last           time.Time
	due, running   []time.Time
	fired, skipped map[time.Time]bool
	began          map[time.Time]time.Time // when the run of a slot was started
}

func state(id string, w schedule.Want, begin, end time.Time) *statement {
	s := &statement{id: id, catchUp: w.CatchUp, overlap: w.Overlap, last: begin, fired: map[time.Time]bool{}, skipped: map[time.Time]bool{}, began: map[time.Time]time.Time{}}
	switch {
	case w.Every != "":
		every, err := time.ParseDuration(w.Every)
		if err != nil {
			seconds, _ := strconv.Atoi(w.Every)
			every = time.Duration(seconds) * time.Second
		}
		for at := begin.Add(every); at.Before(end); at = at.Add(every) {
			s.slots = append(s.slots, at)
		}
	case w.At != "":
		wall, err := time.Parse("2006-01-02T15:04", w.At)
		if err != nil {
			wall, _ = time.Parse("2006-01-02T15:04:05", w.At)
		}
		s.slots = onTheWall(wall.Add(-5*time.Hour), wall.Add(5*time.Hour), time.Second, wall.Equal)
	default:
		s.slots = onTheWall(begin, end, time.Minute, map[string]func(time.Time) bool{
			"30 2 * * sat-7": func(at time.Time) bool {
				return (at.Weekday() == time.Saturday || at.Weekday() == time.Sunday) && at.Hour() == 2 && at.Minute() == 30
			},
			"*/30 1-3 * * sun": func(at time.Time) bool {
				return at.Weekday() == time.Sunday && at.Hour() >= 1 && at.Hour() <= 3 && at.Minute()%30 == 0
			},
			"0 9 13 * 5": func(at time.Time) bool {
				return at.Hour() == 9 && at.Minute() == 0 && (at.Day() == 13 || at.Weekday() == time.Friday)
			},
		}[w.Cron])
	}
	return s
}

// onTheWall finds the instants at which the clock on the wall shows certain times. Where it jumps forward, the times that
// it jumps over are taken at the jump; where it goes back, what it showed before does not count again.
func onTheWall(begin, end time.Time, step time.Duration, is func(wall time.Time) bool) (slots []time.Time) {
	zone, _ := time.LoadLocation("Europe/Amsterdam")
	wallOf := func(at time.Time) time.Time {
		_, offset := at.In(zone).Zone()
		return at.Add(time.Duration(offset) * time.Second).UTC()
	}
	highest := wallOf(begin)
	for at := begin.Add(step); at.Before(end); at = at.Add(step) {
		wall := wallOf(at)
		for w := highest.Add(step); !w.After(wall); w = w.Add(step) {
			if is(w) && (len(slots) == 0 || !slots[len(slots)-1].Equal(at)) {
				slots = append(slots, at)
			}
			highest = w
		}
	}
	return slots
}

// busy reports whether the run of an earlier slot goes on, or waits for its turn.
func (s *statement) busy() bool { return len(s.due)+len(s.running) > 0 }

func (s *statement) tick(now time.Time) {
	s.settle(now)
	if s.last.Sub(now) > time.Minute {
		for at := range s.skipped {
			if at.After(now) {
				delete(s.skipped, at)
			}
		}
		s.last = now
	}
	from, _ := slices.BinarySearchFunc(s.slots, s.last.Add(1), time.Time.Compare)
	to, _ := slices.BinarySearchFunc(s.slots, now.Add(1), time.Time.Compare)
	if from < to {
		var undecided []time.Time
		for _, at := range s.slots[from:to] {
			if !s.fired[at] && !s.skipped[at] {
				undecided = append(undecided, at)
			}
		}
		s.decide(undecided, now)
		s.last = now
	}
	for len(s.due) > 0 && (s.overlap == "allow" || len(s.running) == 0) {
		at := s.due[0]
		s.due, s.running, s.began[at] = s.due[1:], append(s.running, at), now
		s.settle(now)
	}
}

// settle forgets runs that have ended.
func (s *statement) settle(now time.Time) {
	s.running = slices.DeleteFunc(s.running, func(at time.Time) bool {
		return !s.began[at].Add(takes(schedule.RunOf(s.id, at))).After(now)
	})
}

func (s *statement) decide(undecided []time.Time, now time.Time) {
	isLate := func(at time.Time) bool { return now.Sub(at) >= time.Minute }
	late := slices.ContainsFunc(undecided, isLate)
	newest := len(undecided) - 1
	for i, at := range undecided {
		switch {
		case s.catchUp == "skip" && isLate(at):
			if i == newest || !isLate(undecided[i+1]) {
				s.skipped[at] = true
			}
		case s.catchUp == "once" && late && i != newest:
		case s.busy() && s.overlap == "skip" && !(s.catchUp == "all" && isLate(at)):
			s.skipped[at] = true
		default:
			s.fired[at], s.due = true, append(s.due, at)
			slices.SortFunc(s.due, time.Time.Compare)
		}
	}
}

func (s *statement) compare(t *testing.T, w *world) {
	t.Helper()
	fired := 0
	for _, at := range s.slots {
		want, got := s.began[at], w.began[schedule.RunOf(s.id, at)]
		if !want.Equal(got) {
			t.Errorf("%s: slot %s was fired at %s, want %s", s.id, at, got, want)
		}
		if !got.IsZero() {
			fired++
		}
	}
	if fired != len(s.began) || fired == 0 && s.catchUp != "skip" {
		t.Errorf("%s: %d slots fired, want %d", s.id, fired, len(s.began))
	}
}
