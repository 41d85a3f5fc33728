// Package workers runs functions in goroutines that are used again.
package workers

import (
	"sync"
	"sync/atomic"
)

// A Pool runs functions in goroutines of their own, each of which takes another function when it is done. With a new
// goroutine for each of a run's calls, every one of them would have to grow its stack. The zero Pool is ready; its
// owner closes it. A nil Pool makes a goroutine for every function.
type Pool struct {
	Idle int // so many goroutines wait for a function at most; 0: as many as there are

	waiting atomic.Int64
	once    sync.Once
	jobs    chan func()   // taken by those that have nothing to do
	over    chan struct{} // closed when the pool is
}

func (p *Pool) open() {
	p.once.Do(func() { p.jobs, p.over = make(chan func()), make(chan struct{}) })
}

// Go runs the function in a goroutine and does not wait for it. It may end its goroutine.
func (p *Pool) Go(f func()) {
	if p == nil {
		go f()
		return
	}
	p.open()
	select {
	case p.jobs <- f:
	default:
		go p.serve(f)
	}
}

func (p *Pool) serve(f func()) {
	for {
		f()
		f = nil // what it held is free while nobody calls
		waiting := p.waiting.Add(1)
		if p.Idle > 0 && waiting > int64(p.Idle) {
			p.waiting.Add(-1)
			return
		}
		select {
		case f = <-p.jobs:
			p.waiting.Add(-1)
		case <-p.over:
			return
		}
	}
}

// Close ends the goroutines that have nothing to do, and the others when their functions return. It is called once.
func (p *Pool) Close() {
	p.open()
	close(p.over)
}
