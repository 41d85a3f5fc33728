// Package menu has the tools for what a household eats: a menu for a week, made by the model of the run and judged here, and
// what everyone must not eat.
package menu

import (
	"context"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/household/food"
	"rein/household/memory"
	"rein/internal/speech"
	"rein/store"
	"rein/tool"
)

// A Source is what the tools work with.
type Source struct {
	Tables store.Snapshots
	Foods  *food.Table
	Now    func() time.Time // nil: time.Now
}

// Tools returns generate_week_menu and summarize_family_preferences.
func (s Source) Tools() ([]rein.Tool, error) {
	week, err := s.week()
	if err != nil {
		return nil, err
	}
	family, err := s.family()
	return []rein.Tool{week, family}, err
}

// Names lists the tools.
func Names() []string { return []string{"generate_week_menu", "summarize_family_preferences"} }

// Family is the family of the tools.
const Family = "household"

// Needs returns what nobody of a household may get, with more that somebody named.
func (s Source) Needs(ctx context.Context, household string, more ...string) (food.Needs, error) {
	all, err := s.table(ctx, household)
	if err != nil {
		return food.Needs{}, err
	}
	allergies, diets := more, []string{}
	for _, p := range all {
		switch memory.PlainName(p.Name) {
		case memory.Allergies:
			allergies = append(allergies, p.List()...)
		case memory.Diet:
			diets = append(diets, p.List()...)
		}
	}
	return s.Foods.Needs(allergies, diets), nil
}

func (s Source) table(ctx context.Context, household string) (all []memory.Noted, err error) {
	err = s.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err = memory.Table(ctx, q, household)
		return err
	})
	return all, err
}

// householdOf is whose call it is. Nothing of it comes from the arguments.
func householdOf(inv rein.Invocation) (household, language string, err error) {
	if inv.Task == nil || inv.Task.Household == "" || inv.Task.User == "" {
		return "", "", rein.Errorf(rein.CodeInvalid, "the run belongs to no user of a household, so nobody knows who eats")
	}
	return inv.Task.Household, inv.Task.Language, nil
}

// A Person is one of a household in the Data of summarize_family_preferences.
type Person struct {
	User      string   `json:"user,omitempty"` // empty: the whole household
	Allergies []string `json:"allergies,omitempty"`
	Diet      []string `json:"diet,omitempty"`
	Units     string   `json:"units,omitempty"`
}

// Everyone is the Data of summarize_family_preferences.
type Everyone struct {
	People []Person `json:"people"`
}

func (s Source) family() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "summarize_family_preferences", Text: familyText, Effect: rein.Pure, Family: Family}, func(ctx context.Context, inv rein.Invocation, _ struct{}) (rein.Done, error) {
		household, language, err := householdOf(inv)
		if err != nil {
			return rein.Done{}, err
		}
		all, err := s.table(ctx, household)
		if err != nil {
			return rein.Done{}, err
		}
		everyone := together(all)
		return result(everyone.text(language), everyone)
	})
}

// together collects preferences by person.
func together(all []memory.Noted) Everyone {
	e := Everyone{People: []Person{}}
	for _, p := range all {
		i := slices.IndexFunc(e.People, func(has Person) bool { return has.User == p.User })
		if i < 0 {
			i, e.People = len(e.People), append(e.People, Person{User: p.User})
		}
		switch to := &e.People[i]; memory.PlainName(p.Name) {
		case memory.Allergies:
			to.Allergies = append(to.Allergies, p.List()...)
		case memory.Diet:
			to.Diet = append(to.Diet, p.List()...)
		case memory.Units:
			to.Units = p.Value
		}
	}
	return e
}

func (e Everyone) text(language string) string {
	if len(e.People) == 0 {
		return words.Say(language, "nothing known")
	}
	var b strings.Builder
	for _, p := range e.People {
		name := p.User
		if name == "" {
			name = words.Say(language, "everyone")
		}
		b.WriteString("- " + name + ":")
		for _, part := range []struct{ key, value string }{
			{"allergies", speech.List(language, p.Allergies)}, {"diet", speech.List(language, p.Diet)}, {"units", p.Units},
		} {
			if part.value != "" {
				b.WriteString(" " + words.Say(language, part.key, part.value))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
