package cron

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"rein"
	"rein/household/schedule"
	"rein/store"
	"rein/tool"
)

//go:embed list.md
var listText string

//go:embed runs.md
var runsText string

type listArgs struct {
	All bool `json:"all,omitempty" jsonschema:"also jobs whose last time has passed"`
}

func (k kit) list() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: listed, Text: listText, Effect: rein.Pure}, func(ctx context.Context, inv rein.Invocation, args listArgs) (rein.Done, error) {
		owner, err := schedule.OwnerOf(inv.Task)
		if err != nil {
			return rein.Done{}, err
		}
		var all []schedule.Job
		err = k.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
			all, err = schedule.List(ctx, q, owner, args.All)
			return err
		})
		if err != nil {
			return rein.Done{}, err
		}
		views, lines := []view{}, []string{}
		for _, j := range all {
			v := viewOf(j, k.Now())
			views, lines = append(views, v), append(lines, v.line())
		}
		if len(lines) == 0 {
			lines = []string{"[there are no jobs]"}
		}
		data, err := json.Marshal(map[string]any{"jobs": views})
		return rein.Done{Text: strings.Join(lines, "\n"), Data: data}, err
	})
}

type runsArgs struct {
	ID    string `json:"id" jsonschema:"the ID of the job, as cron.list shows it"`
	Limit int    `json:"limit,omitempty" min:"1" max:"100" default:"20" jsonschema:"how many at most"`
}

// A past is a time at which a job fired, or was to.
type past struct {
	At    string     `json:"at"` // on the clock of its zone
	State string     `json:"state"`
	Run   rein.RunID `json:"run,omitempty"`
	Error string     `json:"error,omitempty"`
}

func (k kit) runs() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: runs, Text: runsText, Effect: rein.Pure}, func(ctx context.Context, inv rein.Invocation, args runsArgs) (rein.Done, error) {
		owner, err := schedule.OwnerOf(inv.Task)
		if err != nil {
			return rein.Done{}, err
		}
		var j schedule.Job
		var found []schedule.Slot
		err = k.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
			if j, err = schedule.Find(ctx, q, owner, strings.TrimSpace(args.ID)); err == nil {
				found, err = schedule.SlotsOf(ctx, q, j.ID, args.Limit)
			}
			return err
		})
		if err != nil {
			return rein.Done{}, err
		}
		all, lines := []past{}, []string{}
		for _, s := range found {
			p := past{At: s.Instant.In(j.Location()).Format(wall), State: string(s.State), Run: s.Run, Error: s.Error}
			line := fmt.Sprintf("%s: %s", p.At, p.State)
			if p.Error != "" {
				line += ": " + p.Error
			}
			all, lines = append(all, p), append(lines, line)
		}
		if len(lines) == 0 {
			lines = []string{"[it has not fired yet]"}
		}
		data, err := json.Marshal(map[string]any{"runs": all})
		return rein.Done{Text: strings.Join(lines, "\n"), Data: data}, err
	})
}
