package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rein/api"
	"rein/app"
	"rein/internal/units"
)

func scheduleCommand() command {
	all := false
	return command{
		name: "schedule", does: "list your reminders and other jobs",
		more: `Lists what rein does for you later: once (at), at an interval (every) or by a cron expression (cron). A reminder is a message; a run does some work and sends you the result. Jobs fire while rein serve runs.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{on(&all, "all", "list jobs whose last time has passed too")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			return c.linked(ctx, func(l *app.App) error {
				jobs, err := l.Jobs(ctx, all)
				if err != nil {
					return err
				}
				return c.printJobs(ctx, l, jobs)
			})
		},
	}
}

// printJobs lists jobs.
func (c *call) printJobs(ctx context.Context, l *app.App, jobs []api.Job) error {
	if c.json {
		for _, j := range jobs {
			if err := c.printJSON(j); err != nil {
				return err
			}
		}
		return nil
	}
	if len(jobs) == 0 {
		c.print("there are no jobs; %s makes a reminder\n", c.tip(`schedule add dentist --at "2026-11-21 09:00"`))
		return nil
	}
	rows := [][]string{{"ID", "LABEL", "FIRES", "NEXT", "DOES"}}
	for _, j := range jobs {
		rows = append(rows, []string{j.ID, j.Label, firesAt(j), nextOf(j), doesOf(j)})
	}
	c.columns(rows)
	c.noteUnserved(ctx, l)
	return nil
}

// noteUnserved says when no process fires jobs.
func (c *call) noteUnserved(ctx context.Context, l *app.App) {
	if health, err := l.Health(ctx); err == nil && health.URL == "" && !c.json {
		c.note("rein: no server runs for this data: jobs fire while %s runs, and what was missed is made up for then", c.tip("serve"))
	}
}

const wallTime = "2006-01-02 15:04"

// inZone is a time on the clock of a job.
func inZone(j api.Job, t time.Time) string {
	zone, err := time.LoadLocation(j.Schedule.TZ)
	if err != nil {
		zone = time.UTC
	}
	return t.In(zone).Format(wallTime)
}

// firesAt is the schedule of a job in a few characters.
func firesAt(j api.Job) string {
	switch j.Schedule.Kind {
	case api.JobAt:
		if at, err := time.Parse(time.RFC3339, j.Schedule.At); err == nil {
			return "at " + inZone(j, at)
		}
		return "at " + j.Schedule.At
	case api.JobEvery:
		if every, err := time.ParseDuration(j.Schedule.Every + "s"); err == nil {
			return "every " + units.Span(every)
		}
		return "every " + j.Schedule.Every + " s"
	}
	return "cron " + j.Schedule.Expression
}

// nextOf is when a job fires next, if its schedule alone does not say it.
func nextOf(j api.Job) string {
	switch {
	case !j.Disabled.IsZero():
		return "disabled"
	case j.Next.IsZero():
		return "over"
	case j.Schedule.Kind == api.JobAt:
		return ""
	}
	return inZone(j, j.Next)
}

func doesOf(j api.Job) string {
	if j.Target == api.JobMain {
		return "Reminder"
	}
	return "Run"
}

// jobFlags are those that say what a job is.
type jobFlags struct {
	at, every, cron, zone, label, text, flow, catchUp, overlap string
	isRun                                                      bool
}

func (f *jobFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		text(&f.at, "at TIME", `once, at this time: "2026-11-21 09:00", or with an offset`),
		text(&f.every, "every INTERVAL", "at an interval of at least 60 seconds: 15m, 2h or 1d"),
		text(&f.cron, "cron EXPRESSION", `when the clock says so: "30 7 * * 2" is Tuesdays at 07:30`),
		text(&f.zone, "tz ZONE", "the time zone; default: yours"),
		text(&f.label, "label TEXT", "what lists show; default: the text"),
		on(&f.isRun, "run", "start a run with the text, and send you its result, instead of a reminder"),
		text(&f.flow, "flow NAME", "the flow of the run; default: assist"),
		text(&f.catchUp, "catch-up POLICY", "what was missed while rein did not run: skip, once (default) or all"),
		text(&f.overlap, "overlap POLICY", "while the run before has not ended: skip, queue or allow"),
	}, lookFlags(c)...)
}

func (f *jobFlags) schedule() api.JobSchedule {
	return api.JobSchedule{At: f.at, Every: f.every, Expression: f.cron, TZ: f.zone}
}

func (f *jobFlags) target() api.JobTarget {
	if f.isRun || f.flow != "" {
		return api.JobIsolated
	}
	return ""
}

func scheduleAddCommand() command {
	var f jobFlags
	return command{
		name: "schedule add", args: "TEXT", does: "make a reminder or another job", least: 1, most: 20,
		more:  `Give one of --at, --every and --cron. Without --run the TEXT is a message for you. A time that the clocks jump over in spring means the first moment after the jump; one that comes twice in autumn means the first.`,
		flags: f.flags,
		run: func(ctx context.Context, c *call) error {
			n := api.NewJob{
				Label: f.label, Schedule: f.schedule(), Target: f.target(), Payload: api.JobPayload{Text: strings.Join(c.args, " "), Flow: f.flow},
				CatchUp: api.JobCatchUp(f.catchUp), Overlap: api.JobOverlap(f.overlap), Key: onceKey(),
			}
			return c.onJob(ctx, "made", func(l *app.App) (api.Job, error) { return l.AddJob(ctx, n) })
		},
	}
}

// onJob does something with a job, and says what it is then.
func (c *call) onJob(ctx context.Context, done string, do func(*app.App) (api.Job, error)) error {
	return c.linked(ctx, func(l *app.App) error {
		j, err := do(l)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(j)
		}
		c.print("%s job %s: %s, %s\n", done, safe(j.ID), safe(j.Label), safe(j.When))
		if len(j.WaitsFor) > 0 {
			c.print("its run may wait for you: %s\n", safe(strings.Join(j.WaitsFor, ", ")))
		}
		c.noteUnserved(ctx, l)
		return nil
	})
}

func scheduleChangeCommand() command {
	var f jobFlags
	return command{
		name: "schedule change", args: "JOB", does: "change a job", least: 1, most: 1,
		more: `What you do not give stays as it is. The ID of the JOB is in the list of rein schedule.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{text(&f.text, "text TEXT", "what to say, or what the run is to do")}, f.flags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			change := api.ChangedJob{Label: f.label, Target: f.target(), CatchUp: api.JobCatchUp(f.catchUp), Overlap: api.JobOverlap(f.overlap)}
			if times := f.schedule(); times != (api.JobSchedule{}) {
				change.Schedule = &times
			}
			if f.text != "" || f.flow != "" {
				change.Payload = &api.JobPayload{Text: f.text, Flow: f.flow}
			}
			if change == (api.ChangedJob{}) {
				return usagef("say what to change, such as --at, --text or --label")
			}
			return c.onJob(ctx, "changed", func(l *app.App) (api.Job, error) { return l.ChangeJob(ctx, c.args[0], change) })
		},
	}
}

func scheduleSwitchCommand(name, does, done string, enabled bool) command {
	return command{
		name: "schedule " + name, args: "JOB", does: does, least: 1, most: 1, flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.onJob(ctx, done, func(l *app.App) (api.Job, error) {
				return l.ChangeJob(ctx, c.args[0], api.ChangedJob{Enabled: &enabled})
			})
		},
	}
}

func scheduleRemoveCommand() command {
	return command{
		name: "schedule remove", args: "JOB...", does: "remove jobs", least: 1, most: 100,
		more: `The runs that a job started stay.`, flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				for _, id := range c.args {
					if err := l.RemoveJob(ctx, id); err != nil {
						return err
					}
					if c.json {
						if err := c.printJSON(map[string]string{"removed": id}); err != nil {
							return err
						}
						continue
					}
					c.print("job %s is removed\n", safe(id))
				}
				return nil
			})
		},
	}
}

func scheduleRunCommand() command {
	return command{
		name: "schedule run", args: "JOB", does: "fire a job now, once more than its schedule says", least: 1, most: 1, flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				r, err := l.FireJob(ctx, c.args[0])
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(r)
				}
				c.print("job %s fires now: its run is %s\n", safe(c.args[0]), safe(string(r.Run)))
				c.noteUnserved(ctx, l)
				return nil
			})
		},
	}
}

func scheduleRunsCommand() command {
	limit := 20
	return command{
		name: "schedule runs", args: "JOB", does: "list when a job fired, and the results", least: 1, most: 1,
		flags: func(c *call) []flagDef {
			return append([]flagDef{number(&limit, "limit N", "how many at most; default: 20")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				runs, err := l.JobRuns(ctx, c.args[0], limit)
				if err != nil {
					return err
				}
				return c.printJobRuns(runs)
			})
		},
	}
}

func (c *call) printJobRuns(runs []api.JobRun) error {
	rows := [][]string{{"DUE", "STATE", "RUN", "WHY"}}
	for _, r := range runs {
		if c.json {
			if err := c.printJSON(r); err != nil {
				return err
			}
			continue
		}
		why := r.Error
		if r.Missed > 0 {
			why = strings.TrimPrefix(why+fmt.Sprintf("; it stands for %s before it", units.Count(int64(r.Missed), "slot")), "; ")
		}
		rows = append(rows, []string{units.Day(r.At), string(r.State), string(r.Run), why})
	}
	switch {
	case c.json:
	case len(runs) == 0:
		c.print("it has not fired yet\n")
	default:
		c.advice(rows)
	}
	return nil
}
