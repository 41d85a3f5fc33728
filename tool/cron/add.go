package cron

import (
	"cmp"
	"context"
	_ "embed"
	"math"
	"strings"
	"time"

	"rein"
	"rein/household/schedule"
	"rein/internal/civil"
	"rein/tool"
)

//go:embed add.md
var addText string

type scheduleArg struct {
	Kind       string `json:"kind,omitempty" enum:"at,every,cron" jsonschema:"at: once; every: at an interval; cron: by an expression"`
	At         string `json:"at,omitempty" jsonschema:"of at: the time on the clock of tz, such as 2026-11-21T09:00, or with an offset"`
	Every      string `json:"every,omitempty" jsonschema:"of every: seconds, or with a unit, such as 90s, 15m, 2h or 1d; at least 60 seconds"`
	Expression string `json:"expression,omitempty" jsonschema:"of cron: minute, hour, day of the month, month, day of the week, such as 30 7 * * 2 for Tuesdays at 07:30"`
	TZ         string `json:"tz,omitempty" jsonschema:"the time zone, such as Europe/Amsterdam; default: the user's"`
}

type budgetArg struct {
	Tokens  int64   `json:"tokens,omitempty" min:"1"`
	Money   float64 `json:"money,omitempty" min:"0"`
	Minutes int64   `json:"minutes,omitempty" min:"1"`
}

type payloadArg struct {
	Kind   string     `json:"kind,omitempty" enum:"systemEvent,agentTurn" jsonschema:"systemEvent: a message to the user; agentTurn: a run that does something"`
	Text   string     `json:"text,omitempty" jsonschema:"the message, such as dentist, or what the run is to do" max:"4000"`
	Flow   string     `json:"flow,omitempty" jsonschema:"of agentTurn: the flow of the run; default: assist"`
	Budget *budgetArg `json:"budget,omitempty" jsonschema:"of agentTurn: what one run may use at most"`
}

// jobArgs are a job as models write it: in full, or in short with at, every or cron, and text.
type jobArgs struct {
	Schedule *scheduleArg `json:"schedule,omitempty" jsonschema:"when"`
	Target   string       `json:"target,omitempty" enum:"main,isolated" jsonschema:"main, with systemEvent: a message into this conversation; isolated, with agentTurn: a run of its own, whose result the user gets"`
	Payload  *payloadArg  `json:"payload,omitempty" jsonschema:"what"`
	Label    string       `json:"label,omitempty" jsonschema:"what it is about, in a few words" max:"100"`
	CatchUp  string       `json:"catch_up,omitempty" enum:"skip,once,all" jsonschema:"what was missed while rein did not run: skip it, make up for it once (the default), or for all"`
	Overlap  string       `json:"overlap,omitempty" enum:"skip,queue,allow" jsonschema:"if the run before has not ended: skip, queue or allow a second one"`
	Spend    float64      `json:"spend,omitempty" min:"0" jsonschema:"of agentTurn: the most money that its runs may cost in 30 days"`

	At    string `json:"at,omitempty" jsonschema:"short for schedule.at"`
	Every string `json:"every,omitempty" jsonschema:"short for schedule.every"`
	Cron  string `json:"cron,omitempty" jsonschema:"short for schedule.expression"`
	TZ    string `json:"tz,omitempty" jsonschema:"short for schedule.tz"`
	Text  string `json:"text,omitempty" jsonschema:"short for payload.text" max:"4000"`
}

// want is what the arguments mean.
func (a jobArgs) want(budget rein.Budget) schedule.Want {
	s, p := scheduleArg{}, payloadArg{}
	if a.Schedule != nil {
		s = *a.Schedule
	}
	if a.Payload != nil {
		p = *a.Payload
	}
	return schedule.Want{
		Label: a.Label, Kind: s.Kind, At: cmp.Or(s.At, a.At), Every: cmp.Or(s.Every, a.Every), Cron: cmp.Or(s.Expression, a.Cron), Zone: cmp.Or(s.TZ, a.TZ),
		Target: a.Target, Payload: p.Kind, Text: cmp.Or(p.Text, a.Text), Flow: p.Flow, Budget: p.Budget.over(budget),
		CatchUp: a.CatchUp, Overlap: a.Overlap, Spend: money(a.Spend),
	}
}

// over is a budget with what the model says of it; nil: it says nothing.
func (b *budgetArg) over(usual rein.Budget) *rein.Budget {
	if b == nil || *b == (budgetArg{}) {
		return nil
	}
	usual.Tokens = cmp.Or(b.Tokens, usual.Tokens)
	usual.Micros = cmp.Or(money(b.Money), usual.Micros)
	if b.Minutes > 0 {
		usual.DrivenMS = min(b.Minutes, math.MaxInt64/60_000) * 60_000
	}
	return &usual
}

// money is an amount in millionths.
func money(amount float64) int64 { return int64(math.Round(min(amount, 1e9) * 1e6)) }

func (k kit) add() (rein.Tool, error) {
	t, err := tool.New(writing(add, addText), func(ctx context.Context, inv rein.Invocation, args jobArgs) (rein.Done, error) {
		j, remarks, err := k.proposed(ctx, inv, args)
		if err != nil {
			return rein.Done{}, err
		}
		return done(j, k.Now(), "Made job", remarks, func(ctx context.Context, tx rein.Tx) error { return schedule.Add(ctx, tx, j) })
	})
	t.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		args, err := argsOf[jobArgs](inv)
		if err != nil {
			return rein.Shown{}, err
		}
		j, remarks, err := k.proposed(ctx, inv, args)
		return rein.Shown{Say: schedule.Asking(j, started(inv, k.Now())), Text: details(j, remarks)}, err
	}
	return t, err
}

// proposed is the job that a call would make, with what people should know of it.
func (k kit) proposed(ctx context.Context, inv rein.Invocation, args jobArgs) (j schedule.Job, remarks []string, err error) {
	owner, err := schedule.OwnerOf(inv.Task)
	if err != nil {
		return j, nil, err
	}
	now := k.Now()
	if err := schedule.CheckRoom(ctx, k.Tables, owner, now); err != nil {
		return j, nil, err
	}
	w := args.want(k.Budget())
	w.Text, w.Label = k.Clean(owner, w.Text), k.Clean(owner, w.Label)
	if j, err = schedule.Make(w, inv.Task.Zone, now, k.Rules()); err != nil {
		return j, nil, err
	}
	j.ID, j.Owner, j.Session, j.Run, j.Language = schedule.IDOf(inv.Run, inv.Step), owner, inv.Task.Session, inv.Run, inv.Task.Language
	remarks, err = k.remarks(ctx, j, w, now)
	return j, remarks, err
}

// remarks are what people should know of a job: that its time is not quite what the clock shows then, and that it will wait
// for them.
func (k kit) remarks(ctx context.Context, j schedule.Job, w schedule.Want, now time.Time) (remarks []string, err error) {
	if j.Kind == schedule.At {
		switch _, fit, _ := civil.Parse(w.At, j.Location()); fit {
		case civil.Missing:
			remarks = append(remarks, say(j, "gap", moment(j, j.At, now)))
		case civil.Twice:
			remarks = append(remarks, say(j, "twice"))
		}
	}
	waits, err := k.Check(ctx, j)
	if len(waits) > 0 {
		remarks = append(remarks, say(j, "needs", strings.Join(waits, ", ")))
	}
	return remarks, err
}
