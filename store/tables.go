package store

import (
	"context"
	"database/sql"
)

// Tables is the port to the tables that are not logs: memories, preferences and the like. They are
// written only by the Commit function of a tool, in the transaction that records the tool's result.
//
// Their SQL is written for every store: placeholders are "?" (a store of another dialect numbers
// them), names that are reserved somewhere ("user", "from") are avoided, and times are whole
// microseconds.
type Tables interface {
	// Read runs do on one snapshot: all its queries see the same moment. The Query is good for as long
	// as do runs. do must not write; a store refuses it.
	Read(ctx context.Context, do func(context.Context, Query) error) error
}

// A Query reads tables. A rein.Tx is one too.
type Query interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}
