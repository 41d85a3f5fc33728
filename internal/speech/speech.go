// Package speech has what rein says to people in their language: words by key, and times as one says them.
package speech

import (
	"fmt"
	"strings"
	"time"
)

// Words are texts by language, then by key. English has every word; another language may lack some.
type Words map[string]map[string]string

// Say returns a text in a language, a tag such as nl or nl-NL, or else in English. An empty language is English.
func (w Words) Say(language, key string, args ...any) string {
	form, ok := w[Base(language)][key]
	if !ok {
		form = w["en"][key]
	}
	if len(args) == 0 {
		return form
	}
	return fmt.Sprintf(form, args...)
}

// Base is the language of a tag: nl of nl-NL.
func Base(tag string) string {
	language, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return language
}

// A calendar is how a language names days.
type calendar struct {
	days   [7]string
	months [12]string
	date   func(c calendar, t time.Time) string
}

var calendars = map[string]calendar{
	"en": {
		days:   [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
		months: [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
		date: func(c calendar, t time.Time) string {
			return fmt.Sprintf("%s %d %s", c.days[t.Weekday()], t.Day(), c.months[t.Month()-1])
		},
	},
	"nl": {
		days:   [7]string{"zondag", "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag"},
		months: [12]string{"januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december"},
		date: func(c calendar, t time.Time) string {
			return fmt.Sprintf("%s %d %s", c.days[t.Weekday()], t.Day(), c.months[t.Month()-1])
		},
	},
}

func calendarOf(language string) calendar {
	if c, ok := calendars[Base(language)]; ok {
		return c
	}
	return calendars["en"]
}

// Day is a day as one says it, in the zone of the time: "Tuesday 24 November", with the year if it is not that of now.
func Day(language string, t, now time.Time) string {
	c := calendarOf(language)
	text := c.date(c, t)
	if t.Year() != now.In(t.Location()).Year() {
		text += fmt.Sprintf(" %d", t.Year())
	}
	return text
}

// When is a day with the time on it: "Tuesday 24 November, 09:00".
func When(language string, t, now time.Time) string {
	return Day(language, t, now) + ", " + t.Format("15:04")
}

// List names things as one says them: "a, b and c".
func List(language string, names []string) string {
	and := " and "
	if Base(language) == "nl" {
		and = " en "
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + and + names[len(names)-1]
}

// Weekday is the name of a day of the week.
func Weekday(language string, d time.Weekday) string { return calendarOf(language).days[d] }

// Month is the name of a month.
func Month(language string, m time.Month) string { return calendarOf(language).months[m-1] }
