package cassette

import (
	"context"
	"sync"

	"rein"
)

// A Speech is what people said to the runs of a tape, in order. What models and tools gave comes again
// when everything has been said that had been said by then.
type Speech struct {
	said []Said

	mu    sync.Mutex
	sent  int           // how much of said has been sent
	moved chan struct{} // closed and replaced when more was sent
	free  bool          // nothing is waited for any more
}

func newSpeech(said []Said) *Speech { return &Speech{said: said, moved: make(chan struct{})} }

// Next returns what a person says next, if anything.
func (s *Speech) Next() (Said, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sent == len(s.said) {
		return Said{}, false
	}
	return s.said[s.sent], true
}

// Sent says that the next command has been sent.
func (s *Speech) Sent() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent++
	close(s.moved)
	s.moved = make(chan struct{})
}

// Free ends all waiting for people.
func (s *Speech) Free() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.free {
		s.free = true
		close(s.moved)
		s.moved = make(chan struct{})
	}
}

// wait returns when everything has been said that was said before the rank.
func (s *Speech) wait(ctx context.Context, rank int) error {
	for {
		s.mu.Lock()
		ready := s.free || s.sent == len(s.said) || s.said[s.sent].rank >= rank
		moved := s.moved
		s.mu.Unlock()
		if ready {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Answered reports whether the tape holds how the ask was closed by a person.
func (s *Speech) Answered(ask rein.AskID) bool {
	for _, said := range s.said {
		if said.Ask == ask {
			return true
		}
	}
	return false
}
