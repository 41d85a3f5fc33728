package shelf

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"rein"
	"rein/store"
)

// Put keeps a file that a person brings. Its name is reduced to a safe one. A name that is taken gets
// a new version in place of the old one, in one transaction: people and models say a file's name, so
// there is never more than one file that they can mean, and a reader sees the old one or the new one
// whole. The same content and type under the same name changes nothing, so that an upload can be sent
// again. What is too much for a file or the session is CodeLimit, what is too much for the user or the
// household CodeQuota, and nothing is kept.
func (s Shelf) Put(ctx context.Context, p Place, name, mediaType string, content io.Reader) (File, error) {
	b, err := readBundle(p, name, mediaType, content)
	if err != nil {
		return File{}, err
	}
	if known, err := s.fits(ctx, b); err != nil || known.Name != "" {
		return known, err
	}
	if len(b.content) > partSize*partsAtOnce {
		err = s.stage(ctx, b)
		b.staged = true
	}
	var f File
	var left string
	if err == nil {
		err = s.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
			f, left, err = b.write(ctx, tx, Origin{}, s.now())
			return err
		})
	}
	if err != nil {
		f, left = File{}, b.parts
	}
	if left != "" {
		_ = s.discard(ctx, left) // what stays is found by Sweep
	}
	return f, err
}

// fits refuses what is too much before any of it is written, and returns the file that is there
// already, if it is the same.
func (s Shelf) fits(ctx context.Context, b *bundle) (known File, err error) {
	err = s.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		old, parts, err := find(ctx, q, b.Place, b.Name)
		if err != nil {
			return err
		}
		if b.isSame(old) && parts != "" {
			known = old
			return nil
		}
		b.grows = b.Size - old.Size
		return b.check(ctx, q, old, parts != "")
	})
	return known, err
}

// Keep is for a tool that leaves a file in the session of its run: it returns the Commit that keeps
// it, in the transaction that records the tool's result. What it refuses without looking (a file too
// large, a task without a session) is the error; the limits of the session are the Commit's.
func Keep(inv rein.Invocation, at time.Time, name, mediaType string, content []byte) (func(context.Context, rein.Tx) error, error) {
	p, err := PlaceOf(inv)
	if err != nil {
		return nil, err
	}
	b, err := newBundle(p, name, mediaType, content)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx rein.Tx) error {
		_, left, err := b.write(ctx, tx, Origin{inv.Run, inv.Step}, at)
		if err != nil || left == "" {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM session_file_parts WHERE content = ?`, left)
		return err
	}, nil
}

// A bundle is a file on its way: all that can be done before the transaction is done.
type bundle struct {
	Place
	File
	content []byte
	parts   string // names its parts
	grows   int64  // how many bytes the session gets more, as it looked before
	staged  bool   // they are written already
}

func readBundle(p Place, name, kind string, from io.Reader) (*bundle, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	content, err := readAll(from)
	if err != nil {
		if _, ours := errors.AsType[*rein.Error](err); ours {
			return nil, err
		}
		return nil, rein.Errorf(rein.CodeInvalid, "file %q did not arrive whole: %w", BaseName(name), err)
	}
	return newBundle(p, name, kind, content)
}

// readAll reads what fits into a file, and a byte more.
func readAll(from io.Reader) ([]byte, error) {
	length := 0
	if known, ok := from.(interface{ Len() int }); ok {
		length = known.Len()
	}
	return ReadAll(io.LimitReader(from, MaxFile+1), int64(min(length, MaxFile)))
}

// firstRead is how much is read before memory for the rest is taken.
const firstRead = 512 << 10

// ReadAll is io.ReadAll for what probably has so many bytes: it takes memory for them once, and only when
// the first of them are there.
func ReadAll(from io.Reader, length int64) ([]byte, error) {
	var all bytes.Buffer
	all.Grow(int(min(max(length, 0), firstRead)) + bytes.MinRead)
	if n, err := all.ReadFrom(io.LimitReader(from, firstRead)); err != nil || n < firstRead {
		return all.Bytes(), err
	}
	all.Grow(int(max(length-firstRead, 0)) + bytes.MinRead)
	_, err := all.ReadFrom(from)
	return all.Bytes(), err
}

func newBundle(p Place, name, kind string, content []byte) (*bundle, error) {
	name = BaseName(name)
	if len(content) > MaxFile {
		return nil, rein.Errorf(rein.CodeLimit, "file %q is larger than %d MB: a session takes no larger ones", name, MaxFile>>20)
	}
	sum, text := sha256.Sum256(content), isText(content)
	f := File{Name: name, Type: mediaType(kind, text), Text: text, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}
	return &bundle{Place: p, File: f, content: content, parts: rand.Text()}, nil
}

// write puts the bundle on its shelf, in the place of a file of the same name. It returns what names
// parts that are of no use any more: those of the old file, or its own.
func (b *bundle) write(ctx context.Context, tx rein.Tx, by Origin, at time.Time) (f File, left string, err error) {
	old, parts, err := find(ctx, tx, b.Place, b.Name)
	if err != nil {
		return File{}, "", err
	}
	if b.isSame(old) && parts != "" {
		return old, b.parts, nil
	}
	if err := b.check(ctx, tx, old, parts != ""); err != nil {
		return File{}, "", err
	}
	if err := store.Room(ctx, tx, b.Household, b.User, b.Size-old.Size); err != nil {
		return File{}, "", err
	}
	f = b.File
	f.Version, f.Run, f.Step = old.Version+1, by.Run, by.Step
	f.Created, f.Changed = stamp(at), stamp(at)
	if parts != "" {
		f.Created = old.Created
		if err := remove(ctx, tx, parts); err != nil {
			return File{}, "", err
		}
	}
	if !b.staged {
		if err := addParts(ctx, tx, b.parts, b.content, 0, MaxFile/partSize, at); err != nil {
			return File{}, "", err
		}
	}
	return f, parts, insert(ctx, tx, b.Place, f, b.parts)
}

func (b *bundle) isSame(old File) bool { return old.SHA256 == b.SHA256 && old.Type == b.Type }

// check says whether the session can take the file, in the place of the old one if there is one.
func (b *bundle) check(ctx context.Context, q store.Query, old File, replaces bool) error {
	count, size, err := total(ctx, q, b.Place)
	switch {
	case err != nil:
		return err
	case !replaces && count >= MaxFiles:
		return rein.Errorf(rein.CodeLimit, "the session has %d files, which is the most: delete one before you add %q", count, b.Name)
	case size-old.Size+b.Size > MaxSession:
		return rein.Errorf(rein.CodeLimit, "file %q has %d bytes and does not fit: the files of the session have %d of at most %d MB; delete some first", b.Name, b.Size, size, MaxSession>>20)
	}
	return nil
}

// stamp is a time as tables keep it.
func stamp(t time.Time) time.Time { return timeOf(t.UnixMicro()) }

func timeOf(micros int64) time.Time { return time.UnixMicro(micros).UTC() }
