package store

import (
	"context"
	"database/sql"

	"rein"
)

// Tables is the port to the tables that are not logs: memories, people, files and the like. What a run
// writes to them it writes by the Commit function of a tool, in the transaction that records the
// tool's result; what people do to them outside any run is a Write.
//
// Their SQL is written for every store: placeholders are "?" (a store of another dialect numbers
// them), names that are reserved somewhere ("user", "from") are avoided, and times are whole
// microseconds.
type Tables interface {
	Snapshots

	// Write runs do in one transaction: what it wrote is durable when Write returns, or nothing of it
	// happened and the error is do's. do must only read and write tables, and be quick: nothing else
	// is written meanwhile. Its context does not end.
	Write(ctx context.Context, do func(context.Context, rein.Tx) error) error
}

// Snapshots are tables that are only read.
type Snapshots interface {
	// Read runs do on one snapshot: all its queries see the same moment. The Query is good for as long
	// as do runs. do must not write; a store refuses it.
	Read(ctx context.Context, do func(context.Context, Query) error) error
}

// A Query reads tables. A rein.Tx is one too.
type Query interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Roles say what users may do, inside the transaction that depends on it: a user who gets another role has the new one for
// everything that is written after that.
type Roles interface {
	// MayAnswer says why an answer may not close its ask, if so.
	MayAnswer(context.Context, Query, Answering) error
	// DayMicros returns what a user may spend in a day because of their role, in millionths of the currency unit, and the role;
	// 0: the role sets no limit.
	DayMicros(ctx context.Context, q Query, household, user string) (most int64, role rein.UserRole, err error)
}

// An Answering is an answer that is about to close an ask.
type Answering struct {
	Household, Owner string // whose run asks
	Ask              rein.Ask
	Answer           rein.Answer
}

// A Versioned store tells whether its tables may have changed, so that what was read from them can be kept.
type Versioned interface {
	// TablesVersion changes with each transaction that wrote tables, before anyone hears that it is durable.
	// What was read after a version is as it was for as long as that version lasts. ok is false if
	// others may write the tables too.
	TablesVersion() (version uint64, ok bool)
}
