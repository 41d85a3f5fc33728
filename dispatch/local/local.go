// Package local drives runs with goroutines in this process. Its timers are set from rows in the
// store, so a restart loses none.
package local

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"rein"
	"rein/dispatch"
	"rein/internal/turn"
	"rein/internal/workers"
)

// Dispatcher drives runs in this process. The zero value is ready to use.
type Dispatcher struct {
	// Limit bounds how many runs are driven at once; zero means 1024. A run takes one of so many places for
	// each 32 KB of its log, up to an eighth of them. Households, users and their runs take turns, and none
	// of them gets all places for long.
	Limit int
	// Sweep is how often due runs are looked for without a hint; zero means 30 s.
	Sweep time.Duration
	// Log is told of drives that failed and will be tried again; nil is silent.
	Log *slog.Logger

	mu      sync.Mutex
	serving *serving
}

var _ dispatch.Dispatcher = (*Dispatcher)(nil)

// serving is the state of one call of Serve.
type serving struct {
	*Dispatcher
	ctx    context.Context
	driver dispatch.Driver
	slots  *turn.Slots
	drives sync.WaitGroup
	pool   workers.Pool
	look   chan struct{} // holds one token when the rows should be looked at now

	// Guarded by Dispatcher.mu:
	runs    map[rein.RunID]*driven
	closing bool
	looking bool      // the rows are being read; what is parked meanwhile may be missed
	next    time.Time // when they will be read again
}

// driven is a run that has a goroutine: it is driven, or waits for a slot or for another try.
type driven struct{ again bool }

const (
	defaultLimit = 1024
	defaultSweep = 30 * time.Second
	firstRetry   = 100 * time.Millisecond
	lastRetry    = time.Minute
	sweepBatch   = 256
	// placeSize is how much log one place stands for: with the default limit, the runs that are driven
	// at once have about 32 MB of it.
	placeSize = 32 << 10
	maxSize   = 1 << 30 // more makes no difference
	// idleDrives is how many goroutines wait for a run to drive: they need not grow their stacks again.
	idleDrives = 16
)

// Wake drives the run now or, if it is being driven, once more afterwards. Before and after Serve it
// does nothing: the rows tell what is due.
func (d *Dispatcher) Wake(run rein.RunID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.serving; s != nil && !s.closing {
		s.wake(run)
	}
}

// Here reports whether the dispatcher is serving.
func (d *Dispatcher) Here() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.serving != nil && !d.serving.closing && d.serving.ctx.Err() == nil
}

// Serve implements dispatch.Dispatcher.
func (d *Dispatcher) Serve(ctx context.Context, driver dispatch.Driver) error {
	limit := d.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	s := &serving{
		Dispatcher: d, ctx: ctx, driver: driver,
		slots: turn.NewSlots(limit), look: make(chan struct{}, 1), runs: map[rein.RunID]*driven{}, pool: workers.Pool{Idle: idleDrives},
	}
	d.mu.Lock()
	if d.serving != nil {
		d.mu.Unlock()
		return rein.Errorf(rein.CodeBusy, "this dispatcher is already serving")
	}
	d.serving = s
	d.mu.Unlock()

	s.sweep()

	d.mu.Lock()
	s.closing = true // no drive begins from here on
	d.mu.Unlock()
	s.drives.Wait()
	s.pool.Close()
	d.mu.Lock()
	d.serving = nil
	d.mu.Unlock()
	return nil
}

// sweep looks for due runs until the context ends: at once, whenever the earliest timer fires, and
// every so often in case a hint was lost.
func (s *serving) sweep() {
	every := s.Sweep
	if every <= 0 {
		every = defaultSweep
	}
	timer := time.NewTimer(every)
	defer timer.Stop()
	for {
		now := time.Now()
		s.mu.Lock()
		s.looking = true
		limit := sweepBatch + len(s.runs) // those are due until their turn comes, and must not hide others
		s.mu.Unlock()
		due, next, err := s.driver.Due(s.ctx, now, limit)
		if err != nil && s.ctx.Err() == nil {
			s.warn("look for due runs", "", err)
		}
		wait := every
		if !next.IsZero() {
			wait = min(wait, max(next.Sub(now), time.Millisecond))
		}
		if len(due) == limit {
			wait = time.Millisecond // there are more
		}
		s.mu.Lock()
		for _, run := range due {
			s.wakeIdle(run)
		}
		s.looking, s.next = false, now.Add(wait)
		s.mu.Unlock()
		timer.Reset(wait)
		select {
		case <-s.ctx.Done():
			return
		case <-timer.C:
		case <-s.look:
		}
	}
}

// wake and wakeIdle are called with the lock held. A hint for a run that is being driven must not
// get lost, because the driver may have looked before whatever the hint is about; a row that is due
// while the run is being driven is just one that its driver is about to change.
func (s *serving) wake(run rein.RunID) {
	if r := s.runs[run]; r != nil {
		r.again = true
		return
	}
	s.wakeIdle(run)
}

func (s *serving) wakeIdle(run rein.RunID) {
	if s.runs[run] != nil {
		return
	}
	r := &driven{}
	s.runs[run] = r
	s.drives.Add(1)
	s.pool.Go(func() {
		defer s.drives.Done()
		s.drive(run, r)
	})
}

// drive calls the driver until the run is done or parked and no hint came meanwhile.
func (s *serving) drive(run rein.RunID, r *driven) {
	retry := firstRetry
	for {
		next, err := s.driveOnce(run)
		if err != nil && s.ctx.Err() == nil {
			s.warn("drive", run, err)
			if s.pause(retry) {
				retry = min(2*retry, lastRetry)
				continue
			}
		}
		s.mu.Lock()
		if r.again && err == nil && s.ctx.Err() == nil {
			r.again = false
			s.mu.Unlock()
			continue
		}
		delete(s.runs, run)
		if !next.Done && !next.Until.IsZero() && (s.looking || next.Until.Before(s.next)) {
			select {
			case s.look <- struct{}{}:
			default:
			}
		}
		s.mu.Unlock()
		return
	}
}

func (s *serving) driveOnce(run rein.RunID) (dispatch.Next, error) {
	owner := s.driver.Owner(s.ctx, run)
	who := turn.Who{Household: owner.Household, User: owner.User, Run: string(run.Root()), Watched: owner.Watched}
	slot, err := s.slots.TakeMany(s.ctx, who, int(min(owner.Size, maxSize)/placeSize))
	if err != nil {
		return dispatch.Next{}, err
	}
	defer slot.Leave()
	return s.driver.Drive(s.ctx, run)
}

// pause reports false if the context ended first.
func (s *serving) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.ctx.Done():
		return false
	}
}

func (s *serving) warn(op string, run rein.RunID, err error) {
	if s.Log != nil {
		s.Log.Warn("dispatch: "+op+" failed; trying again", "run", string(run), "err", err)
	}
}
