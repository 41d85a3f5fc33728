package agenda

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"rein/household/agenda"
	"rein/internal/civil"
	"rein/internal/speech"
)

var words = speech.Words{
	"en": {
		"add": "Shall I add '%[2]s' on %[1]s?", "add repeating": "Shall I add '%[2]s', %[3]s from %[1]s on?",
		"move": "Shall I move '%s' from %s to %s%s?", "change": "Shall I change '%s' on %s%s?", "delete": "Shall I delete '%s' on %s%s?",
		"one": ", only this time", "following": ", this time and all later ones", "all": ", all of them",
		"added": "Added: '%s', %s.", "changed": "Changed: '%s', %s.", "deleted": "Deleted: '%s', %s%s.",
		"until": "It ends at %s.", "until day": "It lasts until %s.", "at": "Place: %s.", "notes": "Notes: %s", "repeats": "It repeats by the rule %s.",
		"alarm": "Alarm: %s.", "before": "%s before", "no alarm": "No alarm.", "shared": "Everyone in the household sees it.", "private": "Only you see it.", "free": "It takes no time: others can be planned at the same time.", "busy": "It takes time.",
		"title": "Title: %s → %s.", "place": "Place: %s → %s.", "new notes": "Notes: %s → %s.", "nothing": "none",
		"repeat": "It repeats: %s.", "no repeat": "It does not repeat any more.",
		"conflict": "At the same time as '%s', %s.", "conflict of": "At the same time as '%s' of %s, %s.",
		"missing": "The clocks change: %s does not exist on %s, so it begins at %s.", "twice": "The clocks change: %s comes twice on %s, and the first one counts.",
		"passed":  "That is in the past.",
		"minutes": "%d minutes", "minute": "1 minute", "hours": "%d hours", "hour": "1 hour", "days": "%d days", "day": "1 day", "start": "at the start",
		"none": "Nothing is in the agenda from %s to %s.", "list": "In the agenda from %s to %s:", "all day": "all day", "whole": "%s, all day",
		"no free": "No free time of %s was found from %s to %s.", "free time": "Free for %s:", "only shared": "Of others only what they share is known.",
		"every day": "every day", "every days": "every %d days", "every week": "every week", "every weeks": "every %d weeks", "every month": "every month", "every months": "every %d months", "every year": "every year", "every years": "every %d years",
		"on": " on %s", "and": " and ", "times": ", %d times", "ends": " until %s", "repeated": "repeatedly",
	},
	"nl": {
		"add": "Zal ik op %[1]s '%[2]s' toevoegen?", "add repeating": "Zal ik '%[2]s' toevoegen, %[3]s vanaf %[1]s?",
		"move": "Zal ik '%s' verplaatsen van %s naar %s%s?", "change": "Zal ik '%s' op %s wijzigen%s?", "delete": "Zal ik '%s' op %s verwijderen%s?",
		"one": ", alleen deze keer", "following": ", deze keer en alle latere", "all": ", alle keren",
		"added": "Toegevoegd: '%s', %s.", "changed": "Gewijzigd: '%s', %s.", "deleted": "Verwijderd: '%s', %s%s.",
		"until": "Het eindigt om %s.", "until day": "Het duurt tot en met %s.", "at": "Plaats: %s.", "notes": "Notities: %s", "repeats": "Het herhaalt zich volgens de regel %s.",
		"alarm": "Herinnering: %s.", "before": "%s ervoor", "no alarm": "Geen herinnering.", "shared": "Iedereen in het huishouden ziet het.", "private": "Alleen jij ziet het.", "free": "Het kost geen tijd: er kan iets anders tegelijk.", "busy": "Het kost tijd.",
		"title": "Titel: %s → %s.", "place": "Plaats: %s → %s.", "new notes": "Notities: %s → %s.", "nothing": "geen",
		"repeat": "Het herhaalt zich: %s.", "no repeat": "Het herhaalt zich niet meer.",
		"conflict": "Tegelijk met '%s', %s.", "conflict of": "Tegelijk met '%s' van %s, %s.",
		"missing": "De klok verspringt: %s bestaat niet op %s, dus het begint om %s.", "twice": "De klok verspringt: %s komt twee keer op %s, en de eerste keer telt.",
		"passed":  "Dat is voorbij.",
		"minutes": "%d minuten", "minute": "1 minuut", "hours": "%d uur", "hour": "1 uur", "days": "%d dagen", "day": "1 dag", "start": "bij het begin",
		"none": "Er staat niets in de agenda van %s tot %s.", "list": "In de agenda van %s tot %s:", "all day": "hele dag", "whole": "%s, hele dag",
		"no free": "Er is geen vrije tijd van %s gevonden van %s tot %s.", "free time": "Vrij voor %s:", "only shared": "Van anderen is alleen bekend wat zij delen.",
		"every day": "elke dag", "every days": "elke %d dagen", "every week": "elke week", "every weeks": "elke %d weken", "every month": "elke maand", "every months": "elke %d maanden", "every year": "elk jaar", "every years": "elke %d jaar",
		"on": " op %s", "and": " en ", "times": ", %d keer", "ends": " tot en met %s", "repeated": "herhaald",
	},
}

// A voice says things about events to one reader.
type voice struct {
	language string
	zone     *time.Location
	now      time.Time
}

func (v voice) say(key string, args ...any) string { return words.Say(v.language, key, args...) }

// when is the start of an occurrence, as one says it.
func (v voice) when(o agenda.Occurrence) string {
	if o.Event.AllDay {
		return speech.Day(v.language, o.Start.In(v.zone), v.now)
	}
	return speech.When(v.language, o.Start.In(v.zone), v.now)
}

// span is an occurrence from its start to its end.
func (v voice) span(o agenda.Occurrence) string {
	start, end := o.Start.In(v.zone), o.End.In(v.zone)
	if o.Event.AllDay {
		last := end.AddDate(0, 0, -1)
		if last.After(start) {
			return speech.Day(v.language, start, v.now) + " – " + speech.Day(v.language, last, v.now)
		}
		return v.say("whole", speech.Day(v.language, start, v.now))
	}
	from := speech.When(v.language, start, v.now)
	switch {
	case !end.After(start):
		return from
	case start.YearDay() == end.YearDay() && start.Year() == end.Year():
		return from + "–" + end.Format("15:04")
	}
	return from + " – " + speech.When(v.language, end, v.now)
}

// length is how long something lasts, as one says it.
func (v voice) length(d time.Duration) string {
	minutes := int(d / time.Minute)
	for _, unit := range []struct {
		size     int
		one, all string
	}{{24 * 60, "day", "days"}, {60, "hour", "hours"}, {1, "minute", "minutes"}} {
		switch n := minutes / unit.size; {
		case minutes%unit.size != 0 || n == 0:
		case n == 1:
			return v.say(unit.one)
		default:
			return v.say(unit.all, n)
		}
	}
	return v.say("minutes", minutes)
}

// alarms says when an event rings.
func (v voice) alarms(minutes []int) string {
	var all []string
	for _, m := range minutes {
		if m == 0 {
			all = append(all, v.say("start"))
			continue
		}
		all = append(all, v.say("before", v.length(time.Duration(m)*time.Minute)))
	}
	return v.say("alarm", v.list(all))
}

// list writes several things one after the other.
func (v voice) list(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + v.say("and") + all[len(all)-1]
}

// The units of rules.
var units = map[string]string{"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}

var weekdays = map[string]time.Weekday{"MO": time.Monday, "TU": time.Tuesday, "WE": time.Wednesday, "TH": time.Thursday, "FR": time.Friday, "SA": time.Saturday, "SU": time.Sunday}

// repeat says how an event repeats. whole reports whether that is all of the rule.
func (v voice) repeat(e agenda.Event) (text string, whole bool) {
	parts := map[string]string{}
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.ToUpper(e.Rule), "RRULE:"), ";") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
	}
	unit, ok := units[parts["FREQ"]]
	if !ok {
		return v.say("repeated"), e.Rule == ""
	}
	text = v.say("every " + unit)
	if n, err := strconv.Atoi(parts["INTERVAL"]); err == nil && n > 1 {
		text = v.say("every "+unit+"s", n)
	}
	whole = true
	for name := range parts {
		switch name {
		case "FREQ", "INTERVAL", "WKST", "COUNT", "UNTIL":
		case "BYDAY":
			days, plain := v.days(parts[name])
			if whole = whole && plain; plain {
				text += v.say("on", days)
			}
		default:
			whole = false
		}
	}
	if n, err := strconv.Atoi(parts["COUNT"]); err == nil {
		text += v.say("times", n)
	}
	if until := parts["UNTIL"]; len(until) >= 8 {
		day, err := v.until(until)
		if whole = whole && err == nil; err == nil {
			text += v.say("ends", day)
		}
	}
	return text, whole
}

// until is the last day of a rule.
func (v voice) until(text string) (string, error) {
	at, err := time.Parse("20060102T150405Z", text)
	if err == nil {
		return speech.Day(v.language, at.In(v.zone), v.now), nil
	}
	if at, err = time.Parse("20060102", text[:8]); err != nil {
		return "", err
	}
	return speech.Day(v.language, at, v.now), nil
}

// days names weekdays. plain reports whether they are no more than that.
func (v voice) days(value string) (text string, plain bool) {
	var all []string
	for name := range strings.SplitSeq(value, ",") {
		day, ok := weekdays[name]
		if !ok {
			return "", false
		}
		// 1 November 2026 is a Sunday.
		name, _, _ := strings.Cut(speech.Day(v.language, time.Date(2026, 11, 1+int(day), 0, 0, 0, 0, time.UTC), v.now), " ")
		all = append(all, name)
	}
	return v.list(all), true
}

// clocks says what changes of the clocks do to an occurrence; "": nothing.
func (v voice) clocks(o agenda.Occurrence) string {
	if o.Event.AllDay || o.Fit == civil.Once {
		return ""
	}
	wall, day := o.Event.Start.Format("15:04"), speech.Day(v.language, o.Start, v.now)
	if o.Fit == civil.Missing {
		return v.say("missing", wall, day, o.Start.Format("15:04"))
	}
	return v.say("twice", wall, day)
}

// conflict says with what an event is at the same time.
func (v voice) conflict(c agenda.Conflict) string {
	if c.Other.Event.User != c.Own.Event.User {
		return v.say("conflict of", c.Other.Event.Title, c.Other.Event.User, v.span(c.Other))
	}
	return v.say("conflict", c.Other.Event.Title, v.span(c.Other))
}

// or is a text, or what stands for none.
func (v voice) or(text string) string {
	if text == "" {
		return v.say("nothing")
	}
	return fmt.Sprintf("'%s'", text)
}
