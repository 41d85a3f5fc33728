package lists

import (
	"context"
	"errors"
	"time"

	"rein"
	"rein/store"
)

// A Book reads and writes lists for people, outside of runs.
type Book struct {
	Tables store.Tables
	Now    func() time.Time // nil: time.Now
}

// All returns the lists that a user sees.
func (b Book) All(ctx context.Context, who Who) (all []List, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err = All(ctx, q, who)
		return err
	})
	return all, err
}

// Find returns a list that a user sees.
func (b Book) Find(ctx context.Context, who Who, name string) (l List, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		l, err = Find(ctx, q, who, name)
		return err
	})
	return l, err
}

// Write changes a list in one transaction, and returns it as it is then.
func (b Book) Write(ctx context.Context, do func(context.Context, rein.Tx, time.Time) (List, error)) (l List, err error) {
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		l, err = do(ctx, tx, b.Time())
		return err
	})
	return l, err
}

// Try does a write and takes it back: it returns what the list would be, or what is wrong with the write.
func (b Book) Try(ctx context.Context, do func(context.Context, rein.Tx) (List, error)) (l List, err error) {
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if l, err = do(ctx, tx); err != nil {
			return err
		}
		return errTried
	})
	if errors.Is(err, errTried) {
		err = nil
	}
	return l, err
}

var errTried = errors.New("this was tried, and is taken back")

// Time is what the clock of the book says.
func (b Book) Time() time.Time {
	if b.Now != nil {
		return b.Now().UTC().Truncate(time.Microsecond)
	}
	return time.Now().UTC().Truncate(time.Microsecond)
}

// OpenGroceries returns the list of groceries of a household, and makes it under that name if there is none.
func OpenGroceries(ctx context.Context, tx rein.Tx, who Who, by Origin, name string, at time.Time) (List, error) {
	l, err := Find(ctx, tx, who, "")
	if rein.CodeOf(err) != rein.CodeNotFound {
		return l, err
	}
	return Create(ctx, tx, who, by, New{Name: name, Kind: Groceries}, at)
}
