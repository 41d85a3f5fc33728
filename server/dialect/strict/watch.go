package strict

import (
	"context"
	"errors"
	"time"

	"rein"
	"rein/journal/feed"
	"rein/store"
)

// A watch follows the runs of a conversation for one socket, one after the other.
type watch struct {
	*socket
	conversation string
	last         rein.RunID // the run before the one to follow; empty: there is none
	from         place      // in the next run, if it is the one that it names
	wake         chan struct{}
	open         map[rein.AskID]bool // what waited for a person when the watch went on after a cursor
	active       rein.RunID          // the run that was under way when the watch began, if there was one
	stands       bool                // it begins with where the conversation stands
}

// begin returns a watch of the conversation. After a cursor it goes on there; else with the run that is
// under way, from its beginning, or with the next to come.
func (s *socket) begin(ctx context.Context, conversation, after string) (*watch, error) {
	w := &watch{socket: s, conversation: conversation, wake: make(chan struct{}, 1)}
	if after != "" {
		return w, w.goOn(ctx, after)
	}
	over := false
	for range maxLooks {
		var err error
		if w.last, w.active, over, err = s.lastBefore(ctx, conversation); err != nil {
			return nil, err
		}
		if over {
			break // else it started between two looks, and is the one under way
		}
	}
	return w, nil
}

// maxLooks is more than how often a run starts exactly while someone connects.
const maxLooks = 10

// lastBefore returns the newest run before the one under way, if there are such, and whether it is over.
func (s *socket) lastBefore(ctx context.Context, conversation string) (last, active rein.RunID, over bool, err error) {
	before := store.Filter{Session: conversation, Roots: true, Newest: true, Limit: 1}
	for info, err := range s.Store.Runs(ctx, store.Filter{Session: conversation, Roots: true, Unfinished: true, Limit: 1}) {
		if err != nil {
			return "", "", false, err
		}
		active, before.After = info.ID, info.ID // what came before it
	}
	for info, err := range s.Store.Runs(ctx, before) {
		return info.ID, active, info.Status.Ended(), err
	}
	return "", active, true, nil
}

// goOn finds the place of a cursor.
func (w *watch) goOn(ctx context.Context, after string) (err error) {
	if w.from, err = parsePlace(after); err != nil {
		return err
	}
	info, err := w.Store.Run(ctx, w.from.run)
	if rein.CodeOf(err) == rein.CodeNotFound || err == nil && (info.Session != w.conversation || info.ID.Depth() > 0 || w.from.seq > info.Seq) {
		return rein.Errorf(rein.CodeInvalid, "after is %.80q, which is not a cursor of conversation %q: leave it out to see the active run from its beginning", after, w.conversation)
	}
	if err != nil {
		return err
	}
	asks, err := w.Store.Asks(ctx, store.AskFilter{Tree: w.from.run, Pending: true})
	w.open = map[rein.AskID]bool{}
	for _, ask := range asks {
		w.open[ask.ID] = true
	}
	return err
}

// follow sends what happens in the conversation until the context ends.
func (w *watch) follow(ctx context.Context) {
	defer w.hub.join(w.conversation, w.wake)() // before the first look, so that nothing is missed
	if w.stands && !w.tellStanding(ctx) {
		return
	}
	if w.from.run != "" {
		if !w.sendRun(ctx, w.from.run) {
			return
		}
	}
	for {
		next, err := w.next(ctx)
		switch {
		case err != nil:
			w.lost(ctx, err)
			return
		case next == "":
			select {
			case <-w.wake:
			case <-ctx.Done():
				return
			}
		case !w.sendRun(ctx, next):
			return
		}
	}
}

// next returns the first run after the last, if there is one. It is a short read, which nobody cuts.
func (w *watch) next(ctx context.Context) (run rein.RunID, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for info, err := range w.Store.Runs(ctx, store.Filter{Session: w.conversation, Roots: true, After: w.last, Limit: 1}) {
		if err != nil {
			return "", err
		}
		if !w.who.Sees(info.Household, info.User) { // it was nobody's when the watch began
			return "", noConversation(w.conversation)
		}
		run = info.ID
	}
	return run, nil
}

// sendRun sends a run to its end, and reports whether to go on with the next.
func (w *watch) sendRun(ctx context.Context, run rein.RunID) bool {
	w.last = run
	t := NewTranslator()
	for line, err := range w.Feed.Follow(ctx, run, feed.Options{}) {
		if err != nil {
			w.lost(ctx, err)
			return false
		}
		var out []Message
		switch {
		case line.Event != nil:
			out = w.placed(t.Event(*line.Event), *line.Event)
		case line.Delta != nil:
			out = t.Delta(*line.Delta)
		}
		for _, m := range out {
			m.Run, m.Conversation = run, w.conversation
			if !w.show(ctx, m) {
				return false
			}
		}
	}
	return true
}

// placed gives the messages of an event their cursors, and leaves out what the client has. What is still
// open it is sent again, without a cursor: the ID that it has is that of another socket.
func (w *watch) placed(messages []Message, e rein.Event) (out []Message) {
	n := 0
	for _, m := range messages {
		at := place{e.Run, e.Seq, n + 1}
		if !m.loose {
			n++
		}
		switch has := w.from.run == e.Run && !w.from.before(at.seq, at.n); {
		case m.loose && !has:
			out = append(out, m)
		case !has:
			m.Cursor = at.String()
			out = append(out, m)
		case e.Kind == rein.AskOpened && m.ask != nil && w.open[m.ask.ID]:
			out = append(out, m)
		}
	}
	return out
}

// lost ends a socket that cannot be told any more what happens.
func (w *watch) lost(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	if errors.Is(err, feed.ErrShutdown) {
		w.goAway()
		return
	}
	w.send(ctx, fault(err))
	w.hangUp()
}
