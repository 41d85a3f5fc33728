// Package shelf stores the files of sessions: what people upload and what tools leave. It has the
// types and the SQL; a store brings the transactions. A file belongs to one session of one user,
// and nobody else can find it.
package shelf

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// What a shelf holds at most.
const (
	MaxFile    = 10 << 20  // bytes of a file
	MaxSession = 100 << 20 // bytes of all files of a session
	MaxFiles   = 200       // of a session
)

// PlaceOf returns the shelf of the session that a call belongs to, if the call may use it.
func PlaceOf(inv rein.Invocation) (rein.Place, error) {
	p := inv.Task.Place()
	if err := check(p); err != nil {
		return rein.Place{}, err
	}
	return p, inv.MayUseSession(p.Household, p.User, p.Session)
}

func check(p rein.Place) error { return p.Check("files") }

// An Origin is the step whose tool leaves a file; zero if a person brings it.
type Origin struct {
	Run  rein.RunID
	Step rein.StepKey
}

// A Shelf reads and writes for people, outside of runs. Only Tables is needed.
type Shelf struct {
	Tables store.Tables
	Now    func() time.Time // nil is time.Now
}

func (s Shelf) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

// List returns the files of a session by name, with those that it inherits. A session that has none, or is another's,
// has none.
func (s Shelf) List(ctx context.Context, p rein.Place) ([]rein.File, error) {
	return List(ctx, s.Tables, p)
}

// List is Shelf.List for whoever reads only.
func List(ctx context.Context, tables store.Snapshots, p rein.Place) (files []rein.File, err error) {
	if err := check(p); err != nil {
		return nil, err
	}
	err = tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		files, err = listAll(ctx, q, p)
		return err
	})
	return files, err
}

// Get returns a file and the piece of it that begins at the offset: at most limit bytes, all that is
// left if limit is zero. An unknown name is CodeNotFound, an offset beyond the end CodeInvalid.
func (s Shelf) Get(ctx context.Context, p rein.Place, name string, offset, limit int64) (f rein.File, piece []byte, err error) {
	if err := check(p); err != nil {
		return rein.File{}, nil, err
	}
	err = s.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		var content string
		if f, content, err = findAny(ctx, q, p, BaseName(name)); err != nil {
			return err
		}
		if content == "" {
			return missing(name)
		}
		if offset < 0 || limit < 0 || offset > f.Size {
			return rein.Errorf(rein.CodeInvalid, "file %q has %d bytes: offset %d and limit %d must be 0 or more, and the offset at most its size", f.Name, f.Size, offset, limit)
		}
		if left := f.Size - offset; limit == 0 || limit > left {
			limit = left
		}
		piece, err = pieceOf(ctx, q, content, offset, limit)
		return err
	})
	if err != nil {
		return rein.File{}, nil, err
	}
	return f, piece, nil
}

// Delete takes a file away. An unknown name is CodeNotFound, and so is a file that the session only inherits.
func (s Shelf) Delete(ctx context.Context, p rein.Place, name string) error {
	if err := check(p); err != nil {
		return err
	}
	var content string
	err := s.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) (err error) {
		if _, content, err = find(ctx, tx, p, BaseName(name)); err != nil {
			return err
		}
		if content == "" {
			return missing(name)
		}
		return remove(ctx, tx, content)
	})
	if err != nil {
		return err
	}
	return s.discard(ctx, content)
}

func missing(name string) error {
	return rein.Errorf(rein.CodeNotFound, "there is no file %q in this session", BaseName(name))
}
