package schedule

import (
	"fmt"
	"math/bits"
	"strings"
	"time"

	"rein/internal/speech"
)

var words = speech.Words{
	"en": {
		"reminder": "Reminder: %s",
		"late":     "(this was for %s)",
		"result":   "%s\n\n%s",
		"silent":   "%s: done, without a result.",
		"failed":   "%s did not work: %s",
		"disabled": "I have disabled the job “%s”: %s. With rein schedule enable %s it works again.",
		"often":    "it failed %d times in a row",
		"spent":    "its runs have cost what they may cost in 30 days",
		"spentall": "the runs of your jobs have cost what they may cost in 30 days",

		"once":     "on %s",
		"seconds":  "every %d seconds",
		"minutes":  "every %d minutes",
		"hours":    "every %d hours",
		"days":     "every %d days",
		"hour":     "every hour",
		"minute":   "every minute",
		"hourlyAt": "every hour at %d minutes past",
		"daily":    "every day at %s",
		"workdays": "every weekday at %s",
		"weekends": "every Saturday and Sunday at %s",
		"weekdays": "every %s at %s",
		"monthly":  "on day %d of every month at %s",
		"yearly":   "every year on %d %s at %s",
		"next":     "%s (next: %s)",
		"and":      "and",
		"remindOn": "Shall I remind you of '%s' %s?",
		"runOn":    "Shall I do '%s' %s?",
		"changeTo": "Shall I change the job '%s' to %s?",
		"remove":   "Shall I remove the job '%s' (%s)?",
		"fireNow":  "Shall I run the job '%s' now?",
		"enable":   "Shall I enable the job '%s' (%s)?",
		"disable":  "Shall I disable the job '%s' (%s)?",
		"needs":    "This job may wait for you when it runs: %s.",
		"gap":      "The clocks jump over that time on the day: it fires at %s.",
		"twice":    "That time comes twice on that day, because the clocks go back: it fires the first time.",
		"withText": "'%s', %s",
	},
	"nl": {
		"reminder": "Herinnering: %s",
		"late":     "(dit was voor %s)",
		"result":   "%s\n\n%s",
		"silent":   "%s: gedaan, zonder resultaat.",
		"failed":   "%s is niet gelukt: %s",
		"disabled": "Ik heb de taak ‘%s’ uitgezet: %s. Met rein schedule enable %s werkt hij weer.",
		"often":    "hij mislukte %d keer achter elkaar",
		"spent":    "de taak heeft gekost wat hij in 30 dagen mag kosten",
		"spentall": "je taken hebben samen gekost wat ze in 30 dagen mogen kosten",

		"once":     "op %s",
		"seconds":  "elke %d seconden",
		"minutes":  "elke %d minuten",
		"hours":    "elke %d uur",
		"days":     "elke %d dagen",
		"hour":     "elk uur",
		"minute":   "elke minuut",
		"hourlyAt": "elk uur om %d minuten over",
		"daily":    "elke dag om %s",
		"workdays": "elke werkdag om %s",
		"weekends": "elke zaterdag en zondag om %s",
		"weekdays": "elke %s om %s",
		"monthly":  "op dag %d van elke maand om %s",
		"yearly":   "elk jaar op %d %s om %s",
		"next":     "%s (eerstvolgend: %s)",
		"and":      "en",
		"remindOn": "Zal ik je %s herinneren aan '%s'?",
		"runOn":    "Zal ik %s '%s' uitvoeren?",
		"changeTo": "Zal ik de taak '%s' wijzigen in %s?",
		"remove":   "Zal ik de taak '%s' verwijderen (%s)?",
		"fireNow":  "Zal ik de taak '%s' nu uitvoeren?",
		"enable":   "Zal ik de taak '%s' weer aanzetten (%s)?",
		"disable":  "Zal ik de taak '%s' uitzetten (%s)?",
		"needs":    "Deze taak kan op je wachten als hij draait: %s.",
		"gap":      "De klok slaat die tijd op die dag over: het wordt %s.",
		"twice":    "Die tijd komt op die dag twee keer voor, omdat de klok teruggaat: het wordt de eerste keer.",
		"withText": "'%s', %s",
	},
}

// Sentence says a key of a question about a job in its language.
func Sentence(key, language string, args ...any) string { return words.Say(language, key, args...) }

// Asking is the question whether to make a job, in one sentence.
func Asking(j Job, now time.Time) string {
	key, when := "remindOn", Describe(j.Schedule, j.Language, now)
	if j.Payload.Kind == AgentTurn {
		key = "runOn"
	}
	if speech.Base(j.Language) == "nl" {
		return words.Say(j.Language, key, when, j.Label)
	}
	return words.Say(j.Language, key, j.Label, when)
}

// Describe says in words when a job fires: "every Tuesday at 07:30". What is too complex for words is its expression with
// the next three times.
func Describe(s Schedule, language string, now time.Time) string {
	zone := s.Location()
	switch s.Kind {
	case At:
		when := words.Say(language, "once", speech.When(language, s.At.In(zone), now))
		if speech.Base(language) == "nl" {
			return strings.Replace(when, ", ", " om ", 1)
		}
		return when
	case Every:
		return intervalWords(s.Every, language)
	}
	e, err := parseCron(s.Expression)
	if err != nil {
		return s.Expression
	}
	if text := e.describe(language); text != "" {
		return text
	}
	var coming []string
	for _, at := range s.Coming(now, 3) {
		coming = append(coming, speech.When(language, at.In(zone), now))
	}
	return words.Say(language, "next", s.Expression, strings.Join(coming, "; "))
}

func intervalWords(every time.Duration, language string) string {
	for _, unit := range []struct {
		key  string
		size time.Duration
	}{{"days", 24 * time.Hour}, {"hours", time.Hour}, {"minutes", time.Minute}} {
		switch {
		case every == time.Hour:
			return words.Say(language, "hour")
		case every == time.Minute:
			return words.Say(language, "minute")
		case every%unit.size == 0 && every > 0:
			return words.Say(language, unit.key, every/unit.size)
		}
	}
	return words.Say(language, "seconds", every/time.Second)
}

const (
	workdays = 0b0111110
	weekend  = 0b1000001
	everyDay = 0b1111111
)

// describe says an expression in words, if it fires once on each of its days; else it returns nothing.
func (e expression) describe(language string) string {
	if bits.OnesCount64(e.minutes) != 1 {
		return ""
	}
	minute := bits.TrailingZeros64(e.minutes)
	allMonths := e.months == 0b1111111111110
	allDays := e.anyDay && bits.OnesCount64(e.days) == 31
	allWeek := e.anyWeekday && e.weekdays == everyDay
	if bits.OnesCount64(e.hours) == 24 && allMonths && allDays && allWeek {
		if minute == 0 {
			return words.Say(language, "hour")
		}
		return words.Say(language, "hourlyAt", minute)
	}
	if bits.OnesCount64(e.hours) != 1 {
		return ""
	}
	at := fmt.Sprintf("%02d:%02d", bits.TrailingZeros64(e.hours), minute)
	switch {
	case !allMonths && allWeek && bits.OnesCount64(e.months) == 1 && bits.OnesCount64(e.days) == 1:
		return words.Say(language, "yearly", bits.TrailingZeros64(e.days), speech.Month(language, time.Month(bits.TrailingZeros64(e.months))), at)
	case !allMonths:
		return ""
	case allDays && allWeek:
		return words.Say(language, "daily", at)
	case allDays:
		return e.onWeekdays(language, at)
	case allWeek && bits.OnesCount64(e.days) == 1:
		return words.Say(language, "monthly", bits.TrailingZeros64(e.days), at)
	}
	return ""
}

func (e expression) onWeekdays(language, at string) string {
	switch e.weekdays {
	case everyDay:
		return words.Say(language, "daily", at)
	case workdays:
		return words.Say(language, "workdays", at)
	case weekend:
		return words.Say(language, "weekends", at)
	}
	var names []string
	for i := range 7 {
		if day := (i + 1) % 7; has(e.weekdays, day) { // from Monday on
			names = append(names, speech.Weekday(language, time.Weekday(day)))
		}
	}
	list := names[0]
	if n := len(names); n > 1 {
		list = strings.Join(names[:n-1], ", ") + " " + words.Say(language, "and") + " " + names[n-1]
	}
	return words.Say(language, "weekdays", list, at)
}
