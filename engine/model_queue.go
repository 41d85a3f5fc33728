package engine

import (
	"errors"

	"rein"
	"rein/engine/work/pace"
	"rein/store"
)

// queue waits for the call's turn: first for a place among the calls under way, then at its provider. That
// it waits for the provider is recorded, and the run may be parked meanwhile; its place is kept. The error
// is an interruption.
//
// While it waits at the provider it gives its first place back, and lines up for it again afterwards: a
// call that cannot be sent must not keep another from being sent.
func (s *modelStep) queue(r *sending, info rein.ModelInfo) error {
	if s.run.opts.Worker.Pace == nil {
		return nil
	}
	want := s.want(info, r.Prompt.Stream || r.Prompt.Prose)
	for {
		if err := s.board(info, want, s.sayBusy); err != nil {
			return err
		}
		if s.run.mail.heldNow() { // it was paused while it waited
			s.land()
			if err := s.run.awaitResume(); err != nil {
				return err
			}
			continue
		}
		if info.Account == "" {
			return nil
		}
		if want.Tokens == 0 {
			want.Tokens = s.tokens(r, info.Name)
		}
		ticket, wait := s.run.opts.Worker.Pace.Take(info.Account, info.Name, want)
		if wait <= 0 {
			r.ticket = ticket
			return nil
		}
		s.land() // nobody else should wait for one who waits
		until := s.run.opts.Now().Add(wait).UTC()
		s.run.note(store.Draft{Kind: rein.StepWaiting, Step: s.key, Data: &rein.Waiting{
			Sig: s.req.sig, Until: until, Try: s.rec.tries, Why: "the rate limit of " + info.Name,
		}})
		s.adopt()
		if err := s.awaitTurn(); err != nil {
			s.run.opts.Worker.Pace.Leave(info.Account, info.Name, want.ID)
			return err
		}
	}
}

// want says whose call the step is.
func (s *step) want(info rein.ModelInfo, watched bool) pace.Want {
	return pace.Want{
		ID: string(s.run.id) + ":" + string(s.key), Person: watched, Local: info.Local,
		Household: s.run.task.Household, User: s.run.task.User, Run: string(s.run.id.Root()),
	}
}

// board waits for a place among the calls under way. When it will be free nobody knows, so the run stays
// in memory meanwhile. onWait is called when the wait begins. The error is an interruption.
func (s *step) board(info rein.ModelInfo, want pace.Want, onWait func()) error {
	s.land()
	flight, err := s.run.opts.Worker.Pace.Board(info.Account, want, func(ready <-chan struct{}) error {
		onWait()
		return s.waitUnparked(ready)
	})
	s.flight = flight
	return err
}

// land gives the step's place among the calls under way back, if it has one.
func (s *step) land() {
	s.flight.Land()
	s.flight = nil
}

// sayBusy records that the call waits for others to end.
func (s *modelStep) sayBusy() {
	s.run.note(store.Draft{Kind: rein.StepWaiting, Step: s.key, Data: &rein.Waiting{
		Sig: s.req.sig, Until: s.run.opts.Now().UTC(), Try: s.rec.tries, Why: "too many calls are under way: this one is sent when its turn comes",
	}})
	s.adopt()
}

// waitUnparked waits until the channel is closed or the step is interrupted. The run is not parked meanwhile.
func (s *step) waitUnparked(ready <-chan struct{}) error {
	for {
		changed, err := s.watch()
		if err != nil {
			return err
		}
		select {
		case <-ready:
			return nil
		case <-changed:
		}
	}
}

// watch returns what is closed when something changes, or the interruption.
func (s *step) watch() (changed <-chan struct{}, err error) {
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	s.run.exitIfLeaving()
	return s.run.waits.changed, s.run.mail.interruption()
}

// settlePace tells the limiter that the call has ended, what it took, and what the provider said.
func (s *modelStep) settlePace(r *sending, reply rein.ModelReply, err error) {
	s.land()
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
