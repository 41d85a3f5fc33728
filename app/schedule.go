package app

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/follow/keeper"
	"rein/follow/scheduler"
	"rein/household/schedule"
	"rein/internal/near"
	"rein/internal/units"
	"rein/store"
	"rein/tool/cron"
)

// jobFlow is the flow of the runs of jobs that name none.
const jobFlow = "assist"

// jobTools makes the tools for jobs. Without an owner they only describe themselves.
func jobTools(o *owner) ([]rein.Tool, error) {
	if o == nil {
		return cron.Tools(cron.Options{})
	}
	return cron.Tools(cron.Options{
		Tables: o.store, Now: o.setup.o.Now, Rules: o.jobRules, Check: o.checkJob, Clean: o.cleanJob,
		Budget: func() rein.Budget {
			settings, _ := o.live.now()
			return settings.Budget
		},
	})
}

// jobDesk is where people see and change their jobs.
func (o *owner) jobDesk() *schedule.Desk {
	return &schedule.Desk{
		Tables: o.store, Now: o.setup.o.Now, Rules: o.jobRules, Check: o.checkJob, Clean: o.cleanJob,
		Poke: func() {
			if fires := o.fires.Load(); fires != nil {
				fires.Poke()
			}
		},
		Zone: func() string {
			settings, _ := o.live.now()
			return settings.Zone
		},
		Language: func() string {
			settings, _ := o.live.now()
			return settings.Language
		},
	}
}

// jobRules are what the settings say about jobs.
func (o *owner) jobRules() schedule.Rules {
	settings, _ := o.live.now()
	return schedule.Rules{EveryMinute: settings.Schedule.EveryMinute, Failures: int(settings.Schedule.Failures), Money: settings.Schedule.Micros}
}

func (o *owner) cleanJob(of schedule.Owner, text string) string {
	clean, _, blocked := o.known.of(of.Household, of.User).Text(text)
	if blocked {
		return "[withheld]"
	}
	return clean
}

// jobTask completes the task of a job's run as far as the job leaves it open.
func (o *owner) jobTask(_ context.Context, task rein.Task) (rein.Task, error) {
	settings, _ := o.live.now()
	task.Flow = cmp.Or(task.Flow, jobFlow)
	if task.Budget == nil {
		budget := settings.Budget
		task.Budget = &budget
	}
	return task, nil
}

// mostWaits is how many reasons to wait are named.
const mostWaits = 5

// checkJob refuses a job whose run could not start, and names what could make it wait for a person.
func (o *owner) checkJob(ctx context.Context, j schedule.Job) (waitsFor []string, err error) {
	if j.Payload.Kind != schedule.AgentTurn {
		return nil, nil
	}
	task, err := o.jobTask(ctx, rein.Task{Flow: j.Payload.Flow, Budget: j.Payload.Budget, Household: j.Household, User: j.User, Zone: j.Zone, Language: j.Language})
	if err != nil {
		return nil, err
	}
	kinds := o.setup.kinds()
	if !slices.Contains(kinds.Names(), task.Flow) {
		return nil, rein.Errorf(rein.CodeInvalid, "flow %.80q cannot be the flow of a job; available: %s%s", task.Flow, strings.Join(kinds.Names(), ", "), near.DidYouMean(task.Flow, kinds.Names()))
	}
	now, _ := o.live.now()
	if err := task.Budget.Check(now.Limits.Run); err != nil {
		return nil, err
	}
	for _, b := range (catalogue{o}).MayAsk(task) {
		if !slices.Contains(waitsFor, b.What) {
			waitsFor = append(waitsFor, b.What)
		}
	}
	if len(waitsFor) > mostWaits {
		waitsFor = append(waitsFor[:mostWaits], "…")
	}
	return waitsFor, nil
}

// ownClock is how often the scheduler looks at a clock that the program brought along: nobody tells when it is set.
const ownClock = 100 * time.Millisecond

// makeScheduler makes what fires jobs. Only a service has one: it is there when nobody is at a terminal.
func (s *Service) makeScheduler() error {
	var sleep time.Duration
	if s.setup.o.Now != nil {
		sleep = ownClock
	}
	fires, err := scheduler.New(scheduler.Scheduler{
		Sleep: sleep,
		Store: s.store, Start: s.engine.Start, Session: s.sessionOfJob, Complete: s.jobTask, Active: s.isActive, Rules: s.jobRules, Now: s.setup.o.Now, Log: s.log,
		Changed: func(household, user string) {
			s.hints.Household(household, user, api.TopicSchedules)
			s.hints.Household(household, user, api.TopicMessages)
		},
	})
	if err != nil {
		return err
	}
	s.fires.Store(fires)
	s.parts = append(s.parts, part{"scheduler", fires.Serve})
	return nil
}

// sessionOfJob is where the user of a job gets its messages: the session in which it was made or, if that is one of the
// chat, the one in which they talk now.
func (s *Service) sessionOfJob(ctx context.Context, j schedule.Job) (string, error) {
	if j.Session != "" && !keeper.IsChat(j.Session) && !strings.HasPrefix(j.Session, scheduler.SessionPrefix) {
		return j.Session, nil
	}
	return s.names.SessionFor(ctx, s.store, j.Household, j.User, time.Now(), 0)
}

// isActive reports whether a user may start runs.
func (s *Service) isActive(ctx context.Context, household, user string) (bool, error) {
	_, err := s.people.Reached(ctx, household, user, "schedule")
	switch rein.CodeOf(err) {
	case rein.CodeConflict, rein.CodeNotFound: // disabled, or gone
		return false, nil
	}
	return err == nil, err
}

// checkJobs says whether jobs wait for a service that fires them.
func (d *doctor) checkJobs(ctx context.Context, s *Data) error {
	count := 0
	err := s.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		count, err = schedule.CountActive(ctx, q)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.find(Wrong, "jobs", restore, "%v", err)
	case count == 0:
	case !d.owned:
		d.find(Warn, "jobs", d.tip("serve")+" fires them, and makes up for what was missed", "%s to fire, and no server runs", units.Count(int64(count), "job"))
	default:
		d.find(Fine, "jobs", "", "%s to fire while rein serve runs", units.Count(int64(count), "job"))
	}
	return nil
}
