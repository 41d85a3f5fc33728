package strict

import (
	"context"

	"rein"
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
	return rein.Errorf(rein.CodeNotFound, "there is no conversation %q that you may see: leave conversation_id out to start a new one", id)
}

// needs says that the client's credential is not good for something.
func (s *socket) needs(scope rein.Scope) error {
	if s.who.May(scope) {
		return nil
	}
	return rein.Errorf(rein.CodeForbidden, "this needs the scope %q, which your credential does not have", scope)
}

// chat brings a message into its conversation: it starts a run, or steers the one under way.
func (s *socket) chat(ctx context.Context, c chat) error {
	if err := s.needs(rein.ScopeAct); err != nil {
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
	case user == "" && port.IsReserved(conversation):
		return noConversation(conversation) // it would take the place of one that is to come
	case user != "" && user != s.who.User:
		return rein.Errorf(rein.CodeForbidden, "conversation %q belongs to %s: you may follow it, but not write in it", conversation, user)
	}
	task, err := s.task(ctx, c, conversation)
	if err != nil {
		return err
	}
	if conversation == s.conversation {
		task.Messages, s.brought = s.brought, nil
	} else {
		if err := s.attend(ctx, conversation, "", false); err != nil {
			return err
		}
	}
	_, err = s.Engine.Say(ctx, id, task, s.who.User, c.Content)
	return err
}

// active returns the runs under way in the conversation, the newest first.
func (s *socket) active(ctx context.Context) (runs []rein.RunInfo, err error) {
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
			return rein.Errorf(rein.CodeForbidden, "run %s belongs to %s: as %s you may read it, but not stop it", run.ID, run.User, s.who.Role)
		}
		_, err := s.Engine.Command(ctx, rein.Command{Kind: rein.CommandStop, Run: run.ID, By: s.who.User})
		if err != nil && rein.CodeOf(err) != rein.CodeFinished {
			return err
		}
		stopped = stopped || err == nil
	}
	if !stopped {
		s.send(ctx, warning("no run is active in this conversation: there is nothing to stop"))
	}
	return nil
}
