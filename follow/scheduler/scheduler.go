// Package scheduler fires the jobs of people. It looks at the clock, writes the slots that are due, starts their runs, and
// delivers the results. All of it is rows and runs whose IDs follow from the slot: so neither a crash between any two
// of its steps, nor a second scheduler, nor a clock that jumps makes a slot fire twice, and none is lost.
package scheduler

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"rein"
	"rein/household/schedule"
	"rein/store"
)

// A Store is what a scheduler reads and writes.
type Store interface {
	store.Reader
	store.Tables
}

// A Scheduler fires jobs. Store, Start and Session are needed; the zero value of the rest is useful.
type Scheduler struct {
	Store Store
	// Start starts a run, as an engine does.
	Start func(context.Context, rein.RunID, rein.Task) (rein.RunInfo, error)
	// Session returns the session in which the user of a job gets its messages now.
	Session func(context.Context, schedule.Job) (string, error)
	// Complete makes the task of an agentTurn's run out of what the job says of it; nil: that is all of it.
	Complete func(context.Context, rein.Task) (rein.Task, error)
	// Active reports whether a user may start runs; nil: everyone may.
	Active func(ctx context.Context, household, user string) (bool, error)

	// Changed hears after the jobs of a user have changed, and what they were told; nil: nobody does.
	Changed func(household, user string)

	Rules func() schedule.Rules // as the settings have them now; nil: the default ones
	Now   func() time.Time      // the clock on the wall; nil is time.Now
	Sleep time.Duration         // how long it sleeps at most; zero means 20 s. A clock that was set is noticed then
	Log   *slog.Logger          // is told of what does not work; nil is silent

	poked chan struct{}
	tidy  time.Time
}

// New checks a scheduler and returns it.
func New(s Scheduler) (*Scheduler, error) {
	if s.Store == nil || s.Start == nil || s.Session == nil {
		return nil, rein.Errorf(rein.CodeInvalid, "a scheduler needs a store, a way to start runs, and a way to find sessions")
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Rules == nil {
		s.Rules = schedule.DefaultRules
	}
	if s.Sleep <= 0 {
		s.Sleep = sleep
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	s.poked = make(chan struct{}, 1)
	return &s, nil
}

const sleep = 20 * time.Second

// tidyEvery is how often what is over is removed.
const tidyEvery = time.Hour

// Poke makes it look at the jobs again, because one has changed.
func (s *Scheduler) Poke() {
	select {
	case s.poked <- struct{}{}:
	default:
	}
}

// Serve fires what is due until the context ends. What does not work is logged, and tried again.
func (s *Scheduler) Serve(ctx context.Context) error {
	notes := store.NewNotes[news]()
	stop := notes.Watch(s.Store, (*news).take)
	defer stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for look := true; ctx.Err() == nil; {
		pause := s.Sleep
		if look {
			if err := s.Tick(ctx); err != nil && ctx.Err() == nil {
				s.Log.Warn("the scheduler cannot do its work now, and tries again", "error", err)
			} else {
				pause = s.pause(ctx)
			}
		} else {
			pause = s.pause(ctx)
		}
		timer.Reset(pause)
		look = true
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-s.poked:
		case <-notes.Some:
			look = notes.Read().ended || s.isBehind(ctx)
		}
	}
	return nil
}

// news is what a scheduler hears of the logs.
type news struct {
	ended   bool // a run of a job has
	stepped bool // a step was done, which may have changed jobs
}

func (n *news) take(marks []store.Mark) bool {
	for _, m := range marks {
		n.stepped = n.stepped || m.Kind == rein.StepDone
		n.ended = n.ended || m.Kind.Ends() && strings.HasPrefix(string(m.Run), "j-") && m.Run.Depth() == 0
	}
	return n.ended || n.stepped
}

// isBehind reports whether there is something to do.
func (s *Scheduler) isBehind(ctx context.Context) bool {
	work, err := s.work(ctx)
	return work.Any() || err != nil
}

func (s *Scheduler) work(ctx context.Context) (work schedule.Work, err error) {
	err = s.Store.Read(ctx, func(ctx context.Context, q store.Query) error {
		work, err = schedule.WorkAt(ctx, q, s.Now())
		return err
	})
	return work, err
}

// pause is how long there is nothing to do, as far as is known.
func (s *Scheduler) pause(ctx context.Context) time.Duration {
	var next time.Time
	err := s.Store.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		next, err = schedule.NextDue(ctx, q)
		return err
	})
	if err != nil || next.IsZero() {
		return s.Sleep
	}
	return min(max(next.Sub(s.Now()), 0), s.Sleep)
}

// Tick does what there is to do now: it notes the ends of runs, claims the slots that are due, and starts their runs.
// Serve calls it; a program with a loop of its own may instead.
func (s *Scheduler) Tick(ctx context.Context) error {
	work, err := s.work(ctx)
	if err == nil && work.Running { // before slots are claimed, which a run that goes on can hinder
		_, err = s.settle(ctx)
	}
	if err == nil && work.Claim {
		err = s.claim(ctx)
	}
	if err == nil && (work.Start || work.Claim || work.Running) {
		err = s.fire(ctx)
	}
	if err == nil && work != (schedule.Work{}) {
		err = s.tell(ctx)
	}
	if err != nil {
		return err
	}
	return s.clean(ctx)
}

// fire starts what is due until nothing moves: the end of one run can be the turn of the next.
func (s *Scheduler) fire(ctx context.Context) error {
	for {
		if started, err := s.start(ctx); started == 0 || err != nil {
			return err
		}
		if settled, err := s.settle(ctx); settled == 0 || err != nil {
			return err
		}
	}
}

// claim writes the slots that are due.
func (s *Scheduler) claim(ctx context.Context) error {
	for more := true; more; {
		err := s.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) (err error) {
			more, err = schedule.Claim(ctx, tx, s.Now())
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// clean removes what is over, now and then.
func (s *Scheduler) clean(ctx context.Context) error {
	now := s.Now()
	if passed := now.Sub(s.tidy); passed >= 0 && passed < tidyEvery {
		return nil
	}
	s.tidy = now
	return s.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error { return schedule.Tidy(ctx, tx, now) })
}
