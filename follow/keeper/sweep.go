package keeper

import (
	"cmp"
	"context"
	"time"

	"rein"
	"rein/store"
)

// ended takes up a root that has just ended.
func (b *bench) ended(ctx context.Context, run rein.RunID) {
	info, err := b.Store.Run(ctx, run)
	if err != nil {
		b.warn("a run that ended cannot be read", "run", run, "error", err)
		return
	}
	b.takeUp(ctx, info)
}

func (b *bench) takeUp(ctx context.Context, info rein.RunInfo) {
	if !b.keeps(info) || !info.Status.Ended() {
		return
	}
	if info.End().End.Completed() {
		b.start(ctx, rememberID(info.ID), info, task(rememberFlow, map[string]string{"run": string(info.ID)}))
	}
	b.sessions[info.Session] = info.Changed.Add(b.silence())
}

// sweep finds what was missed while nobody watched: in sessions that have changed lately.
func (b *bench) sweep(ctx context.Context) {
	b.swept = time.Now()
	since := b.swept.Add(-cmp.Or(b.LookBack, lookBack))
	for session, err := range b.Store.Sessions(ctx, store.SessionFilter{}) {
		if err != nil {
			b.warn("sessions cannot be read", "error", err)
			return
		}
		if session.Changed.Before(since) {
			continue
		}
		for info, err := range b.Store.Runs(ctx, store.Filter{Session: session.ID, Roots: true}) {
			if err != nil {
				b.warn("runs cannot be read", "session", session.ID, "error", err)
				return
			}
			if !info.Changed.Before(since) {
				b.takeUp(ctx, info)
			}
		}
	}
}

// isOver sums up a session in which nobody has said anything for long enough, and takes note of its
// day. One in which a run is under way is not over: the end of that run will be noted.
func (b *bench) isOver(ctx context.Context, session string) {
	var last rein.RunInfo
	var changed time.Time
	for info, err := range b.Store.Runs(ctx, store.Filter{Session: session, Roots: true}) {
		switch {
		case err != nil:
			b.warn("runs cannot be read", "session", session, "error", err)
			return
		case !info.Status.Ended():
			return
		case b.keeps(info):
			last = info
		}
		if info.Changed.After(changed) {
			changed = info.Changed
		}
	}
	if last.ID == "" {
		return
	}
	if at := changed.Add(b.silence()); at.After(time.Now()) {
		b.sessions[session] = at
		return
	}
	b.start(ctx, sessionID(session, last.ID), last, task(summariseFlow, map[string]string{"session": session, "after": string(last.ID)}))
	b.noteDay(ctx, last)
}

// A day of a user, in the zone of what they said last.
type day struct{ household, user, date string }

// due is when a day can be summed up, and the run that says for whom.
type due struct {
	at    time.Time
	after rein.RunInfo
}

// noteDay has the day of a run summed up once it is over, and its last session with it.
func (b *bench) noteDay(ctx context.Context, info rein.RunInfo) {
	first, err := b.firstTask(ctx, info.ID)
	if err != nil {
		return // it was logged
	}
	zone, err := time.LoadLocation(first.Zone)
	if err != nil || first.Zone == "Local" {
		zone = time.UTC
	}
	at := info.Changed.In(zone)
	over := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, zone).Add(2 * b.silence())
	b.days[day{info.Household, info.User, at.Format(time.DateOnly)}] = due{over, info}
}
