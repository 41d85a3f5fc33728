package store

import "time"

// A Check is what is known of the check of a store's file that follows an unclean end: a process that was
// killed, or a machine that lost power. The zero Check says that none was needed.
type Check struct {
	Began  time.Time
	Ended  time.Time // zero: it is running
	Tables int       // how many there are to check
	Done   int       // how many were checked
	Now    string    // the table that is being checked
	Wrong  string    // what it found; nothing is written then
}

// Running reports whether the check has begun and not ended.
func (c Check) Running() bool { return !c.Began.IsZero() && c.Ended.IsZero() }
