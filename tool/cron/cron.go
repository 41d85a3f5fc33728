// Package cron has the tools with which a model makes, changes and looks at the jobs of its user: reminders, and work that
// is done later. A person agrees to each change, in a sentence of their language.
package cron

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/household/schedule"
	"rein/internal/speech"
	"rein/store"
	"rein/tool"
)

// Options are what the tools work with. Tables is needed where they are called; the zero value of the rest is useful.
type Options struct {
	Tables store.Snapshots
	Now    func() time.Time      // nil is time.Now
	Rules  func() schedule.Rules // as the settings have them; nil: the default ones
	// Budget is what the run of a job may use that says nothing of it; nil: rein.DefaultBudget.
	Budget func() rein.Budget
	// Check refuses a job that could not run, and names what could make its run wait for a person; nil: nothing does.
	Check func(context.Context, schedule.Job) (waitsFor []string, err error)
	// Clean takes secrets out of the words of a job; nil: there are none.
	Clean func(o schedule.Owner, text string) string
}

// The names of the tools.
const (
	add    = "cron.add"
	update = "cron.update"
	remove = "cron.remove"
	listed = "cron.list"
	run    = "cron.run"
	runs   = "cron.runs"
)

// Names lists the tools.
func Names() []string { return []string{add, listed, remove, run, runs, update} }

// Reading lists the tools that change nothing.
func Reading() []string { return []string{listed, runs} }

// Tools makes the tools.
func Tools(o Options) ([]rein.Tool, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rules == nil {
		o.Rules = schedule.DefaultRules
	}
	if o.Budget == nil {
		o.Budget = rein.DefaultBudget
	}
	if o.Check == nil {
		o.Check = func(context.Context, schedule.Job) ([]string, error) { return nil, nil }
	}
	if o.Clean == nil {
		o.Clean = func(_ schedule.Owner, text string) string { return text }
	}
	k := kit{o}
	var all []rein.Tool
	for _, made := range []func() (rein.Tool, error){k.add, k.update, k.remove, k.list, k.run, k.runs} {
		t, err := made()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

type kit struct{ Options }

// writing is the spec of a tool that changes jobs.
func writing(name, text string) tool.Spec {
	return tool.Spec{Name: name, Text: text, Effect: rein.Pure, Writes: true, Approval: true}
}

// find reads a job of the user of a call.
func (k kit) find(ctx context.Context, o schedule.Owner, id string) (j schedule.Job, err error) {
	err = k.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		j, err = schedule.Find(ctx, q, o, strings.TrimSpace(id))
		return err
	})
	return j, err
}

// A pin names the version of a job that was shown.
func pin(j schedule.Job) map[string]string {
	return map[string]string{"version": fmt.Sprint(j.Version)}
}

// checkPin refuses a job that is not what was shown.
func checkPin(j schedule.Job, version string) error {
	if version != fmt.Sprint(j.Version) {
		return rein.Errorf(rein.CodeConflict, "job %s has changed since it was shown: look at it again with %s", j.ID, listed)
	}
	return nil
}

// argsOf reads the arguments of a call that is to be shown.
func argsOf[A any](inv rein.Invocation) (args A, err error) {
	if err := json.Unmarshal(inv.Args, &args); err != nil {
		return args, rein.Errorf(rein.CodeInvalid, "the arguments cannot be read: %w", err)
	}
	return args, nil
}

// A view is a job as a model reads it.
type view struct {
	ID       string      `json:"id"`
	Label    string      `json:"label"`
	Schedule wallTime    `json:"schedule"`
	Target   string      `json:"target"`
	Payload  viewPayload `json:"payload"`
	CatchUp  string      `json:"catch_up"`
	Overlap  string      `json:"overlap"`
	When     string      `json:"when"`               // in words
	Next     string      `json:"next,omitempty"`     // on the clock of its zone
	Disabled string      `json:"disabled,omitempty"` // why
	Failures int         `json:"failures,omitempty"` // in a row
}

type viewPayload struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	Flow string `json:"flow,omitempty"`
}

type wallTime struct {
	Kind       string `json:"kind"`
	At         string `json:"at,omitempty"`
	Every      int64  `json:"every,omitempty"` // seconds
	Expression string `json:"expression,omitempty"`
	TZ         string `json:"tz"`
}

const wall = "2006-01-02T15:04"

func viewOf(j schedule.Job, now time.Time) view {
	v := view{
		ID: j.ID, Label: j.Label, Target: string(j.Target), Payload: viewPayload{string(j.Payload.Kind), j.Payload.Text, j.Payload.Flow},
		CatchUp: string(j.CatchUp), Overlap: string(j.Overlap), When: schedule.Describe(j.Schedule, "en", now), Disabled: j.Why, Failures: j.Failures,
		Schedule: wallTime{Kind: string(j.Kind), Expression: j.Expression, TZ: j.Zone, Every: int64(j.Every / time.Second)},
	}
	if j.Kind == schedule.At {
		v.Schedule.At = j.At.In(j.Location()).Format(wall)
	}
	if !j.Next.IsZero() {
		v.Next = j.Next.In(j.Location()).Format(wall)
	}
	return v
}

// line is a job in one line.
func (v view) line() string {
	line := fmt.Sprintf("%s: %s, %s", v.ID, v.Label, v.When)
	switch {
	case v.Disabled != "":
		line += ", disabled: " + v.Disabled
	case v.Next == "":
		line += ", over"
	case v.Schedule.Kind != string(schedule.At):
		line += ", next on " + v.Next
	}
	return line
}

// done is the result of a change of a job.
func done(j schedule.Job, now time.Time, what string, remarks []string, commit func(context.Context, rein.Tx) error) (rein.Done, error) {
	v := viewOf(j, now)
	data, err := json.Marshal(v)
	text := strings.Join(append([]string{what + " " + v.line() + "."}, remarks...), "\n")
	return rein.Done{Text: text, Data: data, Commit: commit}, err
}

// started is the time by which what is shown counts: it stays the same until a person has answered.
func started(inv rein.Invocation, now time.Time) time.Time {
	if inv.Task == nil || inv.Task.Start.IsZero() {
		return now
	}
	return inv.Task.Start
}

// details are what a person is shown of a job beside the question: the words, if the label is not all of them, and what
// else they should know.
func details(j schedule.Job, remarks []string) string {
	var lines []string
	if j.Payload.Text != j.Label {
		lines = append(lines, j.Payload.Text)
	}
	return strings.Join(append(lines, remarks...), "\n")
}

// when says in words when a job fires.
func when(j schedule.Job, now time.Time) string {
	return schedule.Describe(j.Schedule, j.Language, now)
}

func say(j schedule.Job, key string, args ...any) string {
	return schedule.Sentence(key, j.Language, args...)
}

func moment(j schedule.Job, at, now time.Time) string {
	return speech.When(j.Language, at.In(j.Location()), now)
}
