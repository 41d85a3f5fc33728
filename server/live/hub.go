// Package live lets people hear that something of theirs has changed, and not what: which runs, which sessions, that an ask
// was opened or closed. A slow listener hears less often, and then everything that changed meanwhile at once; so nobody
// waits for it, and it needs little memory.
package live

import (
	"context"
	"sync"
	"time"

	"rein"
	"rein/api"
	"rein/store"
)

// Options are for New.
type Options struct {
	Every time.Duration // how long a listener waits at least between two hints; zero: 250 ms
	// Topic says what a call of a tool that ended well has changed in the tables of a household, and whether others of
	// the household see it too. An empty topic: nothing. A nil function: no call changes any.
	Topic func(tool string, result rein.ToolResult) (topic api.Topic, wide bool)
}

// A Hub knows who listens, and what has changed.
type Hub struct {
	source store.Reader
	every  time.Duration
	notes  *store.Notes[news]
	over   chan struct{} // closed by Close
	ended  chan struct{} // closed when the hub passes nothing on any more

	mu        sync.Mutex
	closed    bool
	unwatch   func() // nil: nobody has listened yet
	listeners map[*Listener]struct{}

	known *known // of the one who tells
}

// New makes a hub of the source. Close ends it.
func New(source store.Reader, o Options) *Hub {
	if o.Every == 0 {
		o.Every = 250 * time.Millisecond
	}
	return &Hub{
		source: source, every: o.Every, notes: store.NewNotes[news](), over: make(chan struct{}), ended: make(chan struct{}),
		listeners: map[*Listener]struct{}{}, known: newKnown(source, o.Topic),
	}
}

// ErrShutdown is what listeners hear when the hub is closed.
var ErrShutdown = rein.Errorf(rein.CodeUnavailable, "the process is shutting down: connect again when it is back")

// Close ends every listener with ErrShutdown.
func (h *Hub) Close() {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return
	}
	h.closed = true
	close(h.over)
	unwatch := h.unwatch
	h.mu.Unlock()
	if unwatch != nil {
		unwatch()
		<-h.ended
	}
}

// Join adds a listener, who hears of what this identity sees, until Leave. The first thing is a hello.
func (h *Hub) Join(ctx context.Context, who rein.Identity) (*Listener, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, ErrShutdown
	}
	if h.unwatch == nil {
		if err := h.begin(ctx); err != nil {
			return nil, err
		}
	}
	l := &Listener{hub: h, who: who, some: make(chan struct{}, 1)}
	h.listeners[l] = struct{}{}
	l.lose()
	return l, nil
}

// begin watches the logs, from the first listener on. What is open now is read after that, so that nothing falls in between.
func (h *Hub) begin(ctx context.Context) error {
	unwatch := h.notes.Watch(h.source, (*news).take)
	if err := h.known.read(ctx); err != nil {
		unwatch()
		return err
	}
	h.unwatch = unwatch
	go h.tellAll()
	return nil
}

// tellAll tells what changed, until Close.
func (h *Hub) tellAll() {
	defer close(h.ended)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for {
		select {
		case <-h.notes.Some:
			h.tell(ctx, h.notes.Read())
		case <-h.over:
			return
		}
	}
}

func (h *Hub) tell(ctx context.Context, n news) {
	var all []change
	err := error(nil)
	if n.lost {
		err = h.known.read(ctx)
	} else {
		all, err = h.known.changes(ctx, n)
	}
	if n.lost || err != nil {
		h.each(func(l *Listener) { l.lose() }) // nobody knows what it was
		return
	}
	for _, c := range all {
		h.each(func(l *Listener) { l.hear(c) })
	}
}

func (h *Hub) each(do func(*Listener)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.listeners {
		do(l)
	}
}

// Session tells that a session of a user was arranged differently. A nil hub tells nobody.
func (h *Hub) Session(household, user, id string) {
	if h != nil {
		h.each(func(l *Listener) { l.hear(change{household: household, user: user, session: id}) })
	}
}

// Run tells that what is kept beside a run of a user has changed. A nil hub tells nobody.
func (h *Hub) Run(info rein.RunInfo) {
	if h != nil {
		h.each(func(l *Listener) { l.hear(change{household: info.Household, user: info.User, run: info.ID.Root()}) })
	}
}

// Household tells that things of a topic have changed: those of one user, or if the user is empty things that everyone of
// the household sees. Whoever writes them outside of a step calls it after the write. A nil hub tells nobody.
func (h *Hub) Household(household, user string, topic api.Topic) {
	if h != nil {
		h.each(func(l *Listener) { l.hear(change{household: household, user: user, topic: topic, wide: user == ""}) })
	}
}

// Everything tells that anything in a household may have changed. A nil hub tells nobody.
func (h *Hub) Everything(name string) {
	if h == nil {
		return
	}
	h.each(func(l *Listener) {
		if l.who.Household == name {
			l.lose()
		}
	})
}
