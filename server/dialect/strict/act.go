package strict

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/people"
	"rein/server/port"
	"rein/store"
)

// owner returns the user whose conversation it is, empty if it has not begun. Another's does not exist
// for who may not see it.
func (s *socket) owner(ctx context.Context, conversation string) (user string, err error) {
	for info, err := range s.Store.Runs(ctx, store.Filter{Session: conversation, Roots: true, Limit: 1}) {
		if err != nil {
			return "", err
		}
		if !s.who.Sees(info.Household, info.User) {
			return "", noConversation(conversation)
		}
		user = info.User
	}
	return user, nil
}

func noConversation(id string) error {
	return rein.Errorf(rein.CodeNotFound, "there is no conversation %q that you may see: leave conversation_id out to begin a new one", id)
}

// needs says that the client's credential is not good for something.
func (s *socket) needs(scope people.Scope) error {
	if s.who.May(scope) {
		return nil
	}
	return rein.Errorf(rein.CodeForbidden, "this needs the scope %q, which your credential does not have", scope)
}

// chat brings a message into its conversation: it starts a run, or steers the one under way.
func (s *socket) chat(ctx context.Context, c chat) error {
	if err := s.needs(people.Act); err != nil {
		return err
	}
	id := s.NewID(s.Now())
	conversation := c.Conversation
	if conversation == "" {
		conversation = s.conversation
	}
	if conversation == "" {
		conversation = string(id)
	}
	switch user, err := s.owner(ctx, conversation); {
	case err != nil:
		return err
	case user == "" && strings.HasPrefix(conversation, port.KeyedPrefix):
		return noConversation(conversation) // it would take the place of a run that is to come
	case user != "" && user != s.who.User:
		return rein.Errorf(rein.CodeForbidden, "conversation %q is of %s: you may watch it, not speak in it", conversation, user)
	}
	task, err := s.task(ctx, c, conversation)
	if err != nil {
		return err
	}
	if conversation != s.conversation {
		if err := s.attend(ctx, conversation, ""); err != nil {
			return err
		}
	}
	_, err = s.Engine.Say(ctx, id, task, s.who.User, c.Content)
	return err
}

// active returns the runs under way in the conversation, the newest first.
func (s *socket) active(ctx context.Context) (runs []store.RunInfo, err error) {
	if s.conversation == "" {
		return nil, nil
	}
	for info, err := range s.Store.Runs(ctx, store.Filter{Session: s.conversation, Roots: true, Unfinished: true, Newest: true}) {
		if err != nil {
			return nil, err
		}
		if s.who.Sees(info.Household, info.User) {
			runs = append(runs, info)
		}
	}
	return runs, nil
}

// stop ends what is under way. Where nothing is, it is harmless.
func (s *socket) stop(ctx context.Context) error {
	runs, err := s.active(ctx)
	if err != nil {
		return err
	}
	stopped := false
	for _, run := range runs {
		if !s.who.Changes(run.Household, run.User) {
			return rein.Errorf(rein.CodeForbidden, "run %s is of %s: as %s you may look at it, not stop it", run.ID, run.User, s.who.Role)
		}
		_, err := s.Engine.Command(ctx, rein.Command{Kind: rein.CommandStop, Run: run.ID, By: s.who.User})
		if err != nil && rein.CodeOf(err) != rein.CodeFinished {
			return err
		}
		stopped = stopped || err == nil
	}
	if !stopped {
		s.send(ctx, warning("nothing is under way in this conversation: there is nothing to stop"))
	}
	return nil
}

// input answers the oldest question that is open.
func (s *socket) input(ctx context.Context, i input) error {
	ask, err := s.open(ctx, func(ask rein.Ask) bool { return !decides(ask) })
	if err != nil {
		return err
	}
	if ask == nil {
		s.send(ctx, warning("no question is open: your input was not used; send a chat message instead"))
		return nil
	}
	return s.answer(ctx, *ask, rein.Answer{State: rein.AskAnswered, Text: i.Content})
}

// decide answers a request for approval.
func (s *socket) decide(ctx context.Context, d decision) error {
	ask, err := s.open(ctx, func(ask rein.Ask) bool {
		return decides(ask) && (callID(ask) == d.CallID || string(ask.ID) == d.CallID)
	})
	if err != nil {
		return err
	}
	if ask == nil {
		s.send(ctx, warning("no approval of this tool call is awaited: your decision was not used"))
		return nil
	}
	answer := rein.Answer{State: rein.AskApproved, Text: d.Reason}
	switch {
	case !*d.Approved:
		answer.State = rein.AskRejected
	case d.Arguments != nil && !asShown(*ask, d.Arguments):
		answer.State, answer.Args = rein.AskEdited, d.Arguments
	}
	return s.answer(ctx, *ask, answer)
}

// asShown reports whether the arguments are those that the person was shown: clients send them back
// unchanged with a plain yes.
func asShown(ask rein.Ask, args json.RawMessage) bool {
	return ask.Call != nil && sameJSON(args, asJSON(ask.Call.Args))
}

func sameJSON(a, b json.RawMessage) bool {
	one, err := canonical(a)
	if err != nil {
		return false
	}
	other, err := canonical(b)
	return err == nil && slices.Equal(one, other)
}

// canonical writes JSON in one way.
func canonical(data json.RawMessage) ([]byte, error) {
	var value any
	if len(data) == 0 {
		data = json.RawMessage("{}")
	}
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

// open returns the oldest open ask of the conversation that fits, or nil.
func (s *socket) open(ctx context.Context, fits func(rein.Ask) bool) (*rein.Ask, error) {
	if err := s.needs(people.Answer); err != nil {
		return nil, err
	}
	runs, err := s.active(ctx)
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		asks, err := s.Store.Asks(ctx, store.AskFilter{Tree: run.ID, Pending: true})
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(asks, fits); i >= 0 {
			return &asks[i], nil
		}
	}
	return nil, nil
}

func (s *socket) answer(ctx context.Context, ask rein.Ask, answer rein.Answer) error {
	if _, err := port.Answerable(ctx, s.Store, ask.ID, s.who); err != nil {
		return err
	}
	answer.By = s.who.User
	_, err := s.Engine.Command(ctx, ask.Reply(answer))
	if code := rein.CodeOf(err); code == rein.CodeClosed || code == rein.CodeFinished {
		s.send(ctx, warning("somebody or something was faster: "+err.Error()))
		return nil
	}
	return err
}
