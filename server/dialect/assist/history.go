package assist

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"rein"
	"rein/internal/consent"
	"rein/store"
)

// An Entry is one thing that was said in a chat.
type Entry struct {
	ID      rein.CommandID `json:"id"`
	Role    rein.Role      `json:"role"` // user or assistant
	Content string         `json:"content"`
	TS      time.Time      `json:"ts"`
	Session string         `json:"session"`
	Actions Actions        `json:"actions"`
	Error   string         `json:"error,omitempty"` // for a turn that was cut off

	ask   *rein.Ask // that it shows
	order time.Time
}

// How many entries a history has.
const (
	defaultEntries = 50
	maxEntries     = 500
)

// chatFlows are the flows whose runs are turns of a chat, or messages of rein in it.
var chatFlows = []string{Flow, TaskFlow, "research", "code", "notice"}

// history tells the newest of what the caller and the assistant said, oldest first.
func (d *dialect) history(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	limit := defaultEntries
	if text := r.URL.Query().Get("limit"); text != "" {
		var err error
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > maxEntries {
			return rein.Errorf(rein.CodeInvalid, "parameter limit is %.20q; it must be a number from 1 to %d", text, maxEntries)
		}
	}
	entries, err := d.entries(r.Context(), who, limit)
	if err != nil {
		return err
	}
	showEntries(d.clients.Of(who), entries, func() bool {
		return answer(w, http.StatusOK, map[string]any{"messages": entries}) && r.Context().Err() == nil
	})
	return nil
}

// entries reads the caller's turns from the newest back, until there are enough.
func (d *dialect) entries(ctx context.Context, who rein.Identity, limit int) ([]Entry, error) {
	sessions, err := d.sessions(ctx, who)
	if err != nil {
		return nil, err
	}
	var parts []*story // the newest first
	found := 0
	for _, session := range slices.Backward(sessions) {
		if found >= limit {
			break
		}
		var runs []rein.RunInfo
		for info, err := range d.Store.Runs(ctx, store.Filter{Session: session.ID, Roots: true}) {
			if err != nil {
				return nil, err
			}
			if slices.Contains(chatFlows, info.Flow) {
				runs = append(runs, info)
			}
		}
		for _, info := range slices.Backward(runs) {
			if found >= limit {
				break
			}
			part, err := d.tellRun(ctx, info)
			if err != nil {
				return nil, err
			}
			parts, found = append(parts, part), found+len(part.entries)
		}
	}
	slices.Reverse(parts)
	all := inOrder(parts)
	return all[max(0, len(all)-limit):], nil
}

// inOrder puts what was said in runs, the oldest first, into one order: a run that waited may have continued after a later
// one ended. A run that began with what the one before it did not read comes after that one.
func inOrder(parts []*story) []Entry {
	all := []Entry{}
	ended := map[rein.RunID]time.Time{}
	for _, part := range parts {
		for i := range part.entries {
			e := &part.entries[i]
			if e.order = e.TS; e.order.Before(ended[part.after]) {
				e.order = ended[part.after]
			}
			ended[part.run] = e.order
		}
		all = append(all, part.entries...)
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return a.order.Compare(b.order) })
	return all
}

// sessions lists those of the caller, the one that changed last at the end.
func (d *dialect) sessions(ctx context.Context, who rein.Identity) ([]rein.SessionInfo, error) {
	var own []rein.SessionInfo
	if who.Household == "" {
		return nil, nil
	}
	for s, err := range d.Store.Sessions(ctx, store.SessionFilter{Household: who.Household, User: who.User}) {
		if err != nil {
			return nil, err
		}
		own = append(own, s)
	}
	slices.SortStableFunc(own, func(a, b rein.SessionInfo) int { return a.Changed.Compare(b.Changed) })
	return own, nil
}

// tellRun tells what was said in one turn.
func (d *dialect) tellRun(ctx context.Context, info rein.RunInfo) (*story, error) {
	s := &story{run: info.ID, session: info.Session, actions: map[rein.StepKey]*Action{}, unread: map[rein.CommandID]bool{}}
	for e, err := range d.Store.Events(ctx, info.ID, 0) {
		if err != nil {
			return nil, err
		}
		s.see(e)
	}
	return s, nil
}

// A story is a turn as it is read from its log.
type story struct {
	run     rein.RunID
	after   rein.RunID // whose unread messages it began with
	session string
	entries []Entry
	actions map[rein.StepKey]*Action // by the step that asks
	unread  map[rein.CommandID]bool  // messages that the run has not read
}

func (s *story) add(e rein.Event, role rein.Role, text string) {
	if text != "" {
		s.entries = append(s.entries, Entry{ID: rein.NewCommandID(e.Run, e.Seq), Role: role, Content: text, TS: e.At.UTC(), Session: s.session})
	}
}

func (s *story) see(e rein.Event) {
	switch {
	case e.Kind == rein.RunStarted:
		start, _ := rein.Payload[rein.RunStart](e) // what was erased says nothing
		s.after = start.After
		for _, m := range start.Task.Messages {
			if m.Role == rein.User || m.Role == rein.Assistant {
				s.add(e, m.Role, m.Text)
			}
		}
	case e.Kind == rein.StepDone:
		end, _ := rein.Payload[rein.StepEnd](e)
		for _, item := range end.Items {
			delete(s.unread, item.Command)
		}
		if a := s.actions[e.Step]; a != nil && a.State == ActionConfirmed {
			if a.State = ActionExecuted; !outcomeOf(e).Success {
				a.State = ActionFailed
			}
		}
	case e.Kind == rein.AskOpened:
		s.asked(e)
	case e.Kind.Ends():
		end, _ := rein.Payload[rein.RunEnd](e)
		s.ended(e, end)
	default:
		s.commanded(e)
	}
}

func (s *story) asked(e rein.Event) {
	ask, _ := rein.Payload[rein.Ask](e)
	s.add(e, rein.Assistant, ask.Text)
	if len(s.entries) == 0 {
		return
	}
	last := &s.entries[len(s.entries)-1]
	last.ask = &ask
	if !consent.IsFor(ask) {
		return
	}
	action := actionOf(ask, "")
	action.State = ActionPending
	last.Actions = Actions{action}
	s.actions[ask.Step] = &last.Actions[0]
}

// commanded keeps what an answer, or the end of waiting for one, made of an action.
func (s *story) commanded(e rein.Event) {
	kind := e.Kind.Command()
	if kind == "" {
		return
	}
	c, err := rein.Payload[rein.Command](e)
	if err != nil {
		return
	}
	switch kind {
	case rein.CommandAnswer:
		s.add(e, rein.User, c.Answer.Text)
	case rein.CommandMessage, rein.CommandModify:
		if c.From != "" {
			return // another run sent it
		}
		s.add(e, rein.User, c.Text)
		s.unread[rein.NewCommandID(e.Run, e.Seq)] = true
	}
	for _, a := range s.actions {
		switch {
		case a.State != ActionPending:
		case kind == rein.CommandAnswer && a.ask.ID == c.Ask:
			a.State = map[rein.AskState]ActionState{rein.AskApproved: ActionConfirmed, rein.AskEdited: ActionConfirmed}[c.Answer.State]
			if a.State == "" {
				a.State = ActionRejected
			}
		case kind == rein.CommandExpire && a.ask.ID == c.Ask, kind == rein.CommandModify, kind.Force() > 0:
			a.State = ActionExpired
		}
	}
}

func (s *story) ended(e rein.Event, end rein.RunEnd) {
	why := ""
	if e.Kind == rein.RunCompleted { // what it has not read is what the next run began with
		s.entries = slices.DeleteFunc(s.entries, func(x Entry) bool { return s.unread[x.ID] })
	}
	switch {
	case end.Failure != nil:
		why = end.Failure.Msg
	case e.Kind == rein.RunStopped:
		why = "the turn was " + string(end.End)
	}
	if end.Text != "" || why != "" {
		s.entries = append(s.entries, Entry{
			ID: rein.NewCommandID(e.Run, e.Seq), Role: rein.Assistant, Content: end.Text, TS: e.At.UTC(), Session: s.session, Error: why,
		})
	}
	for _, a := range s.actions {
		if a.State == ActionConfirmed {
			a.State = ActionFailed // it was cut off
		}
	}
}
