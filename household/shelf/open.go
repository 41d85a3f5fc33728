package shelf

import (
	"context"
	"errors"
	"io"

	"rein"
)

// atOnce is how much of a file is in memory while it is read.
const atOnce = 512 << 10

// Content is a file that is read piece by piece, so that a slow reader keeps little in memory. A file that
// is replaced meanwhile ends it with an error: nobody gets parts of both.
type Content struct {
	rein.File

	ctx   context.Context //nolint:containedctx // it is read within one request
	shelf Shelf
	place rein.Place
	at    int64
	piece []byte // what comes next
}

// Open returns a file. An unknown name is CodeNotFound.
func (s Shelf) Open(ctx context.Context, p rein.Place, name string) (*Content, error) {
	file, piece, err := s.Get(ctx, p, name, 0, atOnce)
	if err != nil {
		return nil, err
	}
	return &Content{File: file, ctx: ctx, shelf: s, place: p, piece: piece}, nil
}

// Read implements io.Reader.
func (c *Content) Read(p []byte) (int, error) {
	if c.at >= c.Size {
		return 0, io.EOF
	}
	if len(c.piece) == 0 {
		file, piece, err := c.shelf.Get(c.ctx, c.place, c.Name, c.at, atOnce)
		if err != nil {
			return 0, err
		}
		if file.SHA256 != c.SHA256 {
			return 0, rein.Errorf(rein.CodeConflict, "file %q was replaced while it was read: read it again", c.Name)
		}
		c.piece = piece
	}
	n := copy(p, c.piece)
	c.piece, c.at = c.piece[n:], c.at+int64(n)
	return n, nil
}

// Seek implements io.Seeker.
func (c *Content) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += c.at
	case io.SeekEnd:
		offset += c.Size
	}
	if offset < 0 {
		return 0, errors.New("a file begins at 0")
	}
	if offset != c.at {
		c.at, c.piece = offset, nil
	}
	return offset, nil
}
