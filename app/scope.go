package app

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"rein"
	"rein/dispatch"
)

// A scope is a dispatcher that drives only the trees it was asked for. A command that lasts as long
// as one run must not take up every run that was left in the folder, with this terminal's settings
// and at this person's cost.
type scope struct {
	dispatch.Dispatcher

	mu     sync.Mutex
	trees  map[rein.RunID]bool
	driver dispatch.Driver
}

func newScope(d dispatch.Dispatcher) *scope {
	return &scope{Dispatcher: d, trees: map[rein.RunID]bool{}}
}

var _ dispatch.Dispatcher = (*scope)(nil)

// take takes the tree of a run in. What is due in it already is found at the next sweep.
func (s *scope) take(run rein.RunID) (driver dispatch.Driver, isNew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	isNew = !s.trees[run.Root()]
	s.trees[run.Root()] = true
	return s.driver, isNew
}

// add takes the tree of a run in and wakes what is due in it.
func (s *scope) add(ctx context.Context, run rein.RunID) error {
	driver, isNew := s.take(run)
	if !isNew || driver == nil {
		return nil // what is due is found when serving begins
	}
	root := run.Root()
	due, _, err := driver.Due(ctx, time.Now(), 0)
	for _, run := range due {
		if run.Root() == root {
			s.Dispatcher.Wake(run)
		}
	}
	return err
}

// all returns the trees.
func (s *scope) all() []rein.RunID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.trees))
}

func (s *scope) has(run rein.RunID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trees[run.Root()]
}

// Wake implements dispatch.Dispatcher.
func (s *scope) Wake(run rein.RunID) {
	if s.has(run) {
		s.Dispatcher.Wake(run)
	}
}

// Serve implements dispatch.Dispatcher.
func (s *scope) Serve(ctx context.Context, driver dispatch.Driver) error {
	s.mu.Lock()
	s.driver = driver
	s.mu.Unlock()
	return s.Dispatcher.Serve(ctx, scoped{driver, s})
}

// scoped is a driver that shows only the runs of the scope.
type scoped struct {
	dispatch.Driver
	scope *scope
}

// Due looks at all that is due, because what is not ours must not use up the limit. The next one may
// be another's: that costs one look.
func (d scoped) Due(ctx context.Context, now time.Time, _ int) ([]rein.RunID, time.Time, error) {
	due, next, err := d.Driver.Due(ctx, now, 0)
	due = slices.DeleteFunc(due, func(run rein.RunID) bool { return !d.scope.has(run) })
	return due, next, err
}
