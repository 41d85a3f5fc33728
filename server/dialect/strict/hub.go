package strict

import (
	"context"
	"sync"
	"time"

	"rein"
	"rein/store"
)

// A hub tells the sockets of a conversation that a run has started there, whoever started it. It
// watches the store while there are sockets.
type hub struct {
	watcher store.Watcher
	runs    store.Views

	mu       sync.Mutex
	sockets  map[string]int                    // how many each user has
	watches  map[string]map[chan struct{}]bool // by conversation
	unwatch  func()
	changing sync.Mutex // held while watching begins or ends; never together with mu
}

func newHub(w store.Watcher, runs store.Views) *hub {
	return &hub{watcher: w, runs: runs, sockets: map[string]int{}, watches: map[string]map[chan struct{}]bool{}}
}

// enter counts a socket of the user, if there may be one more.
func (h *hub) enter(user string, most int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sockets[user] >= most {
		return false
	}
	h.sockets[user]++
	return true
}

func (h *hub) exit(user string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sockets[user]--; h.sockets[user] <= 0 {
		delete(h.sockets, user)
	}
}

// join has the channel told of runs that start in the conversation, until leave.
func (h *hub) join(conversation string, wake chan struct{}) (leave func()) {
	h.changing.Lock()
	defer h.changing.Unlock()
	h.mu.Lock()
	if h.watches[conversation] == nil {
		h.watches[conversation] = map[chan struct{}]bool{}
	}
	h.watches[conversation][wake] = true
	h.mu.Unlock()
	if h.unwatch == nil {
		h.unwatch = h.watch()
	}
	return func() { h.part(conversation, wake) }
}

func (h *hub) part(conversation string, wake chan struct{}) {
	h.changing.Lock()
	defer h.changing.Unlock()
	h.mu.Lock()
	if delete(h.watches[conversation], wake); len(h.watches[conversation]) == 0 {
		delete(h.watches, conversation)
	}
	empty := len(h.watches) == 0
	h.mu.Unlock()
	if empty && h.unwatch != nil {
		h.unwatch()
		h.unwatch = nil
	}
}

// watch looks at every run that starts, until stop.
func (h *hub) watch() (stop func()) {
	notes, over := store.NewNotes[[]rein.RunID](), make(chan struct{})
	unwatch := notes.Watch(h.watcher, takeStarted)
	go h.look(notes, over)
	return func() {
		unwatch()
		close(over)
	}
}

// takeStarted takes down which runs have started.
func takeStarted(started *[]rein.RunID, marks []store.Mark) (some bool) {
	for _, m := range marks {
		if m.Kind == rein.RunStarted && m.Run.Depth() == 0 {
			*started, some = append(*started, m.Run), true
		}
	}
	return some
}

// look finds out which conversations the new runs are of, and wakes who watches them.
func (h *hub) look(notes *store.Notes[[]rein.RunID], over <-chan struct{}) {
	for {
		select {
		case <-notes.Some:
		case <-over:
			return
		}
		for _, run := range notes.Read() {
			h.wake(h.conversationOf(run))
		}
	}
}

func (h *hub) conversationOf(run rein.RunID) (conversation string, unknown bool) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	info, err := h.runs.Run(ctx, run)
	return info.Session, err != nil
}

// wake wakes who watches the conversation; or everyone, if it is not known which it is.
func (h *hub) wake(conversation string, unknown bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !unknown {
		ring(h.watches[conversation])
		return
	}
	for _, watches := range h.watches {
		ring(watches)
	}
}

func ring(watches map[chan struct{}]bool) {
	for w := range watches {
		select {
		case w <- struct{}{}:
		default: // it has not looked yet
		}
	}
}
