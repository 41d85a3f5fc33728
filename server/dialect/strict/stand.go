package strict

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// The states of a conversation.
const (
	stateNew      = "new"           // nothing was said in it
	stateRunning  = "running"       // a run is under way: what it did follows
	stateAwaiting = "awaiting_user" // and it waits for a person
	stateIdle     = "idle"          // its last run has ended: how it ended follows
)

// tellStanding sends where the conversation stands and, if nothing is under way, how it ended: a client
// that was away when that happened would wait for it for ever.
func (w *watch) tellStanding(ctx context.Context) bool {
	short, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	state, err := w.state(short)
	var ending []Message
	if err == nil && state == stateIdle {
		ending, err = w.ending(short)
	}
	if err != nil {
		w.lost(ctx, err)
		return false
	}
	stand := Message{Type: typeState, State: state, Run: w.active}
	for _, m := range append([]Message{stand}, ending...) {
		m.Conversation = w.conversation
		if !w.show(ctx, m) {
			return false
		}
	}
	return true
}

func (w *watch) state(ctx context.Context) (string, error) {
	switch {
	case w.active == "" && w.last == "":
		return stateNew, nil
	case w.active == "":
		return stateIdle, nil
	}
	open, err := w.Store.Asks(ctx, store.AskFilter{Tree: w.active, Pending: true})
	if len(open) > 0 {
		return stateAwaiting, err
	}
	return stateRunning, err
}

// ending is what the last run of the conversation ended with, its answer included. The last message has
// the place after the whole run.
func (w *watch) ending(ctx context.Context) (out []Message, err error) {
	t := NewTranslator()
	for e, err := range w.Store.Events(ctx, w.last, 0) {
		if err != nil {
			return nil, err
		}
		if !e.Kind.Ends() {
			t.Event(e)
			continue
		}
		t.told, t.unread = "", nil
		for _, m := range t.Event(e) {
			m.Run = w.last
			out = append(out, m)
		}
		if len(out) > 0 {
			out[len(out)-1].Cursor = place{run: e.Run, seq: e.Seq, n: len(out)}.String()
		}
	}
	return out, nil
}

// reset begins a new conversation. A run that is under way in the old one goes on there.
type reset struct{}

func (*reset) check() error { return nil }

func (s *socket) reset(ctx context.Context) error {
	id := string(s.NewID(s.Now()))
	if err := s.attend(ctx, id, "", false); err != nil {
		return err
	}
	s.brought = nil
	s.send(ctx, Message{Type: typeReset, Session: id, Conversation: id}.saying("A new conversation has begun."))
	return nil
}

// restore goes back to a conversation, as the client has it.
type restore struct {
	Conversation string `json:"conversation_id"`
	Messages     []said `json:"messages"`
}

// said is one thing that was said, as a client keeps it.
type said struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// maxBrought is how many messages of a client's own can be restored.
const maxBrought = 200

func (r *restore) check() error {
	if r.Conversation == "" {
		return rein.Errorf(rein.CodeInvalid, "field \"conversation_id\" is empty: name the conversation to return to")
	}
	if len(r.Messages) > maxBrought {
		return rein.Errorf(rein.CodeInvalid, "messages has %d entries: send the newest %d", len(r.Messages), maxBrought)
	}
	return checkConversation(r.Conversation)
}

// restore watches a conversation. Who brings its messages has its ending and is not told it again; they are
// what was said before only if the server knows nothing of the conversation.
func (s *socket) restore(ctx context.Context, r restore) error {
	if err := s.attend(ctx, r.Conversation, "", len(r.Messages) == 0); err != nil {
		return err
	}
	w, err := s.begin(ctx, r.Conversation, "")
	if err != nil {
		return err
	}
	state, err := w.state(ctx)
	if err != nil {
		return err
	}
	s.brought = nil
	if state == stateNew {
		s.brought = r.talk()
	}
	s.send(ctx, Message{Type: typeRestored, State: state, Conversation: r.Conversation}.saying("The conversation continues."))
	return nil
}

// talk is what people and models said; other lines of a page are its own.
func (r *restore) talk() (all []rein.Message) {
	for _, m := range r.Messages {
		if role := rein.Role(m.Role); m.Content != "" && (role == rein.User || role == rein.Assistant) {
			all = append(all, rein.Message{Role: role, Text: m.Content})
		}
	}
	return all
}
