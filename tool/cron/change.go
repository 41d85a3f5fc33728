package cron

import (
	"context"
	_ "embed"
	"time"

	"rein"
	"rein/household/schedule"
	"rein/tool"
)

type updateArgs struct {
	ID       string       `json:"id" jsonschema:"the ID of the job, as cron.list shows it"`
	Schedule *scheduleArg `json:"schedule,omitempty" jsonschema:"when"`
	Target   string       `json:"target,omitempty" enum:"main,isolated" jsonschema:"main, with systemEvent: a message; isolated, with agentTurn: a run of its own"`
	Payload  *payloadArg  `json:"payload,omitempty" jsonschema:"what"`
	Label    string       `json:"label,omitempty" jsonschema:"what it is about, in a few words" max:"100"`
	CatchUp  string       `json:"catch_up,omitempty" enum:"skip,once,all" jsonschema:"what happens to times that were missed"`
	Overlap  string       `json:"overlap,omitempty" enum:"skip,queue,allow" jsonschema:"what happens while the run before has not ended"`
	Spend    float64      `json:"spend,omitempty" min:"0" jsonschema:"of agentTurn: the most money that its runs may cost in 30 days"`
	Enabled  *bool        `json:"enabled,omitempty" jsonschema:"false: it does not fire; true: it does again"`

	At    string `json:"at,omitempty" jsonschema:"short for schedule.at"`
	Every string `json:"every,omitempty" jsonschema:"short for schedule.every"`
	Cron  string `json:"cron,omitempty" jsonschema:"short for schedule.expression"`
	TZ    string `json:"tz,omitempty" jsonschema:"short for schedule.tz"`
	Text  string `json:"text,omitempty" jsonschema:"short for payload.text" max:"4000"`

	Version string `json:"version" pinned:"true"`
}

func (a updateArgs) job() jobArgs {
	return jobArgs{
		Schedule: a.Schedule, Target: a.Target, Payload: a.Payload, Label: a.Label, CatchUp: a.CatchUp, Overlap: a.Overlap, Spend: a.Spend,
		At: a.At, Every: a.Every, Cron: a.Cron, TZ: a.TZ, Text: a.Text,
	}
}

//go:embed update.md
var updateText string

func (k kit) update() (rein.Tool, error) {
	t, err := tool.New(writing(update, updateText), func(ctx context.Context, inv rein.Invocation, args updateArgs) (rein.Done, error) {
		before, j, remarks, err := k.changed(ctx, inv, args)
		if err == nil {
			err = checkPin(before, args.Version)
		}
		if err != nil {
			return rein.Done{}, err
		}
		return done(j, k.Now(), "Changed job", remarks, func(ctx context.Context, tx rein.Tx) error { return schedule.Change(ctx, tx, j, before.Version) })
	})
	t.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		args, err := argsOf[updateArgs](inv)
		if err != nil {
			return rein.Shown{}, err
		}
		before, j, remarks, err := k.changed(ctx, inv, args)
		if err != nil {
			return rein.Shown{}, err
		}
		return rein.Shown{Say: asksChange(before, j, started(inv, k.Now())), Text: details(j, remarks), Pin: pin(before)}, nil
	}
	return t, err
}

// asksChange is the question whether to change a job.
func asksChange(before, j schedule.Job, now time.Time) string {
	switch {
	case before.Disabled.IsZero() && !j.Disabled.IsZero():
		return say(j, "disable", before.Label, when(before, now))
	case !before.Disabled.IsZero() && j.Disabled.IsZero():
		return say(j, "enable", j.Label, when(j, now))
	}
	return say(j, "changeTo", before.Label, say(j, "withText", j.Label, when(j, now)))
}

// changed returns a job as it is and as a call would make it.
func (k kit) changed(ctx context.Context, inv rein.Invocation, args updateArgs) (before, j schedule.Job, remarks []string, err error) {
	owner, err := schedule.OwnerOf(inv.Task)
	if err != nil {
		return before, j, nil, err
	}
	if before, err = k.find(ctx, owner, args.ID); err != nil {
		return before, j, nil, err
	}
	now, part := k.Now(), args.job().want(k.Budget())
	part.Text, part.Label = k.Clean(owner, part.Text), k.Clean(owner, part.Label)
	j = before
	if part != (schedule.Want{}) {
		if j, err = schedule.Edit(before, part, now, k.Rules()); err != nil {
			return before, j, nil, err
		}
	} else if args.Enabled == nil {
		return before, j, nil, rein.Errorf(rein.CodeInvalid, "nothing is to change: give a schedule, a payload, a label, or enabled")
	}
	if args.Enabled != nil {
		j = schedule.Enabled(j, *args.Enabled, now)
	}
	remarks, err = k.remarks(ctx, j, part, now)
	return before, j, remarks, err
}

//go:embed remove.md
var removeText string

//go:embed run.md
var runText string

type idArgs struct {
	ID      string `json:"id" jsonschema:"the ID of the job, as cron.list shows it"`
	Version string `json:"version" pinned:"true"`
}

func (k kit) remove() (rein.Tool, error) {
	return k.onJob(remove, removeText, "remove", true, func(_ rein.Invocation, j schedule.Job) (rein.Done, error) {
		return done(j, k.Now(), "Removed job", nil, func(ctx context.Context, tx rein.Tx) error {
			return schedule.Remove(ctx, tx, j.Owner, j.ID, j.Version)
		})
	})
}

func (k kit) run() (rein.Tool, error) {
	return k.onJob(run, runText, "fireNow", false, func(inv rein.Invocation, j schedule.Job) (rein.Done, error) {
		now := k.Now()
		return done(j, now, "Fires now: job", nil, func(ctx context.Context, tx rein.Tx) error {
			_, err := schedule.FireNow(ctx, tx, j, now)
			return err
		})
	})
}

// onJob makes a tool that does something with one job, as it was shown.
func (k kit) onJob(name, text, question string, tellsWhen bool, do func(rein.Invocation, schedule.Job) (rein.Done, error)) (rein.Tool, error) {
	t, err := tool.New(writing(name, text), func(ctx context.Context, inv rein.Invocation, args idArgs) (rein.Done, error) {
		owner, err := schedule.OwnerOf(inv.Task)
		if err != nil {
			return rein.Done{}, err
		}
		j, err := k.find(ctx, owner, args.ID)
		if err == nil {
			err = checkPin(j, args.Version)
		}
		if err != nil {
			return rein.Done{}, err
		}
		return do(inv, j)
	})
	t.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		args, err := argsOf[idArgs](inv)
		if err != nil {
			return rein.Shown{}, err
		}
		owner, err := schedule.OwnerOf(inv.Task)
		if err != nil {
			return rein.Shown{}, err
		}
		j, err := k.find(ctx, owner, args.ID)
		if err != nil {
			return rein.Shown{}, err
		}
		asked := []any{j.Label}
		if tellsWhen {
			asked = append(asked, when(j, started(inv, k.Now())))
		}
		return rein.Shown{Say: say(j, question, asked...), Text: details(j, nil), Pin: pin(j)}, nil
	}
	return t, err
}
