package app

import (
	"context"
	"slices"
	"sync"

	"rein"
	"rein/household/agenda"
	"rein/household/food"
	"rein/household/lists"
	"rein/household/people"
	"rein/server"
	"rein/store/sqlite"
	agendatool "rein/tool/agenda"
	"rein/tool/cron"
	"rein/tool/dashboard"
	listtool "rein/tool/lists"
	"rein/tool/memory"
	"rein/tool/menu"
)

// householdTools lists the tools for what a household plans and keeps. Runs of the household's assistant get them by
// default; other runs get those that they select.
func householdTools() []string {
	return slices.Concat(agendatool.Names(), cron.Names(), memory.Names(), listtool.Names(), menu.Names(), []string{dashboard.Name})
}

// householdReading lists those of them that change nothing: research looks, and leaves things as they are.
func householdReading() []string {
	return slices.Concat(agendatool.Reading(), cron.Reading(), memory.Reading(), listtool.Reading(), menu.Names())
}

// forHousehold reports whether a run of a flow that selects no tools gets a tool of the household.
func forHousehold(flow, name string) bool {
	switch flow {
	case "assist", "task":
		return true
	case "research":
		return slices.Contains(householdReading(), name)
	}
	return false
}

// agendaTools makes the tools for the agenda.
func agendaTools(s *sqlite.Store) ([]rein.Tool, error) {
	return agendatool.Tools(agendatool.Options{Book: agenda.Book{Tables: s}, Members: members(s)})
}

// foods is what rein knows of foods. It is read once.
var foods = sync.OnceValue(food.New)

// listTools makes the tools for the lists of a household, and for what it eats.
func listTools(s *sqlite.Store) ([]rein.Tool, error) {
	kitchen := menu.Source{Tables: s, Foods: foods()}
	all, err := listtool.Tools(listtool.Options{Book: lists.Book{Tables: s}, Needs: kitchen.Needs})
	if err != nil {
		return nil, err
	}
	cooking, err := kitchen.Tools()
	return append(all, cooking...), err
}

// agenda is the agendas of users, for the API.
func (o *owner) agenda() *server.Agenda {
	return &server.Agenda{
		Book: agenda.Book{Tables: o.store},
		Zone: func() string { settings, _ := o.live.now(); return settings.Zone },
		URL:  func() string { return o.url },
	}
}

// dashboardTool makes the tool that sends people a link to their page; nil: nobody has a page.
func dashboardTool(o *owner) (rein.Tool, error) {
	if o == nil {
		return dashboard.Tool(dashboard.Options{})
	}
	return dashboard.Tool(dashboard.Options{People: o.people, URL: func() string { return o.url }, Path: server.LoginPath})
}

// members returns the users of a household who can log in.
func members(s *sqlite.Store) func(context.Context, string) ([]string, error) {
	persons := &people.People{Tables: s}
	return func(ctx context.Context, household string) (names []string, err error) {
		all, err := persons.ListUsers(ctx, rein.Identity{Household: household, Role: rein.Owner, Scopes: rein.Scopes()})
		for _, u := range all {
			if u.Disabled.IsZero() {
				names = append(names, u.Name)
			}
		}
		return names, err
	}
}
