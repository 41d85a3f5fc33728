package offline

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A moment is when something is to be, as far as a message says it.
type moment struct {
	day      time.Time // its date; zero: none is said
	hour     int       // -1: none is said
	minute   int
	exact    time.Time // of "in 20 minutes"
	cron     string    // days of a cron expression, such as 1-5
	repeats  bool
	interval string // of "every hour"
	rest     string // the message without what says when
}

// began is what a prompt says of the time at which the turn began.
var began = regexp.MustCompile(`This turn began on \w+, (\S+) \(time zone ([\w/+-]+)\)`)

var (
	dayNames = map[string]time.Weekday{
		"zondag": 0, "maandag": 1, "dinsdag": 2, "woensdag": 3, "donderdag": 4, "vrijdag": 5, "zaterdag": 6,
		"sunday": 0, "monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6,
	}
	monthNames = map[string]time.Month{
		"jan": 1, "feb": 2, "maa": 3, "mrt": 3, "mar": 3, "apr": 4, "mei": 5, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "okt": 10, "oct": 10, "nov": 11, "dec": 12,
	}
	numberNames = map[string]int{
		"een": 1, "één": 1, "twee": 2, "drie": 3, "vier": 4, "vijf": 5, "zes": 6, "zeven": 7, "acht": 8, "negen": 9, "tien": 10, "elf": 11, "twaalf": 12,
		"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	}
	relativeDays = map[string]int{
		"vandaag": 0, "vanavond": 0, "vanmiddag": 0, "vanochtend": 0, "vanmorgen": 0, "vannacht": 0, "morgen": 1, "morgenochtend": 1, "morgenmiddag": 1, "morgenavond": 1, "overmorgen": 2,
		"today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "tomorrow": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
	}
)

const (
	dayWords   = `(zondag|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|sunday|monday|tuesday|wednesday|thursday|friday|saturday)`
	monthWords = `(januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|january|february|march|may|june|july|august|october|jan|feb|mrt|mar|apr|jun|jul|aug|sept?|okt|oct|nov|dec)`
	numbers    = `(\d{1,3}|een|één|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`
)

// The ways to say when, tried in this order. What one of them reads is taken out of the message.
var whens = []struct {
	pattern *regexp.Regexp
	read    func(m *moment, now time.Time, found []string) bool
}{
	{phrase(`(?:over|in) ` + numbers + ` (minuten|minuut|minutes?|uur|uren|hours?|dagen|dag|days?|weken|week|weeks?)`), readRelative},
	{phrase(`(?:elk|ieder|every) (?:uur|hour)`), func(m *moment, _ time.Time, _ []string) bool { m.interval, m.repeats = "1h", true; return true }},
	{phrase(`(?:elke|iedere|every) (?:werkdag|doordeweekse dag|weekday|working day)`), func(m *moment, _ time.Time, _ []string) bool { return m.repeat("1-5") }},
	{phrase(`(?:elke dag|iedere dag|dagelijks|every day|daily)`), func(m *moment, _ time.Time, _ []string) bool { return m.repeat("*") }},
	{phrase(`(?:elke|iedere|every) ` + dayWords), func(m *moment, _ time.Time, found []string) bool {
		return m.repeat(strconv.Itoa(int(dayNames[found[1]])))
	}},
	{phrase(`(?:on |op )?(\d{4})-(\d{2})-(\d{2})`), readISO},
	{phrase(`(?:op |on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? ` + monthWords + `(?: (\d{4}))?`), func(m *moment, now time.Time, f []string) bool { return m.readDate(now, f[1], f[2], f[3]) }},
	{phrase(`(?:on )?` + monthWords + ` (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?`), func(m *moment, now time.Time, f []string) bool { return m.readDate(now, f[2], f[1], f[3]) }},
	{phrase(`(vandaag|vanavond|vanmiddag|vanochtend|vanmorgen|vannacht|morgenochtend|morgenmiddag|morgenavond|morgen|overmorgen|today|tonight|this morning|this afternoon|this evening|the day after tomorrow|day after tomorrow|tomorrow)`), readRelativeDay},
	{phrase(`(?:(?:volgende week|next week) (?:op |on )?|(?:op |on )?(?:aanstaande |komende |volgende |next )?)` + dayWords), readWeekday},
	{phrase(`(?:om |at |rond )?kwart (over|voor) ` + numbers), func(m *moment, _ time.Time, f []string) bool { return m.readQuarter(f[1] == "over", f[2]) }},
	{phrase(`(?:om |at )?(?:a )?quarter (past|to) ` + numbers), func(m *moment, _ time.Time, f []string) bool { return m.readQuarter(f[1] == "past", f[2]) }},
	{phrase(`(?:om |at )?half past ` + numbers), func(m *moment, _ time.Time, f []string) bool { return m.readClock(f[1], "30", "") }},
	{phrase(`(?:om |rond )?half ` + numbers), func(m *moment, _ time.Time, f []string) bool { return m.readHalf(f[1]) }},
	{phrase(`(?:om |at |rond )?(\d{1,2})[:.h](\d{2})(?: ?uur)?(?: ?(am|pm|a\.m\.|p\.m\.))?`), func(m *moment, _ time.Time, f []string) bool { return m.readClock(f[1], f[2], f[3]) }},
	{phrase(`(?:om |at |rond )?` + numbers + ` ?(?:uur|o'clock)`), func(m *moment, _ time.Time, f []string) bool { return m.readClock(f[1], "0", "") }},
	{phrase(`(?:at )?(\d{1,2}) ?(am|pm|a\.m\.|p\.m\.)`), func(m *moment, _ time.Time, f []string) bool { return m.readClock(f[1], "0", f[2]) }},
	{phrase(`(?:om|at) ` + numbers), func(m *moment, _ time.Time, f []string) bool { return m.readClock(f[1], "0", "") }},
	{phrase(`(?:at )?(noon|midnight)`), func(m *moment, _ time.Time, f []string) bool {
		m.hour, m.minute = map[string]int{"noon": 12}[f[1]], 0
		return true
	}},
}

// part is a part of the day, which says what an hour on a clock of twelve means.
var (
	late  = phrase(`(?:'s avonds|'s middags|in the evening|in the afternoon|at night)`)
	early = phrase(`(?:'s ochtends|'s morgens|in the morning)`)
)

func phrase(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[\s,;(])` + pattern + `(?:$|[\s,;.!?)])`)
}

// whenOf reads when something is to be out of a message. Nothing that is read stays in the rest.
func whenOf(text string, now time.Time) moment {
	m := moment{hour: -1, rest: " " + text + " "}
	lateDay := strings.Contains(strings.ToLower(text), "avond") || strings.Contains(strings.ToLower(text), "tonight") || strings.Contains(strings.ToLower(text), "middag") || phrase(`this (evening|afternoon)`).MatchString(text)
	isLate := late.MatchString(m.rest) || lateDay
	m.rest = late.ReplaceAllString(m.rest, " ")
	m.rest = early.ReplaceAllString(m.rest, " ")
	for _, w := range whens {
		at := w.pattern.FindStringSubmatchIndex(m.rest)
		if at == nil || m.hour >= 0 && isClock(w.pattern) {
			continue
		}
		var found []string
		for i := 0; i+1 < len(at); i += 2 {
			if at[i] < 0 {
				found = append(found, "")
				continue
			}
			found = append(found, strings.ToLower(m.rest[at[i]:at[i+1]]))
		}
		if w.read(&m, now, found) {
			m.rest = m.rest[:at[0]] + "  " + m.rest[at[1]:]
		}
	}
	if isLate && m.hour >= 1 && m.hour < 12 {
		m.hour += 12
	}
	m.rest = strings.Join(strings.Fields(m.rest), " ")
	return m
}

// isClock reports whether a pattern reads a time of day.
func isClock(p *regexp.Regexp) bool {
	for _, w := range whens[10:] {
		if w.pattern == p {
			return true
		}
	}
	return false
}

func numberOf(word string) int {
	if n, ok := numberNames[word]; ok {
		return n
	}
	n, err := strconv.Atoi(word)
	if err != nil {
		return -1
	}
	return n
}

func (m *moment) repeat(days string) bool {
	m.cron, m.repeats = days, true
	return true
}

func readRelative(m *moment, now time.Time, f []string) bool {
	n := numberOf(f[1])
	switch {
	case strings.HasPrefix(f[2], "min"):
		m.exact = now.Add(time.Duration(n) * time.Minute)
	case strings.HasPrefix(f[2], "u"), strings.HasPrefix(f[2], "h"):
		m.exact = now.Add(time.Duration(n) * time.Hour)
	case strings.HasPrefix(f[2], "w"):
		m.day = now.AddDate(0, 0, 7*n)
	default:
		m.day = now.AddDate(0, 0, n)
	}
	return true
}

func readISO(m *moment, now time.Time, f []string) bool {
	day, err := time.ParseInLocation(time.DateOnly, f[1]+"-"+f[2]+"-"+f[3], now.Location())
	m.day = day
	return err == nil
}

func (m *moment) readDate(now time.Time, day, month, year string) bool {
	n, known := numberOf(day), monthNames[month[:3]]
	y := now.Year()
	if year != "" {
		y = numberOf(year)
	}
	at := time.Date(y, known, n, 0, 0, 0, 0, now.Location())
	if year == "" && at.Before(dateOf(now)) {
		at = time.Date(y+1, known, n, 0, 0, 0, 0, now.Location())
	}
	if at.Day() != n || known == 0 {
		return false
	}
	m.day = at
	return true
}

func dateOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

func readRelativeDay(m *moment, now time.Time, f []string) bool {
	m.day = dateOf(now).AddDate(0, 0, relativeDays[f[1]])
	return true
}

func readWeekday(m *moment, now time.Time, f []string) bool {
	days := (int(dayNames[f[1]]) - int(now.Weekday()) + 7) % 7
	if days == 0 {
		days = 7
	}
	if strings.Contains(f[0], " week ") { // of the week that begins on the next Monday
		toMonday := (8 - int(now.Weekday())) % 7
		if toMonday == 0 {
			toMonday = 7
		}
		days = toMonday + (int(dayNames[f[1]])+6)%7
	}
	m.day = dateOf(now).AddDate(0, 0, days)
	return true
}

func (m *moment) readClock(hour, minute, half string) bool {
	h, n := numberOf(hour), numberOf(minute)
	switch {
	case strings.HasPrefix(half, "p") && h < 12:
		h += 12
	case strings.HasPrefix(half, "a") && h == 12:
		h = 0
	}
	if h < 0 || h > 23 || n < 0 || n > 59 {
		return false
	}
	m.hour, m.minute = h, n
	return true
}

// readHalf reads "half tien", which is half an hour before ten.
func (m *moment) readHalf(hour string) bool {
	h := numberOf(hour)
	if h < 1 || h > 12 {
		return false
	}
	m.hour, m.minute = h-1, 30
	return true
}

func (m *moment) readQuarter(past bool, hour string) bool {
	h := numberOf(hour)
	if h < 1 || h > 12 {
		return false
	}
	if m.hour, m.minute = h, 15; !past {
		m.hour, m.minute = h-1, 45
	}
	return true
}

// at is the wall time that is meant, or "" if that is not clear.
func (m moment) at(now time.Time) string {
	const wall = "2006-01-02T15:04"
	switch {
	case !m.exact.IsZero():
		return m.exact.Format(wall)
	case m.hour < 0:
		return ""
	case !m.day.IsZero():
		return m.day.Format(time.DateOnly) + "T" + clock(m.hour, m.minute)
	}
	if at := dateOf(now).Add(0); m.hour > now.Hour() || m.hour == now.Hour() && m.minute > now.Minute() {
		return at.Format(time.DateOnly) + "T" + clock(m.hour, m.minute)
	}
	return "" // it is past today, and tomorrow was not said
}

func clock(hour, minute int) string {
	return time.Date(2000, 1, 1, hour, minute, 0, 0, time.UTC).Format("15:04")
}
