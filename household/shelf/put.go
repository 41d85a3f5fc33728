package shelf

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"hash"
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
func (s Shelf) Put(ctx context.Context, p rein.Place, name, mediaType string, content io.Reader) (rein.File, error) {
	b, err := s.receive(ctx, p, name, mediaType, content)
	var f rein.File
	var left string
	if err == nil && !b.staged {
		f, err = s.fits(ctx, b)
	}
	if err == nil && f.Name == "" {
		err = s.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
			f, left, err = b.write(ctx, tx, Origin{}, s.now())
			return err
		})
	}
	if err != nil {
		f, left = rein.File{}, ""
		if b.staged {
			left = b.parts
		}
	}
	if left != "" {
		_ = s.discard(ctx, left) // what stays is found by Sweep
	}
	return f, err
}

// fits refuses what is too much before any of it is written, and returns the file that is there
// already, if it is the same.
func (s Shelf) fits(ctx context.Context, b *bundle) (known rein.File, err error) {
	err = s.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		old, parts, err := find(ctx, q, b.Place, b.Name)
		if err != nil {
			return err
		}
		if b.isSame(old) && parts != "" {
			known = old
			return nil
		}
		b.replaces = old.Size
		return b.check(ctx, q, old, parts != "")
	})
	return known, err
}

// Keep is for a file that a tool returns: it returns the Commit that keeps the file in the session, in the
// transaction that records the tool's result, and what there is to say of it. What it refuses without looking (a file
// too large, a place that is not whole) is the error; the limits of the session are the Commit's.
func Keep(p rein.Place, by Origin, at time.Time, a rein.Artifact) (rein.Artifact, func(context.Context, rein.Tx) error, error) {
	if err := check(p); err != nil {
		return a, nil, err
	}
	b, err := newBundle(p, a.Name, a.Type, a.Data)
	if err != nil {
		return a, nil, err
	}
	kept := rein.Artifact{Name: b.Name, Type: b.Type, Size: b.Size, SHA256: sha256.Sum256(a.Data)}
	return kept, func(ctx context.Context, tx rein.Tx) error {
		_, left, err := b.write(ctx, tx, by, at)
		if err != nil || left == "" {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM session_file_parts WHERE content = ?`, left)
		return err
	}, nil
}

// A bundle is a file on its way: all that can be done before the transaction is done.
type bundle struct {
	rein.Place
	rein.File
	content  []byte
	parts    string // names its parts
	staged   bool   // they are written already, and content is nil
	least    int64  // how many bytes its sender says it has; 0: not known
	replaces int64  // bytes of the file that it replaces, as it looked before
	hash     hash.Hash
	text     textCheck
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

func newBundle(p rein.Place, name, kind string, content []byte) (*bundle, error) {
	b := begin(p, name)
	if err := b.take(content); err != nil {
		return b, err
	}
	b.content = content
	b.seal(kind)
	return b, nil
}

func begin(p rein.Place, name string) *bundle {
	return &bundle{Place: p, File: rein.File{Name: BaseName(name)}, parts: rand.Text(), hash: sha256.New()}
}

// take takes in the next bytes of the content.
func (b *bundle) take(piece []byte) error {
	if b.Size += int64(len(piece)); b.Size > MaxFile {
		return b.tooLarge()
	}
	b.hash.Write(piece)
	b.text.take(piece)
	return nil
}

func (b *bundle) tooLarge() error {
	return rein.Errorf(rein.CodeLimit, "file %q is larger than %d MB: a session takes no larger ones", b.Name, MaxFile>>20)
}

// seal ends the content.
func (b *bundle) seal(kind string) {
	b.Text = b.text.ok()
	b.Type, b.SHA256 = mediaType(kind, b.Text), hex.EncodeToString(b.hash.Sum(nil))
}

// write puts the bundle on its shelf, in the place of a file of the same name. It returns what names
// parts that are of no use any more: those of the old file, or its own.
func (b *bundle) write(ctx context.Context, tx rein.Tx, by Origin, at time.Time) (f rein.File, left string, err error) {
	old, parts, err := find(ctx, tx, b.Place, b.Name)
	if err != nil {
		return rein.File{}, "", err
	}
	if b.isSame(old) && parts != "" {
		return old, b.parts, nil
	}
	if err := b.check(ctx, tx, old, parts != ""); err != nil {
		return rein.File{}, "", err
	}
	if err := store.Room(ctx, tx, b.Household, b.User, b.Size-old.Size); err != nil {
		return rein.File{}, "", err
	}
	f = b.File
	f.Version, f.Run, f.Step = old.Version+1, by.Run, by.Step
	f.Created, f.Changed = stamp(at), stamp(at)
	if parts != "" {
		f.Created = old.Created
		if err := remove(ctx, tx, parts); err != nil {
			return rein.File{}, "", err
		}
	}
	if b.staged {
		err = b.whole(ctx, tx)
	} else {
		err = addParts(ctx, tx, b.parts, b.content, 0, at)
	}
	if err != nil {
		return rein.File{}, "", err
	}
	return f, parts, insert(ctx, tx, b.Place, f, b.parts)
}

func (b *bundle) isSame(old rein.File) bool { return old.SHA256 == b.SHA256 && old.Type == b.Type }

// check says whether the session can take the file, in the place of the old one if there is one.
func (b *bundle) check(ctx context.Context, q store.Query, old rein.File, replaces bool) error {
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
