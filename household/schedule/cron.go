package schedule

import (
	"fmt"
	"math/bits"
	"regexp"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"rein"
	"rein/internal/civil"
)

// An expression is what a cron expression means: fields of wall times. When these are is decided here, by package civil:
// the parser's own Next skips a time that a change of the clocks removes.
type expression struct {
	minutes, hours, days, months, weekdays uint64
	anyDay, anyWeekday                     bool
}

const starBit = 1 << 63 // of the parser: the field was * or ?

var (
	fields  = cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
	toSeven = regexp.MustCompile(`^([0-6]|mon|tue|wed|thu|fri|sat|sun)-7$`)
	macros  = map[string]string{
		"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
		"@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
	}
)

// parseCron reads an expression of five fields.
func parseCron(text string) (e expression, err error) {
	plain := strings.Join(strings.Fields(text), " ")
	if macro, ok := macros[strings.ToLower(plain)]; ok {
		plain = macro
	}
	parts := strings.Fields(plain)
	if len(parts) != 5 || strings.ContainsAny(plain, "=@") {
		return e, rein.Errorf(rein.CodeInvalid, "expression %.80q must have five fields (minute, hour, day of the month, month, day of the week), such as 30 7 * * 2 for Tuesdays at 07:30", text)
	}
	parts[4] = sundays(parts[4])
	parsed, err := fields.Parse(strings.Join(parts, " "))
	if err != nil {
		return e, rein.Errorf(rein.CodeInvalid, "expression %.80q: %v. It has five fields (minute, hour, day of the month, month, day of the week), such as 30 7 * * 2 for Tuesdays at 07:30", text, err)
	}
	spec, ok := parsed.(*cron.SpecSchedule)
	if !ok {
		return e, rein.Errorf(rein.CodeInvalid, "expression %.80q has no fields", text)
	}
	return expression{
		minutes: spec.Minute &^ starBit, hours: spec.Hour &^ starBit, days: spec.Dom &^ starBit, months: spec.Month &^ starBit, weekdays: spec.Dow &^ starBit,
		anyDay: spec.Dom&starBit != 0, anyWeekday: spec.Dow&starBit != 0,
	}, nil
}

// sundays writes the seventh day of the week as many people do, 7, in the way of the parser: 0.
func sundays(field string) string {
	parts := strings.Split(field, ",")
	for i, part := range parts {
		if part == "7" {
			parts[i] = "0"
		} else if m := toSeven.FindStringSubmatch(strings.ToLower(part)); m != nil {
			parts[i] = m[1] + "-6,0"
		}
	}
	return strings.Join(parts, ",")
}

func has(set uint64, n int) bool { return set&(1<<n) != 0 }

// on reports whether there are slots on a day. As in every cron, a day of the month and a day of the week that are both
// given mean either.
func (e expression) on(day time.Time) bool {
	if !has(e.months, int(day.Month())) {
		return false
	}
	byDate, byWeekday := has(e.days, day.Day()), has(e.weekdays, int(day.Weekday()))
	if e.anyDay || e.anyWeekday {
		return byDate && byWeekday
	}
	return byDate || byWeekday
}

// ofDay lists the slots of a day, given as its midnight in UTC, in order. Wall times that the clocks jump over are one
// slot, and those that come twice are one slot each.
func (e expression) ofDay(day time.Time, zone *time.Location) (slots []time.Time) {
	if !e.on(day) {
		return nil
	}
	for hour := range 24 {
		if !has(e.hours, hour) {
			continue
		}
		for minute := range 60 {
			if !has(e.minutes, minute) {
				continue
			}
			at, _ := civil.At(day.Year(), day.Month(), day.Day(), hour, minute, 0, zone)
			if len(slots) == 0 || at.After(slots[len(slots)-1]) {
				slots = append(slots, at)
			}
		}
	}
	return slots
}

// perHour is how many slots an hour has at most.
func (e expression) perHour() int { return bits.OnesCount64(e.minutes) }

// horizon is how many days are looked through for the next slot: 29 February comes after eight years at the latest, and
// the days of the week repeat with it after forty.
const horizon = 41 * 366

// next returns the first slot after an instant; zero: there is none.
func (e expression) next(after time.Time, zone *time.Location) time.Time {
	day := dayOf(after, zone).AddDate(0, 0, -1) // a change of the clocks can move the slots of a day to the next
	for range horizon {
		for _, at := range e.ofDay(day, zone) {
			if at.After(after) {
				return at
			}
		}
		day = day.AddDate(0, 0, 1)
	}
	return time.Time{}
}

// between returns the newest slots after an instant and up to another, and whether there are more than that many.
func (e expression) between(after, until time.Time, zone *time.Location, most int) (slots []time.Time, more bool) {
	first := dayOf(after, zone).AddDate(0, 0, -1)
	for day := dayOf(until, zone).AddDate(0, 0, 1); !day.Before(first); day = day.AddDate(0, 0, -1) {
		var found []time.Time
		for _, at := range e.ofDay(day, zone) {
			if at.After(after) && !at.After(until) && (len(slots) == 0 || at.Before(slots[0])) {
				found = append(found, at)
			}
		}
		slots = append(found, slots...)
		if len(slots) > most {
			return slots[len(slots)-most:], true
		}
	}
	return slots, false
}

// dayOf is the day of an instant in a zone, as its midnight in UTC.
func dayOf(at time.Time, zone *time.Location) time.Time {
	at = at.In(zone)
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
}

// checkCron refuses an expression that cannot be kept.
func checkCron(text string, now time.Time, zone *time.Location, everyMinute bool) error {
	e, err := parseCron(text)
	if err != nil {
		return err
	}
	if n := e.perHour(); n > maxHourly && !everyMinute {
		return rein.Errorf(rein.CodeInvalid, "expression %.80q fires %d times an hour, and every other minute (*/2) is the most. The setting schedule.every_minute allows more", text, n)
	}
	if e.next(now, zone).IsZero() {
		return rein.Errorf(rein.CodeInvalid, "expression %.80q never fires: no date fits %s", text, fmt.Sprintf("day %s of month %s", strings.Fields(text)[2], strings.Fields(text)[3]))
	}
	return nil
}
