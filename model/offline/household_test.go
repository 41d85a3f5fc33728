package offline_test

import (
	"strings"
	"testing"

	"rein"
)

const friday = "What is known of the person. This turn began on Friday, 2026-11-20T10:15:00+01:00 (time zone Europe/Amsterdam); for the exact time now, a tool must be asked."

// household is what each message of a member leads to: a call, a question, or nothing.
func household(t *testing.T, messages ...rein.Message) string {
	t.Helper()
	r := rein.ModelRequest{
		Prompt: rein.Prompt{Messages: append([]rein.Message{{Role: rein.System, Text: `{"type": "final"} is a form of the protocol.`}, {Role: rein.Developer, Text: friday}}, messages...)},
	}
	for _, name := range []string{"cron.add", "agenda.add_event", "agenda.list_events", "lists.add", "memory.remember"} {
		r.Offered = append(r.Offered, rein.Tool{Name: name, Effect: rein.Pure, Schema: []byte(`{"type":"object"}`)})
	}
	text := generate(t, r).Text
	_, block, _ := strings.Cut(text, "```json\n")
	for _, name := range []string{`  "args": `, `  "questions": `} {
		if _, args, ok := strings.Cut(block, name); ok && !strings.Contains(args, "{}") && !strings.HasPrefix(args, "[]") {
			line, _, _ := strings.Cut(args, "\n")
			tool, rest, ok := strings.Cut(block, `"tool": "`)
			_ = tool
			if ok {
				called, _, _ := strings.Cut(rest, `"`)
				return called + " " + strings.TrimSuffix(line, ",")
			}
			return strings.TrimSuffix(line, ",")
		}
	}
	return ""
}

func job(schedule, text string) string {
	return `cron.add {"label":"` + text + `","payload":{"kind":"systemEvent","text":"` + text + `"},"schedule":{` + schedule + `},"target":"main"}`
}

func at(when string) string { return `"at":"` + when + `","kind":"at","tz":"Europe/Amsterdam"` }

// The rules know the phrases for reminders, the agenda, lists and what to remember, in English and in Dutch.
//
// Covers: NEU-62
func TestWishes(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"Herinner me morgen om 9 aan de tandarts":                                              job(at("2026-11-21T09:00"), "tandarts"),
		"Remind me tomorrow at nine of the dentist":                                            job(at("2026-11-21T09:00"), "dentist"),
		"Herinner me over 20 minuten aan de oven.":                                             job(at("2026-11-20T10:35"), "oven"),
		"Remind me in 20 minutes to check the oven.":                                           job(at("2026-11-20T10:35"), "check the oven"),
		"Kun je me over een uur herinneren?":                                                   "",
		"Herinner me over een uur eraan dat de was klaar is":                                   job(at("2026-11-20T11:15"), "was klaar is"),
		"Herinner me dinsdag om half tien aan het overleg":                                     job(at("2026-11-24T09:30"), "overleg"),
		"Remind me on Tuesday at half past nine about the meeting":                             job(at("2026-11-24T09:30"), "meeting"),
		"Herinner me vanavond om 8 aan de vuilnis":                                             job(at("2026-11-20T20:00"), "vuilnis"),
		"Remind me tonight at 8 of the rubbish":                                                job(at("2026-11-20T20:00"), "rubbish"),
		"Herinner me overmorgen om kwart voor drie 's middags aan de trein":                    job(at("2026-11-22T14:45"), "trein"),
		"Remind me the day after tomorrow at a quarter past two in the afternoon of the train": job(at("2026-11-22T14:15"), "train"),
		"Herinner me 24 november om 09:00 aan de keuring":                                      job(at("2026-11-24T09:00"), "keuring"),
		"Remind me on November 24 at 9:00 of the inspection":                                   job(at("2026-11-24T09:00"), "inspection"),
		"Remind me on 3 January at 2pm of the party":                                           job(at("2027-01-03T14:00"), "party"),
		"Herinner me om 11:30 aan de lunch":                                                    job(at("2026-11-20T11:30"), "lunch"),
		"Herinner me elke werkdag om 8 aan de medicijnen":                                      job(`"expression":"0 8 * * 1-5","kind":"cron","tz":"Europe/Amsterdam"`, "medicijnen"),
		"Remind me every weekday at 8 of the medicine":                                         job(`"expression":"0 8 * * 1-5","kind":"cron","tz":"Europe/Amsterdam"`, "medicine"),
		"Remind me every Tuesday at 7:30 pm of the bins":                                       job(`"expression":"30 19 * * 2","kind":"cron","tz":"Europe/Amsterdam"`, "bins"),
		"Remind me every hour to drink":                                                        job(`"every":"1h","kind":"every","tz":"Europe/Amsterdam"`, "drink"),
		"Herinner me aan de tandarts":                                                          `["Voor wanneer? Zeg een dag en een tijd, zoals morgen om 9."]`,
		"Remind me of the dentist":                                                             `["For when? Say a day and a time, such as tomorrow at 9."]`,
		"Herinner me om 9 aan de tandarts":                                                     `["Voor wanneer? Zeg een dag en een tijd, zoals morgen om 9."]`, // it is past nine
		"Herinner me morgen om 9":                                                              `["Waaraan?"]`,
		"zet tandarts dinsdag om 9 in mijn agenda":                                             `agenda.add_event {"start":"2026-11-24T09:00","title":"tandarts"}`,
		"Put the dentist on Tuesday at 9 in my calendar":                                       `agenda.add_event {"start":"2026-11-24T09:00","title":"dentist"}`,
		"Zet vakantie op 24 december in de agenda":                                             `agenda.add_event {"start":"2026-12-24","title":"vakantie"}`,
		"wat staat er morgen op de agenda?":                                                    `agenda.list_events {"from":"2026-11-21","to":"2026-11-21"}`,
		"What is on my agenda tomorrow?":                                                       `agenda.list_events {"from":"2026-11-21","to":"2026-11-21"}`,
		"What do I have tomorrow on the calendar?":                                             `agenda.list_events {"from":"2026-11-21","to":"2026-11-21"}`,
		"zet melk op de boodschappenlijst":                                                     `lists.add {"items":[{"text":"melk"}]}`,
		"Put milk, bread and eggs on the shopping list":                                        `lists.add {"items":[{"text":"milk"},{"text":"bread"},{"text":"eggs"}]}`,
		"Voeg een hamer toe aan de klussenlijst":                                               `lists.add {"items":[{"text":"hamer"}],"list":"klussenlijst"}`,
		"onthoud dat ik geen noten eet":                                                        `memory.remember {"text":"ik eet geen noten"}`,
		"Remember that I do not eat nuts.":                                                     `memory.remember {"text":"I do not eat nuts"}`,
	} {
		if got := household(t, user(message)); got != want {
			t.Errorf("%s\n got %s\nwant %s", message, got, want)
		}
	}
	for question, want := range map[string]string{
		"Voor wanneer? Zeg een dag en een tijd, zoals morgen om 9.": job(at("2026-11-20T15:00"), "tandarts"),
	} {
		got := household(t, user("Herinner me aan de tandarts."), rein.Message{Role: rein.Assistant, Text: question}, user("15:00"))
		if got != want {
			t.Errorf("after the answer: %s, want %s", got, want)
		}
	}
}
