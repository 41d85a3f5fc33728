package engine

import "rein"

// A model that is offered tools will likely call one. So one call, and the time it may take, is
// reserved together with the model call, and a pure call that follows need not wait for a write of
// its own. What is held ahead is in the ledger like everything reserved: it is given back when the
// run parks or ends, and after a crash it stays spent.

// needAhead returns what to reserve ahead, if nothing is held.
func (s *step) needAhead() rein.Amount {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ahead != (rein.Amount{}) {
		return rein.Amount{}
	}
	return rein.Amount{ToolCalls: 1, DrivenMS: s.Worker.ToolLimit(rein.Tool{}).Milliseconds()}
}

// putAhead holds what was reserved ahead.
func (s *step) putAhead(a rein.Amount) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead = s.ahead.Plus(a)
}

// takeAhead uses what is held for a call, if it is just that.
func (s *step) takeAhead(bound rein.Amount) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ahead != bound || s.state > draining {
		return false
	}
	s.ahead = rein.Amount{}
	return true
}
