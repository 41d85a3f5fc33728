package strict

import (
	"context"
	"slices"

	"rein"
	"rein/server/shown"
	"rein/store"
)

// topic is what the questions of a socket are about: its input names none of them, so it answers the one
// that was shown last.
const topic = "input"

// show sends a message. What it asks gets an ID of this socket, under which the answer is taken.
func (s *socket) show(ctx context.Context, m Message) bool {
	send := func() bool { return s.send(ctx, m) }
	switch {
	case m.Type == typeDone:
		return s.book.Send(topic, "", send) // what is said after it is no answer
	case m.ask == nil:
		return send()
	}
	id := s.book.Issue(*m.ask)
	if decides(*m.ask) {
		m.CallID = id
		return send()
	}
	m.ElicitationID = id
	return s.book.Send(topic, id, send)
}

// unused tells that an answer came too late, which is no error of the client's: it may have been sent
// twice, or another was faster.
func (s *socket) unused(ctx context.Context, what string, err error) error {
	if code := rein.CodeOf(err); code != rein.CodeClosed && code != rein.CodeFinished {
		return err
	}
	s.send(ctx, warning("your "+what+" was not used: "+err.Error()))
	return nil
}

// input answers the question that this socket was shown last.
func (s *socket) input(ctx context.Context, i input) error {
	if err := s.needs(rein.ScopeAnswer); err != nil {
		return err
	}
	slip, ok, _ := s.book.Last(topic)
	if !ok {
		s.send(ctx, warning("no question is open: your input was not used; send a chat message instead"))
		return nil
	}
	err := s.answer(ctx, slip, func(rein.Ask) rein.Answer {
		return rein.Answer{State: rein.AskAnswered, Text: i.Content}
	})
	if err != nil {
		return s.unused(ctx, "input", err)
	}
	return s.askAgain(ctx, slip)
}

// askAgain shows another question that is still open, if this socket was shown one: it is then the last.
func (s *socket) askAgain(ctx context.Context, answered shown.Slip) error {
	open, err := s.Store.Asks(ctx, store.AskFilter{Tree: answered.Run.Root(), Pending: true})
	if err != nil {
		return err
	}
	for _, ask := range slices.Backward(open) {
		if _, was := s.book.Find(s.book.Name(ask)); was && !decides(ask) {
			m := request(ask, 0)
			m.Run, m.Conversation = ask.Run.Root(), s.conversation
			s.show(ctx, m)
			return nil
		}
	}
	return nil
}

// decide answers a request for approval: the one that this socket was sent with the ID.
func (s *socket) decide(ctx context.Context, d decision) error {
	if err := s.needs(rein.ScopeAnswer); err != nil {
		return err
	}
	slip, ok := s.book.Find(d.CallID)
	if !ok {
		return rein.Errorf(rein.CodeNotFound, "tool_call_id %.60q is not from a request that this socket received: "+
			"repeat the one of a tool_approval_request; open requests are sent again when you connect", d.CallID)
	}
	return s.unused(ctx, "decision", s.answer(ctx, slip, d.answer))
}

// answer says what a decision makes of the ask that it is about.
func (d decision) answer(ask rein.Ask) rein.Answer {
	switch {
	case !*d.Approved:
		return rein.Answer{State: rein.AskRejected, Text: d.Reason}
	case d.Arguments != nil && (ask.Call == nil || !sameJSON(d.Arguments, asJSON(ask.Call.Args))):
		return rein.Answer{State: rein.AskEdited, Text: d.Reason, Args: d.Arguments}
	}
	return rein.Answer{State: rein.AskApproved, Text: d.Reason} // clients repeat what was shown with a plain yes
}

// answer answers the ask that was shown, if it is open.
func (s *socket) answer(ctx context.Context, slip shown.Slip, say func(rein.Ask) rein.Answer) error {
	ask, err := slip.Open(ctx, s.Store, s.who)
	if err != nil {
		return err
	}
	answer := say(ask)
	answer.By = s.who.User
	_, err = s.Engine.Command(ctx, slip.Reply(answer))
	return err
}
