package chaos

import (
	"fmt"
	"math/rand/v2"
	"sync"
)

// A plan says what happens where in the texts of the model. Each thing happens once.
type plan struct {
	mu    sync.Mutex
	acts  map[place]act
	notes []string // what has happened
}

// An act is a disturbance.
type act struct {
	name string
	do   func(*lab) error
}

// newPlan makes a plan with some kills and more of everything else, somewhere in the texts.
func newPlan(r *rand.Rand, kills, others int) *plan {
	p := &plan{acts: map[place]act{}}
	for i := range kills + others {
		a := kill()
		if i >= kills {
			a = disturbance(r, i)
		}
		p.acts[p.free(r)] = a
	}
	return p
}

func jobNames() (names []string) {
	for i := range jobs {
		names = append(names, fmt.Sprintf("j%d", i+1))
	}
	return names
}

// free returns a place where nothing happens yet.
func (p *plan) free(r *rand.Rand) place {
	for {
		at := place{job: jobNames()[r.IntN(jobs)], round: 1 + r.IntN(rounds+1), word: 1 + r.IntN(words-1)}
		if _, taken := p.acts[at]; !taken {
			return at
		}
	}
}

func kill() act { return act{"kill", (*lab).kill} }

// disturbance returns one of each kind in turn, of a chance size.
func disturbance(r *rand.Rand, i int) act {
	size := 1 + r.IntN(2500)
	switch i % 5 {
	case 0:
		return act{"drop", func(l *lab) error { return l.line.clear() }}
	case 1:
		return act{fmt.Sprintf("cut after %d", size), func(l *lab) error { return l.line.cutAfter("downstream", size) }}
	case 2:
		small := 1 + size/10
		return act{fmt.Sprintf("cut requests after %d", small), func(l *lab) error { return l.line.cutAfter("upstream", small) }}
	case 3:
		piece := 4 + size%60
		return act{fmt.Sprintf("slow, pieces of %d", piece), func(l *lab) error { return l.line.slow(3, piece) }}
	default:
		moment := 1 + size%40
		return act{fmt.Sprintf("reset after %d ms", moment), func(l *lab) error { return l.line.reset(moment) }}
	}
}

// take returns what is to happen at a place.
func (p *plan) take(at place) (act, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, ok := p.acts[at.key()]
	delete(p.acts, at.key())
	return a, ok
}

// putBack has an act happen when the place comes again.
func (p *plan) putBack(a act, at place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acts[at.key()] = a
}

// key is the place without how often it was come to.
func (p place) key() place { return place{job: p.job, round: p.round, word: p.word} }

// did notes that an act was carried out.
func (p *plan) did(a act, at place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notes = append(p.notes, fmt.Sprintf("%sword %d: %s", at.begin(), at.word, a.name))
}
