package deliver

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"rein"
	"rein/household/channels"
	"rein/household/people"
	"rein/household/post"
	"rein/store"
)

// A courier sends to the channels of one kind, so that a kind that is slow keeps nobody waiting but itself.
type courier struct {
	*Post
	to   Channel
	wake chan struct{} // holds one token when there may be something to do
}

// serve sends what is due until the context ends.
func (c *courier) serve(ctx context.Context) {
	for ctx.Err() == nil {
		some, err := c.round(ctx)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			c.opts.Log.Warn("messages: the outbox cannot be used", "channel", c.to.Name(), "error", err)
			c.pause(ctx, firstPause, nil)
		case !some:
			c.pause(ctx, sweepEvery, c.wake)
		}
	}
}

// round claims what is due, sends it side by side, and records what came of it.
func (c *courier) round(ctx context.Context) (some bool, err error) {
	var due []Delivery
	err = c.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) (err error) {
		due, err = claim(ctx, tx, c.to.Name(), c.by, c.opts.Now(), c.opts.Lease, parallel)
		return err
	})
	if err != nil || len(due) == 0 {
		return false, err
	}
	c.step(c.to.Name() + " claimed")
	results := make([]result, len(due))
	var wait sync.WaitGroup
	for i, d := range due {
		wait.Go(func() { results[i] = c.try(ctx, d) })
	}
	wait.Wait()
	c.step(c.to.Name() + " sent")
	err = c.opts.Store.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx rein.Tx) error {
		for _, r := range results {
			if r.cut {
				continue
			}
			if err := record(ctx, tx, c.by, r.Delivery); err != nil {
				return err
			}
			if r.gone {
				if err := channels.SetGone(ctx, tx, r.Channel, r.Error, r.Changed); err != nil {
					return err
				}
				if err := drop(ctx, tx, "the address takes no messages any more", r.Changed, `channel = ?`, r.Channel); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil {
		c.step(c.to.Name() + " recorded")
		for _, r := range results {
			c.opts.Arrived(r.Household, r.User)
		}
	}
	return true, err
}

// A result is a delivery as a try leaves it.
type result struct {
	Delivery
	gone bool // so is its channel
	cut  bool // by shutting down: nothing is recorded
}

// try sends a delivery once, if it is still to be sent and may be sent now.
func (c *courier) try(ctx context.Context, d Delivery) result {
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	r := result{Delivery: d}
	r.Changed = c.opts.Now()
	to, m, state, err := c.letter(ctx, r)
	switch {
	case err == nil && state.dropped != "":
		r.State, r.Error = rein.DeliveryDropped, state.dropped
		return r
	case err == nil && state.quiet.After(r.Changed):
		r.Due, r.Next = state.quiet, state.quiet
		return r
	case err == nil:
		if r.Tries == 0 {
			r.Due = r.Changed // patience begins with the first try, however late that is
		}
		r.Receipt, err = c.to.Send(ctx, to, m)
	}
	return c.judge(ctx, r, err)
}

// judge says what is left to do after a try.
func (c *courier) judge(ctx context.Context, r result, err error) result {
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		r.cut = true
		return r
	}
	r.Tries, r.Error, r.Receipt = r.Tries+1, "", rein.Clip(r.Receipt, 300)
	if err == nil {
		r.State = rein.Delivered
		return r
	}
	r.Error = rein.Clip(err.Error(), 300)
	last := r.Due.Add(Patience)
	switch {
	case IsGone(err):
		r.State, r.gone = rein.DeliveryGivenUp, true
	case IsNever(err), !r.Changed.Before(last):
		r.State = rein.DeliveryGivenUp
	default:
		r.Next = r.Changed.Add(max(pause(c.opts.Pause, r.Tries), wait(err)))
		if r.Next.After(last) {
			r.Next = last
		}
	}
	return r
}

// pause is how long to wait after so many tries: twice as long each time, with some chance in it so that what failed
// together is not tried together.
func pause(first time.Duration, tries int) time.Duration {
	p := first
	for i := 1; i < tries && p < mostPause; i++ {
		p *= 2
	}
	p = min(p, mostPause)
	return p - p/4 + time.Duration(rand.Int64N(int64(p)/2+1))
}

// A standing says why a delivery is not sent now, if so.
type standing struct {
	dropped string    // nobody is to be told any more, and why
	quiet   time.Time // it may be sent from then on
}

// letter reads what is sent, and to whom, as it is now.
func (c *courier) letter(ctx context.Context, r result) (where To, m Message, now standing, err error) {
	var kept post.Kept
	err = c.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) error {
		kept, where, now, err = c.readLetter(ctx, q, r)
		return err
	})
	if err != nil || now.dropped != "" {
		return where, m, now, err
	}
	m = Message{ID: r.ID, Kind: kept.Kind, Text: c.opts.Mask(r.Household, r.User, kept.Text), Session: kept.Session, Run: kept.Run, At: kept.At, Urgent: kept.Urgent}
	if c.opts.Link != nil {
		m.Link = c.opts.Link(kept.Message)
	}
	if kept.Ask != "" {
		err = c.addQuestion(ctx, &m, kept.Ask, &now)
	}
	return where, m, now, err
}

func (c *courier) readLetter(ctx context.Context, q store.Query, r result) (kept post.Kept, where To, now standing, err error) {
	kept, found, err := post.Get(ctx, q, r.Message)
	if err != nil || !found {
		now.dropped = "the message was erased"
		return kept, where, now, err
	}
	gone, err := people.IsGone(ctx, q, r.Household, r.User)
	if err != nil || gone {
		now.dropped = "its reader is disabled"
		return kept, where, now, err
	}
	own, err := channels.For(ctx, q, r.Household, r.User)
	if err != nil {
		return kept, where, now, err
	}
	now.dropped = "the channel does not take it any more"
	for _, has := range own {
		if has.ID == r.Channel && has.Takes(kept.Kind) {
			now.dropped = ""
			prefs, err := channels.PreferencesOf(ctx, q, r.Household, r.User)
			if err != nil {
				return kept, where, now, err
			}
			language, zone := c.opts.Home()
			zone, language = prefs.In(zone, language)
			where = ToChannel(has, language, zone)
			if !kept.Urgent {
				now.quiet = prefs.QuietUntil(r.Changed, zone)
			}
		}
	}
	return kept, where, now, nil
}

// addQuestion adds what a person needs to answer.
func (c *courier) addQuestion(ctx context.Context, m *Message, id rein.AskID, now *standing) error {
	ask, err := c.opts.Store.Ask(ctx, id)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound:
		now.dropped = "the ask does not exist any more"
		return nil
	case err != nil:
		return err
	case ask.State != rein.AskPending:
		now.dropped = closedEarlier
		return nil
	}
	m.Text = c.wanted(ask) + rein.Clip(ask.Text, maxText)
	m.Ask = &Question{ID: ask.ID, Kind: ask.Kind, Choices: ask.Choices, Shown: ask.Shown, Deadline: ask.Deadline}
	return nil
}
