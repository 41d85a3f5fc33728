// Package alarms writes the messages of the alarms that people set on events of their agenda. It works from rows, so that
// nothing is lost over a restart, and nobody gets a message twice: not from two processes, and not when a clock jumps.
package alarms

import (
	"context"
	"log/slog"
	"time"

	"rein"
	"rein/household/agenda"
	"rein/household/post"
	"rein/internal/speech"
)

// A Ringer watches the agenda. Book is needed; the zero value of the rest is useful.
type Ringer struct {
	Book agenda.Book
	// Where returns the language and the time zone of a user; nil: English, and the zone of the event.
	Where func(household, user string) (language, zone string)
	Log   *slog.Logger // nil is silent
	// Every is how often the rows are read, since another process may write them; zero means 15 seconds.
	Every time.Duration
}

const (
	usualEvery = 15 * time.Second
	sweepEvery = time.Hour
)

var words = speech.Words{
	"en": {"alarm": "In your agenda: '%s', %s", "place": " (%s)", "day": ", all day"},
	"nl": {"alarm": "In je agenda: '%s', %s", "place": " (%s)", "day": ", hele dag"},
}

// Serve writes what is due, and goes on until the context ends. What fails is logged, and tried again.
func (r *Ringer) Serve(ctx context.Context) error {
	every := r.Every
	if every <= 0 {
		every = usualEvery
	}
	swept := time.Time{}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		if now := r.Book.Time(); now.Sub(swept) >= sweepEvery || now.Before(swept) {
			r.warn(r.Sweep(ctx))
			swept = now
		}
		r.warn(r.Ring(ctx))
		timer.Reset(r.pause(ctx, every))
	}
}

// pause is how long to wait until there may be something to do.
func (r *Ringer) pause(ctx context.Context, every time.Duration) time.Duration {
	next, err := r.Book.NextAlarm(ctx)
	if err != nil || next.IsZero() {
		return every
	}
	return min(max(next.Sub(r.Book.Time()), 0), every)
}

func (r *Ringer) warn(err error) {
	if err != nil && r.Log != nil {
		r.Log.Warn("alarms of the agenda", "error", err)
	}
}

// Sweep looks for what a clock that was wrong has left behind, and forgets what is over long ago.
func (r *Ringer) Sweep(ctx context.Context) error {
	if _, err := r.Book.Rewind(ctx); err != nil {
		return err
	}
	return r.Book.Prune(ctx)
}

// Ring writes the messages of all alarms that are due.
func (r *Ringer) Ring(ctx context.Context) error {
	for ctx.Err() == nil {
		n, err := r.Book.Ring(ctx, r.tell)
		if err != nil || n == 0 {
			return err
		}
	}
	return nil
}

// tell writes the message of one alarm, in the transaction that settles it.
func (r *Ringer) tell(ctx context.Context, tx rein.Tx, a agenda.Alarm) error {
	if a.Skipped != "" {
		return nil
	}
	e := a.Occurrence.Event
	var run rein.RunID
	if len(e.Runs) > 0 {
		run = e.Runs[0]
	}
	return post.Put(ctx, tx, post.Message{
		ID: a.ID, Household: e.Household, User: e.User, Kind: post.Alarm, Text: r.text(a.Occurrence), Run: run, At: r.Book.Time(),
	})
}

// text is what a person reads. It names the time and not how long that is from now: a message can be late.
func (r *Ringer) text(o agenda.Occurrence) string {
	e := o.Event
	language, zone := "", e.Zone
	if r.Where != nil {
		language, zone = r.Where(e.Household, e.User)
	}
	place := agenda.ZoneOf(zone)
	start, now := o.Start.In(place), r.Book.Time()
	when := speech.When(language, start, now)
	if e.AllDay {
		day, _ := e.Start.In(place)
		when = speech.Day(language, day, now) + words.Say(language, "day")
	}
	text := words.Say(language, "alarm", e.Title, when)
	if e.Place != "" {
		text += words.Say(language, "place", e.Place)
	}
	return text + "."
}
