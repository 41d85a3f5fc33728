package agenda

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"rein"
	"rein/internal/civil"
)

// Bounds of a rule. They keep what one event can ask of the machine small.
const (
	maxRule     = 500 // bytes
	maxInterval = 1000
	maxCount    = 10_000
	maxADay     = 24 // occurrences on one day
)

// normalRule is a rule in capitals and without its name.
func normalRule(rule string) string {
	rule = strings.ToUpper(strings.TrimSpace(rule))
	return strings.Trim(strings.TrimPrefix(rule, "RRULE:"), "; ")
}

// A rule is the RRULE of an event that was read and checked.
type rule struct {
	option rrule.ROption // without a start; its end is a wall time
	start  Wall
}

func badRule(text, format string, args ...any) error {
	return rein.Errorf(rein.CodeInvalid, "the rule %.100q cannot be used: %s", text, fmt.Sprintf(format, args...))
}

// checkRule says what is wrong with how an event repeats, if anything.
func (e Event) checkRule() error {
	if e.Rule == "" {
		return nil
	}
	r, err := e.parseRule()
	if err != nil {
		return err
	}
	if len(r.walls(Wall{}, Wall{farAway}, 1)) == 0 {
		return badRule(e.Rule, "no day fits it, or all that do come before the start of the event at %s", e.Start.Text(e.AllDay))
	}
	return nil
}

// farAway is after all times that events can have.
var farAway = time.Date(lastYear+199, time.December, 31, 0, 0, 0, 0, time.UTC)

// parseRule reads the rule of an event that has one.
func (e Event) parseRule() (rule, error) {
	text := e.Rule
	if len(text) > maxRule || strings.ContainsAny(text, "\r\n") {
		return rule{}, badRule(text, "it is one line of at most %d bytes", maxRule)
	}
	parts, err := ruleParts(text)
	if err != nil {
		return rule{}, err
	}
	if err := checkParts(text, parts); err != nil {
		return rule{}, err
	}
	until, err := e.until(text, parts["UNTIL"])
	if err != nil {
		return rule{}, err
	}
	option, err := rrule.StrToROption(endless(text))
	if err != nil {
		return rule{}, badRule(text, "%s", err)
	}
	option.Until = until
	if err := checkOption(text, option, e.AllDay); err != nil {
		return rule{}, err
	}
	return rule{*option, e.Start}, nil
}

// endless is a rule without the time at which it ends.
func endless(text string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(text, ";"), func(part string) bool { return strings.HasPrefix(part, "UNTIL=") }), ";")
}

// The parts that a rule can have.
var partNames = []string{"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYMONTH", "BYMONTHDAY", "BYDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS", "BYHOUR", "BYMINUTE", "BYSECOND"}

// ruleParts splits a rule. It refuses what stands there twice: programs would read it differently.
func ruleParts(text string) (map[string]string, error) {
	parts := map[string]string{}
	for part := range strings.SplitSeq(text, ";") {
		name, value, ok := strings.Cut(part, "=")
		_, twice := parts[name]
		switch {
		case !ok || value == "":
			return nil, badRule(text, "write it like FREQ=WEEKLY;BYDAY=TU: each part is NAME=VALUE, and %.40q is not", part)
		case !slices.Contains(partNames, name):
			return nil, badRule(text, "there is no part %.40q; available: %s", name, strings.Join(partNames, ", "))
		case twice:
			return nil, badRule(text, "%s stands there twice", name)
		}
		parts[name] = value
	}
	return parts, nil
}

// checkParts holds a rule to what RFC 5545 says of its parts.
func checkParts(text string, parts map[string]string) error {
	freq := parts["FREQ"]
	has := func(name string) bool { return parts[name] != "" }
	switch {
	case freq == "":
		return badRule(text, "FREQ is missing: DAILY, WEEKLY, MONTHLY or YEARLY")
	case freq == "HOURLY" || freq == "MINUTELY" || freq == "SECONDLY":
		return badRule(text, "FREQ=%s repeats more than once a day; an event repeats DAILY, WEEKLY, MONTHLY or YEARLY at most. Make a schedule for what happens more often", freq)
	case !slices.Contains([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}, freq):
		return badRule(text, "FREQ is %.20q; it must be DAILY, WEEKLY, MONTHLY or YEARLY", freq)
	case has("COUNT") && has("UNTIL"):
		return badRule(text, "it has both COUNT and UNTIL: use one of them")
	case has("BYWEEKNO") && freq != "YEARLY":
		return badRule(text, "BYWEEKNO goes with FREQ=YEARLY only")
	case has("BYYEARDAY") && freq != "YEARLY":
		return badRule(text, "BYYEARDAY goes with FREQ=YEARLY only")
	case has("BYMONTHDAY") && freq == "WEEKLY":
		return badRule(text, "BYMONTHDAY does not go with FREQ=WEEKLY: use MONTHLY")
	case has("BYSETPOS") && !slices.ContainsFunc(partNames[5:], func(name string) bool { return name != "BYSETPOS" && has(name) }):
		return badRule(text, "BYSETPOS chooses from what another BY part selects, and there is none")
	}
	for _, name := range []string{"INTERVAL", "COUNT"} {
		most := map[string]int{"INTERVAL": maxInterval, "COUNT": maxCount}[name]
		if n, err := strconv.Atoi(parts[name]); has(name) && (err != nil || n < 1 || n > most) {
			return badRule(text, "%s is %.20q; it must be a number from 1 to %d", name, parts[name], most)
		}
	}
	return nil
}

// checkOption checks what the library does not, and what would make it read beyond its tables.
func checkOption(text string, o *rrule.ROption, allDay bool) error {
	if _, err := rrule.NewRRule(*o); err != nil {
		return badRule(text, "%s", err)
	}
	times := max(len(o.Byhour), 1) * max(len(o.Byminute), 1) * max(len(o.Bysecond), 1)
	switch {
	case times > maxADay:
		return badRule(text, "it happens %d times a day; at most %d are possible", times, maxADay)
	case allDay && len(o.Byhour)+len(o.Byminute)+len(o.Bysecond) > 0:
		return badRule(text, "the event lasts all day, so it cannot repeat at times of the day: leave BYHOUR, BYMINUTE and BYSECOND out")
	}
	for _, d := range o.Byweekday {
		most := 0
		switch {
		case o.Freq == rrule.MONTHLY, o.Freq == rrule.YEARLY && len(o.Bymonth) > 0:
			most = 5
		case o.Freq == rrule.YEARLY && len(o.Byweekno) == 0:
			most = 53
		}
		if n := d.N(); n > most || n < -most {
			return badRule(text, "BYDAY=%s does not go with it: a number before a weekday counts the weekdays of a month or a year", d.String())
		}
	}
	return nil
}

// until reads the end of a rule as a wall time of the event. A whole day counts to its end.
func (e Event) until(text, value string) (time.Time, error) {
	if value == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse("20060102T150405Z", value); err == nil {
		zone, err := e.zone()
		if e.AllDay || err != nil {
			zone = time.UTC
		}
		return WallOf(t.In(zone)).t, nil
	}
	if t, err := time.Parse("20060102T150405", value); err == nil {
		return t, nil
	}
	t, err := time.Parse("20060102", value)
	if err != nil {
		return t, badRule(text, "UNTIL is %.40q; write it like 20261231T230000Z, or like 20261231 for a whole day", value)
	}
	return t.Add(24*time.Hour - time.Second), nil
}

// ahead is how far rules are moved into the future to be worked out. The calendar repeats itself every 400 years, days of
// the week included, so the result is the same; and the library stops in the year 9999, so that a rule which no day fits
// is given up after centuries and not after millennia.
const ahead = 19 * 400

func shifted(t time.Time, years int) time.Time {
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	return time.Date(year+years, month, day, hour, minute, second, 0, time.UTC)
}

// walls returns the wall times of a rule from one to another, both included, the earliest first, and at most so many.
func (r rule) walls(from, to Wall, most int) (found []Wall) {
	o := r.forward(from)
	o.Dtstart = shifted(o.Dtstart, ahead)
	end := shifted(to.t, ahead)
	if !o.Until.IsZero() {
		if until := shifted(o.Until, ahead); until.Before(end) {
			end = until
		}
	}
	o.Until = end
	made, err := rrule.NewRRule(o)
	if err != nil {
		return nil // checkOption has seen it
	}
	next := made.Iterator()
	for len(found) < most {
		t, ok := next()
		if !ok || t.After(end) {
			return found
		}
		if w := (Wall{shifted(t, -ahead)}); !w.Before(from) {
			found = append(found, w)
		}
	}
	return found
}

// forward returns the options of a rule with a start that is near a time, and the same occurrences from then on, so that
// years that are over are not worked out. It is a whole number of intervals before, and two more: the library begins its
// first period at the start and not at the beginning of the period. A rule that counts must be counted from its start.
func (r rule) forward(near Wall) rrule.ROption {
	o := r.option
	o.Dtstart = r.start.t
	if o.Count > 0 || !r.start.Before(near) {
		return o
	}
	full, err := rrule.NewRRule(o)
	if err != nil {
		return o
	}
	until := o.Until
	o = full.Options // with the days that follow from the start
	o.Until = until
	interval := max(o.Interval, 1)
	start := r.start.t
	days := int(near.Sub(r.start).Hours() / 24)
	months := (near.t.Year()-start.Year())*12 + int(near.t.Month()) - int(start.Month())
	steps := map[rrule.Frequency]int{rrule.DAILY: days / interval, rrule.WEEKLY: days / 7 / interval, rrule.MONTHLY: months / interval, rrule.YEARLY: months / 12 / interval}[o.Freq] - 2
	if steps <= 0 {
		return o
	}
	hour, minute, second := start.Clock()
	switch o.Freq {
	case rrule.DAILY:
		o.Dtstart = start.AddDate(0, 0, steps*interval)
	case rrule.WEEKLY:
		o.Dtstart = start.AddDate(0, 0, 7*steps*interval)
	case rrule.MONTHLY:
		o.Dtstart = time.Date(start.Year(), start.Month()+time.Month(steps*interval), 1, hour, minute, second, 0, time.UTC)
	case rrule.YEARLY:
		o.Dtstart = time.Date(start.Year()+steps*interval, time.January, 1, hour, minute, second, 0, time.UTC)
	}
	return o
}

// endedBefore returns a rule that ends before a wall time, and the one that continues from there.
func (e Event) endedBefore(w Wall) (before, after string, err error) {
	r, err := e.parseRule()
	if err != nil {
		return "", "", err
	}
	plain := endless(e.Rule)
	if r.option.Count > 0 {
		plain = strings.Join(slices.DeleteFunc(strings.Split(plain, ";"), func(part string) bool { return strings.HasPrefix(part, "COUNT=") }), ";")
	}
	before, after = plain+";UNTIL="+e.untilText(w.Add(-time.Second)), e.Rule
	if n := r.option.Count; n > 0 {
		gone := len(r.walls(Wall{}, w.Add(-time.Second), n))
		after = fmt.Sprintf("%s;COUNT=%d", plain, max(n-gone, 1))
	}
	return before, after, nil
}

// WholeRule is the rule with its end as RFC 5545 wants it for the event.
func (e Event) WholeRule() string {
	r, err := e.parseRule()
	if err != nil || r.option.Until.IsZero() {
		return e.Rule
	}
	parts := strings.Split(e.Rule, ";")
	for i, part := range parts {
		if strings.HasPrefix(part, "UNTIL=") {
			parts[i] = "UNTIL=" + e.untilText(Wall{r.option.Until})
		}
	}
	return strings.Join(parts, ";")
}

// untilText writes the last moment of a rule, as RFC 5545 wants it for the event.
func (e Event) untilText(w Wall) string {
	zone, err := e.zone()
	if e.AllDay || err != nil {
		return w.Format("20060102")
	}
	at, fit := w.In(zone)
	if fit == civil.Missing {
		at = at.Add(-time.Second)
	}
	return at.UTC().Format("20060102T150405Z")
}
