package deliver

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"rein"
	"rein/household/channels"
	"rein/household/post"
	"rein/store"
)

// A Store is what a post office watches, reads, and keeps its deliveries in. Asks are read as people see them.
type Store interface {
	store.Reader
	store.Tables
}

// Options are those of a post office. Store is needed; the zero value of the rest is useful.
type Options struct {
	Store    Store
	Channels []Channel // of different kinds
	// Link returns where a person can look at a message; nil: nowhere.
	Link func(post.Message) string
	// Mask hides secrets in a text for a user; nil hides nothing.
	Mask func(household, user, text string) string
	// Home returns the language and the zone of people who chose none; nil: English and UTC.
	Home func() (language string, zone *time.Location)
	// Arrived is called after messages for a user came in, and after something became of them; nil: nobody wants to know.
	Arrived func(household, user string)
	Now     func() time.Time // nil means time.Now
	// Patient is how long an ask waits for somebody who is there before it is sent to the channels; zero means 20 s.
	Patient time.Duration
	Pause   time.Duration // before the second try; zero means 5 s. It doubles with each
	Lease   time.Duration // how long nobody else tries what one process tries; zero means a minute
	Look    time.Duration // how often it looks for what is new; zero means a second
	Log     *slog.Logger  // nil is silent
}

const (
	firstPause = 5 * time.Second
	mostPause  = time.Hour
	// Patience is how long a delivery is tried before it is given up.
	Patience   = 24 * time.Hour
	sweepEvery = 5 * time.Minute
	sweepSoon  = 15 * time.Second // after something went wrong
	pruneEvery = time.Hour
	tryLimit   = 30 * time.Second
	parallel   = 8 // deliveries of one kind of channel at once
)

// A Post is a post office: it brings messages to people. New makes one.
type Post struct {
	opts     Options
	by       string // names this process in claims
	asks     *store.Notes[bool]
	couriers []*courier
	trip     func(step string) // nil: nobody wants to know

	// Of the one who looks.
	version uint64    // of the tables, when it last looked
	looked  bool      // it has looked at all
	due     time.Time // when the next delivery is due; zero: none waits
	sweep   time.Time // when it sweeps next
	pruning time.Time
}

// New makes a post office, which does nothing until it is served.
func New(o Options) *Post {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Home == nil {
		o.Home = func() (string, *time.Location) { return "en", time.UTC }
	}
	if o.Mask == nil {
		o.Mask = func(_, _, text string) string { return text }
	}
	if o.Arrived == nil {
		o.Arrived = func(string, string) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Patient, o.Pause = cmp.Or(o.Patient, 20*time.Second), cmp.Or(o.Pause, firstPause)
	o.Lease, o.Look = cmp.Or(o.Lease, time.Minute), cmp.Or(o.Look, time.Second)
	p := &Post{opts: o, by: rand.Text(), asks: store.NewNotes[bool]()}
	for _, c := range o.Channels {
		p.couriers = append(p.couriers, &courier{Post: p, to: c, wake: make(chan struct{}, 1)})
	}
	return p
}

// Trip has f called after each step: "gathered", and for each kind of channel "claimed", "sent" and "recorded", as in "mail
// sent". It is for labs, which kill the process there. Call it before Serve.
func (p *Post) Trip(f func(step string)) { p.trip = f }

func (p *Post) step(name string) {
	if p.trip != nil {
		p.trip(name)
	}
}

// Serve delivers until the context ends. A try that is cut off by that is made again by the next process that serves.
func (p *Post) Serve(ctx context.Context) error {
	stop := p.asks.Watch(p.opts.Store, func(some *bool, marks []store.Mark) bool {
		for _, m := range marks {
			*some = *some || m.Kind == rein.AskOpened || m.Kind.Command() != "" || m.Kind.Ends()
		}
		return *some
	})
	defer stop()
	var wait sync.WaitGroup
	for _, c := range p.couriers {
		wait.Go(func() { c.serve(ctx) })
	}
	for ctx.Err() == nil {
		p.look(ctx)
		p.pause(ctx, p.opts.Look, p.asks.Some)
	}
	wait.Wait()
	return nil
}

func (p *Post) pause(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-wake:
	case <-timer.C:
	}
}

// look finds what is new or due, and wakes who delivers it. It costs nothing while nothing has changed.
func (p *Post) look(ctx context.Context) {
	now, failed := p.opts.Now(), false
	attempt := func(what string, do func(context.Context, time.Time) error) {
		if err := do(ctx, now); err != nil && ctx.Err() == nil {
			p.opts.Log.Warn("messages: cannot "+what+"; it is tried again", "error", err)
			failed = true
		}
	}
	if p.asks.Read() || !now.Before(p.sweep) {
		attempt("read asks", p.readAsks)
	}
	if !now.Before(p.sweep) {
		attempt("sweep", p.sweepAll)
		p.sweep = now.Add(sweepEvery)
	}
	if !now.Before(p.pruning) {
		attempt("prune", p.prune)
		p.pruning = now.Add(pruneEvery)
	}
	if p.changed() {
		attempt("gather", p.gather)
		attempt("read what is due", p.readDue)
	}
	if failed {
		p.sweep, p.looked = now.Add(sweepSoon), false
	}
	if !p.due.IsZero() && !now.Before(p.due) {
		p.rouse()
	}
}

// changed reports whether tables may have changed since the last time.
func (p *Post) changed() bool {
	versioned, ok := p.opts.Store.(store.Versioned)
	if !ok {
		return true
	}
	version, ok := versioned.TablesVersion()
	if ok && p.looked && version == p.version {
		return false
	}
	p.version, p.looked = version, true
	return true
}

func (p *Post) readDue(ctx context.Context, _ time.Time) error {
	return p.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) error {
		at, ok, err := p.next(ctx, q)
		if err == nil {
			p.due = time.Time{}
			if ok {
				p.due = at
			}
		}
		return err
	})
}

func (p *Post) rouse() {
	for _, c := range p.couriers {
		select {
		case c.wake <- struct{}{}:
		default: // it has not looked yet
		}
	}
}

func (p *Post) prune(ctx context.Context, now time.Time) error {
	return p.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error { return prune(ctx, tx, now) })
}

// serves returns the kinds of channels that messages are sent to here.
func (p *Post) serves(kind channels.Kind) bool {
	for _, c := range p.couriers {
		if c.to.Name() == string(kind) {
			return true
		}
	}
	return false
}
