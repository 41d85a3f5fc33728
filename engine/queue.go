package engine

import (
	"errors"

	"rein"
	"rein/store"
	"rein/work/pace"
)

// queue waits for the call's turn at its provider. It is told when it has to wait, and may be parked
// meanwhile; its place is kept. The error is an interruption.
func (s *step) queue(r *sending, info rein.ModelInfo) error {
	if s.Worker.Pace == nil || info.Account == "" {
		return nil
	}
	want := pace.Want{
		ID: string(s.id) + ":" + string(s.key), Person: r.Stream,
		Household: s.task.Household, User: s.task.User, Run: string(s.id.Root()),
		Tokens: s.Worker.Tokens(info.Name, r.ModelRequest),
	}
	for {
		ticket, wait := s.Worker.Pace.Take(info.Account, info.Name, want)
		if wait <= 0 {
			r.ticket = ticket
			return nil
		}
		until := s.Now().Add(wait).UTC()
		s.note(store.Draft{Kind: rein.StepWaiting, Step: s.key, Data: &rein.Waiting{
			Sig: s.sig, Until: until, Try: s.tries, Why: "the rate limit of " + info.Name,
		}})
		s.adopt()
		if err := s.hold(); err != nil {
			s.Worker.Pace.Leave(info.Account, info.Name, want.ID)
			return err
		}
	}
}

// settlePace tells the limiter what the call took, and what the provider said.
func (s *step) settlePace(r sending, reply rein.ModelReply, err error) {
	if e, ok := errors.AsType[*rein.Error](err); ok {
		if e.Code == rein.CodeRateLimited {
			r.ticket.Refused(e.RetryAfter, e.Pace)
			return
		}
		r.ticket.Done(0, e.Pace)
		return
	}
	used := int64(-1)
	if u := reply.Usage; u != nil {
		used = u.Input + u.Output
	}
	r.ticket.Done(used, reply.Pace)
}
