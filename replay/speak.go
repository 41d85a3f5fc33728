package replay

import (
	"context"
	"fmt"
	"sync"
	"time"

	"rein"
	"rein/replay/cassette"
	"rein/store"
)

// patience is how long a fork may do nothing before people are not waited for any more.
const patience = 10 * time.Second

// speak sends what people said to the run before, at the same places.
func (w *way) speak(score *cassette.Score) {
	defer score.Free()
	defer w.silent.Store(true)
	seen := newSighting(w.forks.Store, w.root)
	defer seen.stop()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		said, more := score.Next()
		if !more {
			return
		}
		if seen.all(said) {
			if err := w.say(said); err != nil {
				return
			}
			score.Sent()
			continue
		}
		select {
		case <-seen.more:
			timer.Reset(patience)
		case <-timer.C:
			return
		}
	}
}

// say sends a command once, however often it is tried.
func (w *way) say(said cassette.Said) error {
	ctx := context.Background()
	e, err := w.event(ctx, said.Run, said.Seq)
	if err != nil {
		return err
	}
	c, ok := cassette.Person(e)
	if !ok {
		return nil
	}
	if c.Kind == rein.CommandAnswer {
		ask, err := w.forks.Store.Ask(ctx, c.Ask)
		if err != nil {
			return err
		}
		c.Answer.Shown = ask.Shown // names differ in a fork; nothing is done here that was approved there
		c.Answer.Scope = ""        // and nothing is allowed a second time, which may have been revoked since
	}
	// Calls after the step are really made, so a mode lets through no more of them than whoever forks could allow.
	c.Mode, c.Answer.Mode = c.Mode.Within(w.Mode.Or(rein.ModeAsk)), c.Answer.Mode.Within(w.Mode.Or(rein.ModeAsk))
	c.Key = fmt.Sprintf("fork %d", said.Seq)
	_, err = w.forks.Send(ctx, c)
	return err
}

// A sighting is what has happened in the runs of a tree.
type sighting struct {
	store store.Reader
	stop  func()
	more  chan struct{} // holds a token when something has happened

	mu   sync.Mutex
	came []cassette.Place // since it was last looked at

	seen map[cassette.Place]bool
	read map[rein.RunID]bool // whose log was read
	next command             // whose turn it is, and
	upTo int                 // how much of what must come before it has come
}

// A command is named by its event.
type command struct {
	run rein.RunID
	seq int64
}

func newSighting(s store.Reader, root rein.RunID) *sighting {
	seen := &sighting{store: s, more: make(chan struct{}, 1), seen: map[cassette.Place]bool{}, read: map[rein.RunID]bool{}}
	seen.stop = s.Watch(func(marks []store.Mark) {
		for _, m := range marks {
			if m.Run.Root() == root {
				seen.note(cassette.Place{Run: m.Run, Kind: m.Kind, Step: m.Step})
			}
		}
	})
	return seen
}

func (s *sighting) note(p cassette.Place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.came = append(s.came, p)
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// all reports whether everything has happened that comes before a command.
func (s *sighting) all(said cassette.Said) bool {
	s.look(said.Run)
	if next := (command{said.Run, said.Seq}); s.next != next {
		s.next, s.upTo = next, 0
	}
	for s.upTo < len(said.After) && s.seen[said.After[s.upTo]] {
		s.upTo++
	}
	return s.upTo == len(said.After)
}

// look takes in what has happened. What happened before it watched is in the log.
func (s *sighting) look(run rein.RunID) {
	s.mu.Lock()
	came := s.came
	s.came = nil
	s.mu.Unlock()
	for _, p := range came {
		s.seen[p] = true
	}
	if s.read[run] {
		return
	}
	s.read[run] = true
	for e, err := range s.store.Events(context.Background(), run, 0) {
		if err != nil {
			return // it is not there yet, or it cannot be read: then what comes is all that is known
		}
		s.seen[cassette.PlaceOf(e)] = true
	}
}
