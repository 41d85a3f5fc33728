package memory

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"strings"

	"rein"
	kept "rein/household/memory"
	"rein/store"
	"rein/tool"
)

//go:embed search.md
var searchText string

type searchArgs struct {
	Query string `json:"query" jsonschema:"what to look for, in words" min:"1" max:"1000"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many at most" min:"1" max:"50" default:"10"`
}

// search is memory.search.
func (s Source) search() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: searchName, Text: searchText, Effect: rein.Pure},
		func(ctx context.Context, inv rein.Invocation, args searchArgs) (rein.Done, error) {
			v, all, err := s.current(ctx, inv)
			if err != nil {
				return rein.Done{}, err
			}
			hits, err := s.Find.Search(ctx, all, args.Query)
			if err != nil {
				return rein.Done{}, err
			}
			var found []kept.Memory
			for _, h := range hits[:min(len(hits), args.Limit)] {
				found = append(found, h.Memory)
			}
			return listed(items(found, v.memory), "Nothing that is remembered fits.")
		})
}

//go:embed preferences_get.md
var getText string

// getPreferences is preferences.get.
func (s Source) getPreferences() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: getName, Text: getText, Effect: rein.Pure},
		func(ctx context.Context, inv rein.Invocation, _ struct{}) (rein.Done, error) {
			owner, err := kept.OwnerOf(inv.Task)
			if err != nil {
				return rein.Done{}, err
			}
			list, err := s.preferencesOf(ctx, owner)
			if err != nil {
				return rein.Done{}, err
			}
			v := view{owner, zoneOf(inv.Task.Zone), inv}
			return listed(items(list, v.preference), "There are no preferences.")
		})
}

func (s Source) preferencesOf(ctx context.Context, owner kept.Owner) (list []kept.Preference, err error) {
	err = s.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		list, err = kept.Preferences(ctx, q, owner)
		return err
	})
	return list, err
}

// listed is a result that lists items, each with who said it and when.
func listed(found Items, none string) (rein.Done, error) {
	var lines []string
	for _, item := range found.Items {
		line := "- " + item.Text + " (" + cmp.Or(item.By, item.Source) + ", " + item.At
		if item.ID != "" {
			line += ", " + item.ID
		}
		lines = append(lines, line+")")
	}
	if len(lines) == 0 {
		lines = []string{none}
	}
	data, err := json.Marshal(found)
	return rein.Done{Text: strings.Join(lines, "\n"), Data: data}, err
}
