package engine

import (
	"sync"

	"rein"
)

// A purse is what a drive knows of the run's money. The ledger of the whole tree is in the store and
// only the store moves it, in the transaction of the event that a reservation belongs to. The purse
// holds what has to be known without asking: that nothing is left, and what is reserved but not used.
//
// All of it is guarded by the drive's mu, and learnt again from the log by a replay, except for what is
// held ahead.
type purse struct {
	mu *sync.Mutex // the drive's

	reserve    rein.Amount   // what the run took at its start, for a closing call
	reserveUse bool          // the reserve has been used
	rounds     int           // the highest round that was paid for
	spent      bool          // the budget is spent: only a closing call is still possible
	limit      *rein.Failure // the limit of the user or household that spent it
	// ahead is reserved for a call that has not been made yet. A model that is offered tools will likely
	// call one. So one call, and the time it may take, is reserved together with the model call, and a
	// pure call that follows need not wait for a write of its own. What is held ahead is in the ledger
	// like everything reserved: it is given back when the run parks or ends, and after a crash it stays
	// spent.
	ahead rein.Amount
}

// learnPaid takes in that a round was paid for.
func (p *purse) learnPaid(round int) { p.rounds = max(p.rounds, round) }

// learnFailure takes in that a step was refused for want of budget. It stays so, even if another run of the
// tree gives something back: a flow that was told that it must close cannot be told otherwise by a replay.
func (p *purse) learnFailure(f *rein.Failure) {
	p.spent = true
	if rein.IsQuota(f.Dim) {
		p.limit = f
	}
}

// need returns what to reserve ahead, if nothing is held.
func (p *purse) need(ahead rein.Amount) rein.Amount {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ahead != (rein.Amount{}) {
		return rein.Amount{}
	}
	return ahead
}

// takeAhead uses what is held for a call, if it is just that. It is called with mu held.
func (p *purse) takeAhead(bound rein.Amount) bool {
	if p.ahead != bound {
		return false
	}
	p.ahead = rein.Amount{}
	return true
}

// unusedLocked is the change of the ledger that gives back what is held ahead.
func (p *purse) unusedLocked() rein.Amount { return rein.Amount{}.Minus(p.ahead) }

// putAhead holds what was reserved ahead.
func (p *purse) putAhead(a rein.Amount) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ahead = p.ahead.Plus(a)
}

// isSpent reports whether the budget is spent.
func (p *purse) isSpent() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent
}

// claimRound reports whether the round is a new one, which the caller then has to pay for. Branches that
// are in the same round pay once.
func (p *purse) claimRound(round int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	isNew := round > p.rounds
	p.rounds = max(p.rounds, round)
	return isNew
}

// paidRounds returns the highest round that was paid for.
func (p *purse) paidRounds() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rounds
}

// takeReserve takes the run's reserve for a closing call, if the budget is spent and the reserve is
// still there. One call has it: of two branches that close, the second is refused.
func (p *purse) takeReserve() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.spent || p.reserveUse || p.reserve.Tokens == 0 {
		return false
	}
	p.reserveUse = true
	return true
}
