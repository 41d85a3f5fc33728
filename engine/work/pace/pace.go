// Package pace keeps the model calls of a process within what a provider allows: requests and
// tokens per minute for each account and model, and calls at a time. Calls that do not fit wait in
// one fair queue. Limits that the provider reports replace the defaults.
//
// It is about speed and good behaviour towards the provider. Budgets and limits are enforced
// elsewhere.
package pace

import (
	"context"
	"sync"
	"time"

	"rein"
	"rein/internal/turn"
)

// Limits is how much may be sent in any Window, and how many calls may be under way at a time. Zero
// fields take the defaults: 60 requests and 50,000 tokens in 60 s; 128 calls of an account and 512 of the
// process. Requests and Tokens may be None.
type Limits struct {
	Requests, Tokens int64
	Window           time.Duration
	Calls, AllCalls  int64
}

// None is a limit that is not known: as much is sent as comes, until the provider tells its limit or
// refuses a call.
const None = -1

// What is sent at least to a provider that has refused a call and never tells its limits.
const (
	usualRequests = 60
	usualTokens   = 50_000
)

func (l Limits) orDefaults() Limits {
	if l.Requests == 0 {
		l.Requests = usualRequests
	}
	if l.Tokens == 0 {
		l.Tokens = usualTokens
	}
	if l.Window <= 0 {
		l.Window = time.Minute
	}
	if l.Calls <= 0 {
		l.Calls = 128
	}
	if l.AllCalls <= 0 {
		l.AllCalls = 512
	}
	return l
}

// A Want is a call that asks for a place.
type Want struct {
	// ID names the call: the place in the queue of one that asks again. Without it the place is lost.
	ID string
	// Whose call it is. Households take turns, then the users of a household, then the runs of a user; the
	// calls of one run keep their order.
	Household, User, Run string
	Tokens               int64 // an estimate of the prompt and the reply
	Person               bool  // a person waits for it: it goes before others of its user, though not always
	Local                bool  // the provider is this machine: it has no limits but those that it tells
}

func (w Want) who() turn.Who {
	return turn.Who{Household: w.Household, User: w.User, Run: w.Run, Watched: w.Person}
}

// What is done about idle accounts and about waits that a provider asks for.
const (
	idleFor = 30 * time.Minute // then what was learned of an account is forgotten
	maxWait = time.Hour        // then the provider is asked again, whatever it said

	leastPause = time.Second // after a refusal
)

// A Limiter lets calls through. All runs of a process share one.
type Limiter struct {
	defaults Limits
	now      func() time.Time

	flights *turn.Slots // of the process

	mu       sync.Mutex // guards all that follows, and the lanes
	lanes    map[laneKey]*lane
	accounts map[string]*turn.Slots // calls under way, by account
}

type laneKey struct{ account, model string }

// New makes a Limiter. If now is nil it is time.Now.
func New(defaults Limits, now func() time.Time) *Limiter {
	if now == nil {
		now = time.Now
	}
	defaults = defaults.orDefaults()
	return &Limiter{
		defaults: defaults, now: now, flights: turn.NewSlots(int(defaults.AllCalls)),
		lanes: map[laneKey]*lane{}, accounts: map[string]*turn.Slots{},
	}
}

// Take asks for a place and returns at once. If the wait is zero, the call may be sent, and the
// Ticket's Done must be called after it. Else the caller must wait at least that long and ask again
// under the same ID. Its place is kept meanwhile, so that nobody who came later goes first, and for
// some minutes after; Leave gives it up. An account without a name has no limits.
func (l *Limiter) Take(account, model string, want Want) (Ticket, time.Duration) {
	if account == "" {
		return Ticket{}, 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	ln := l.lane(laneKey{account, model}, want.Local, now)
	e := ln.enter(want)
	e.here = true
	ln.admit(now, e)
	if e.grant != nil {
		return Ticket{l, ln, e.grant}, 0
	}
	wait, _ := ln.waitOf(e, now)
	e.here, e.due = false, now.Add(wait)
	if want.ID == "" {
		ln.remove(e) // nobody could come back for it
	}
	return Ticket{}, wait
}

// Wait blocks until the call may be sent or the context ends, which is the error. onWait, if not nil,
// is told how long it will take at least: when the wait begins, and again whenever that has passed.
func (l *Limiter) Wait(ctx context.Context, account, model string, want Want, onWait func(time.Duration)) (Ticket, error) {
	if ctx.Err() != nil {
		return Ticket{}, context.Cause(ctx)
	}
	if account == "" {
		return Ticket{}, nil
	}
	ln, e := l.join(laneKey{account, model}, want)
	var told time.Time // until when the caller has been told to wait
	for {
		now, wait, alarm := l.look(ln, e)
		if wait == 0 {
			return Ticket{l, ln, e.grant}, nil
		}
		if !now.Before(told) && onWait != nil {
			onWait(wait)
			told = now.Add(wait)
		}
		if err := e.pause(ctx, alarm); err != nil {
			l.abandon(ln, e)
			return Ticket{}, err
		}
	}
}

// join puts a caller that blocks into the queue.
func (l *Limiter) join(key laneKey, want Want) (*lane, *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ln := l.lane(key, want.Local, l.now())
	e := ln.enter(want)
	e.here, e.look = true, make(chan struct{}, 1)
	ln.blocking++
	return ln, e
}

// look tells a caller that blocks how long it waits still: not at all if it was let through.
func (l *Limiter) look(ln *lane, e *entry) (now time.Time, wait, alarm time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now = l.now()
	ln.admit(now, e)
	if e.grant == nil {
		wait, alarm = ln.waitOf(e, now)
	}
	return now, wait, alarm
}

func (l *Limiter) abandon(ln *lane, e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ln.abandon(e, l.now())
}

// pause sleeps until it is time to look again.
func (e *entry) pause(ctx context.Context, alarm time.Duration) error {
	timer := time.NewTimer(alarm)
	defer timer.Stop()
	select {
	case <-e.look:
	case <-timer.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// Leave gives up the place of a call that asked with Take and will not ask again.
func (l *Limiter) Leave(account, model, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ln := l.lanes[laneKey{account, model}]
	if ln == nil {
		return
	}
	if e := ln.byID[id]; e != nil && !e.here {
		ln.remove(e)
		ln.admit(l.now(), nil)
	}
}

// lane returns the lane of an account and model. It forgets those that have not been used for long.
func (l *Limiter) lane(key laneKey, local bool, now time.Time) *lane {
	ln := l.lanes[key]
	if ln == nil {
		for k, old := range l.lanes {
			if old.isIdle(now) {
				delete(l.lanes, k)
			}
		}
		limits := l.defaults
		if local {
			limits.Requests, limits.Tokens = None, None
		}
		ln = newLane(limits)
		l.lanes[key] = ln
	}
	ln.touched = now
	return ln
}

// A Ticket is the permission to send one call. The zero Ticket is of an account without limits.
type Ticket struct {
	l    *Limiter
	lane *lane
	*grant
}

// Done says how many tokens the call really took, fewer than zero if that is not known, and what the
// provider said of its limits, if it did. A call that failed is done too. Only the first Done or
// Refused counts.
func (t Ticket) Done(used int64, pace *rein.Pace) {
	t.settle(used, pace, func(time.Time) {})
}

// Refused says that the provider did not take the call because it has had enough for now: nobody is
// let through for so long, a second at least. If it never told its limits, ours were too high: they
// are lowered to what it took, and rise again with time.
func (t Ticket) Refused(wait time.Duration, pace *rein.Pace) {
	wait = min(max(wait, leastPause), maxWait)
	t.settle(0, pace, func(now time.Time) { t.lane.refuse(t.grant, now, wait) })
}

func (t Ticket) settle(used int64, pace *rein.Pace, first func(now time.Time)) {
	if t.grant == nil {
		return
	}
	t.l.mu.Lock()
	defer t.l.mu.Unlock()
	now := t.l.now()
	if t.done {
		return
	}
	t.done = true
	t.lane.touched = now
	first(now)
	t.lane.settle(t.grant, used, now)
	if pace != nil {
		t.lane.learn(t.grant, *pace, now)
	}
	t.lane.admit(now, nil)
}
