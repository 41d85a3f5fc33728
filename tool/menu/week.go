package menu

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/household/food"
	"rein/internal/civil"
	"rein/internal/speech"
	"rein/tool"
)

var (
	//go:embed generate_week_menu.md
	weekText string
	//go:embed summarize_family_preferences.md
	familyText string
)

type weekArgs struct {
	Days   int      `json:"days,omitempty" jsonschema:"for how many days" min:"1" max:"14" default:"7"`
	Start  string   `json:"start,omitempty" jsonschema:"the first day, such as 2026-11-24; default: tomorrow" max:"10"`
	People int      `json:"people,omitempty" jsonschema:"for how many people" min:"1" max:"20" default:"2"`
	Wishes string   `json:"wishes,omitempty" jsonschema:"what the user would like, in their words" max:"500"`
	Avoid  []string `json:"avoid,omitempty" jsonschema:"what must not be in it either, such as an allergy of a guest" max:"20"`
}

// A Day is one dinner of a menu.
type Day struct {
	Date string `json:"date"`
	Day  string `json:"day"` // as people say it, in their language
	food.Dish
	// From is model or rein: who thought of the dish. Empty: there is none, because none is safe for everybody.
	From string `json:"from,omitempty"`
}

// A Menu is the Data of generate_week_menu.
type Menu struct {
	Start   string   `json:"start"`
	People  int      `json:"people"`
	Days    []Day    `json:"days"`
	Avoids  []string `json:"avoids"`            // what those who eat must not get
	ByWord  []string `json:"by_word,omitempty"` // of Avoids: nothing is known of them but the word
	Refused int      `json:"refused,omitempty"` // how many dishes of the model were not used
	Unheard bool     `json:"unheard,omitempty"` // the model gave nothing that could be used
	starts  time.Time
	needs   food.Needs
	taken   map[string]bool // titles
}

func (s Source) week() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: "generate_week_menu", Text: weekText, Effect: rein.Pure, Family: Family, Timeout: 2 * time.Minute}, func(ctx context.Context, inv rein.Invocation, a weekArgs) (rein.Done, error) {
		household, language, err := householdOf(inv)
		if err != nil {
			return rein.Done{}, err
		}
		m, err := s.begin(a, inv.Task.Zone, language)
		if err != nil {
			return rein.Done{}, err
		}
		if m.needs, err = s.Needs(ctx, household, a.Avoid...); err != nil {
			return rein.Done{}, err
		}
		m.Avoids, m.ByWord = m.needs.Avoided(), m.needs.Words()
		if err := m.consult(ctx, inv.Consult, language, a.Wishes); err != nil {
			return rein.Done{}, err
		}
		m.fill(s.Foods.Dishes(language, m.People))
		return result(m.text(language, s), m)
	})
	t.Consults = true
	return t, err
}

func (s Source) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// begin makes a menu without dishes.
func (s Source) begin(a weekArgs, zone, language string) (*Menu, error) {
	place, err := civil.Zone(zone)
	if err != nil {
		return nil, err
	}
	now := s.now().In(place)
	start := time.Date(now.Year(), now.Month(), now.Day()+1, 12, 0, 0, 0, place)
	if a.Start != "" {
		day, err := time.Parse(time.DateOnly, a.Start)
		if err != nil {
			return nil, rein.Errorf(rein.CodeInvalid, "start: %q is not a day: write it like 2026-11-24", a.Start)
		}
		start = time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, place)
	}
	m := &Menu{Start: start.Format(time.DateOnly), People: a.People, starts: start, taken: map[string]bool{}}
	for i := range a.Days {
		day := start.AddDate(0, 0, i)
		m.Days = append(m.Days, Day{Date: day.Format(time.DateOnly), Day: speech.Day(language, day, now)})
	}
	return m, nil
}

// fill puts dishes that rein knows where there is none yet, beginning with another one each week.
func (m *Menu) fill(known []food.Dish) {
	var safe []food.Dish
	for _, d := range known {
		if m.needs.JudgeDish(d) == food.Safe {
			safe = append(safe, d)
		}
	}
	next := m.starts.YearDay() + 366*m.starts.Year()
	for i := range m.Days {
		if m.Days[i].From != "" {
			continue
		}
		for range len(safe) {
			d := safe[next%len(safe)]
			next++
			if !m.taken[d.Title] || len(m.taken) >= len(safe) {
				m.set(i, d, "rein")
				break
			}
		}
	}
}

func (m *Menu) set(i int, d food.Dish, from string) {
	m.Days[i].Dish, m.Days[i].From = d, from
	m.taken[d.Title] = true
}

// text is a menu for people and models.
func (m *Menu) text(language string, s Source) string {
	var b strings.Builder
	fmt.Fprintln(&b, words.Say(language, "menu", speech.Day(language, m.starts, s.now()), m.People))
	for _, d := range m.Days {
		title := d.Title
		if d.From == "" {
			title = words.Say(language, "nothing fits")
		}
		fmt.Fprintf(&b, "- %s: %s\n", d.Day, title)
	}
	if m.Unheard {
		fmt.Fprintln(&b, words.Say(language, "own"))
	}
	if len(m.Avoids) == 0 {
		fmt.Fprintln(&b, words.Say(language, "no needs"))
		return b.String()
	}
	fmt.Fprintln(&b, words.Say(language, "honours", s.names(language, m.Avoids)))
	if m.Refused > 0 {
		fmt.Fprintln(&b, words.Say(language, "replaced", m.Refused))
	}
	if len(m.ByWord) > 0 {
		fmt.Fprintln(&b, words.Say(language, "by word", strings.Join(m.ByWord, ", ")))
	}
	fmt.Fprintln(&b, words.Say(language, "check"))
	return b.String()
}

// names are what is avoided, as people say it.
func (s Source) names(language string, ids []string) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = s.Foods.Name(language, id)
	}
	return strings.Join(names, ", ")
}

func result(text string, data any) (rein.Done, error) {
	raw, err := json.Marshal(data)
	return rein.Done{Text: text, Data: raw}, err
}
