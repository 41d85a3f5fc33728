// Package dispatch defines the port that decides which process drives a run, and when. Commands do
// not go through it. A wake is only a hint to look at a run again; if a hint is lost, the next look
// at what is due finds the run.
package dispatch

import (
	"context"
	"time"

	"rein"
)

// A Driver carries runs on. The engine is one.
type Driver interface {
	// Drive takes the run as far as it goes and says what then. It is never called for one run twice
	// at a time by the same dispatcher. When the context ends it lets go of the run soon; the run is
	// then driven again by whoever serves next. An error means that it could not be driven now.
	Drive(context.Context, rein.RunID) (Next, error)

	// Due returns runs that should be driven now and when the next one will be due.
	Due(ctx context.Context, now time.Time, limit int) (due []rein.RunID, next time.Time, err error)

	// Owner says whose the run is and how large. It is asked before each drive, so it must be cheap; what
	// nobody knows is left empty.
	Owner(context.Context, rein.RunID) Owner
}

// An Owner is whom a run belongs to. A dispatcher that has fewer places than runs lets households take
// turns, then the users of a household, then the trees of a user: so nobody gets more by starting more,
// and runs that hang leave places for others.
type Owner struct {
	Household, User string
	Watched         bool // somebody waits for it: it goes before others of the same user
	// Size is about how many bytes the run's log has. A drive keeps a few times that in memory, so a
	// dispatcher drives fewer large runs at once.
	Size int64
}

// Next says where a drive left its run.
type Next struct {
	Done  bool      // it has ended, or it is not ours to drive
	Until time.Time // it is parked: when it is due by itself; zero: only when it is woken
}

// A Dispatcher calls a driver for the runs that are due.
type Dispatcher interface {
	// Wake says that the run may have something to do. It never blocks.
	Wake(rein.RunID)

	// Here reports whether a Wake now leads to a drive by this process and no other. Then a run that
	// is started here may be handed over in memory, without a look at its rows.
	Here() bool

	// Serve drives what is due and what is woken until the context ends, and returns when the last
	// drive has let go.
	Serve(context.Context, Driver) error
}
