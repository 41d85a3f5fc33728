package shelf

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"rein"
	"rein/store"
)

// receive reads a file. One that is larger than a piece is written as it comes, piece by piece, so that no
// more than a piece is in memory. The bundle is there also if there is an error.
func (s Shelf) receive(ctx context.Context, p rein.Place, name, kind string, from io.Reader) (*bundle, error) {
	b := begin(p, name)
	if err := check(p); err != nil {
		return b, err
	}
	if err := s.expect(ctx, b, from); err != nil {
		return b, err
	}
	for {
		piece, err := readPiece(from)
		if err != nil {
			return b, b.cutOff(err)
		}
		if b.Size == 0 && len(piece) < pieceSize {
			b.content = piece
			if err := b.take(piece); err != nil {
				return b, err
			}
			break
		}
		if b.Size+int64(len(piece)) > MaxFile {
			return b, b.tooLarge()
		}
		if len(piece) > 0 {
			b.staged = true
			err = s.stage(ctx, b, piece)
		}
		if err == nil {
			err = b.take(piece)
		}
		if err != nil {
			return b, err
		}
		if len(piece) < pieceSize {
			break
		}
	}
	b.seal(kind)
	return b, nil
}

// readPiece returns the next piece: the last is shorter than pieceSize, or empty.
func readPiece(from io.Reader) ([]byte, error) {
	var piece bytes.Buffer
	_, err := piece.ReadFrom(io.LimitReader(from, pieceSize))
	return piece.Bytes(), err
}

// expect refuses a file whose length is known and too much, before any of it is read.
func (s Shelf) expect(ctx context.Context, b *bundle, from io.Reader) error {
	if known, ok := from.(interface{ Len() int }); ok {
		b.least = int64(max(known.Len(), 0))
	}
	if b.least > MaxFile {
		return b.tooLarge()
	}
	b.Size = b.least
	_, err := s.fits(ctx, b)
	b.Size = 0
	return err
}

// cutOff is the error of a file that did not arrive whole.
func (b *bundle) cutOff(err error) error {
	if _, ours := errors.AsType[*rein.Error](err); ours {
		return err
	}
	return rein.Errorf(rein.CodeInvalid, "file %q did not arrive whole: %w", b.Name, err)
}

// whole makes sure that all that was staged is still there: a file that took very long may have been taken
// for one that was cut off.
func (b *bundle) whole(ctx context.Context, q store.Query) error {
	parts, err := texts(ctx, q, `SELECT content FROM session_file_parts WHERE content = ?`, b.parts)
	if err != nil {
		return err
	}
	if int64(len(parts)) != (b.Size+partSize-1)/partSize {
		return rein.Errorf(rein.CodeConflict, "file %q took too long to arrive: send it again", b.Name)
	}
	return nil
}

// A textCheck finds out whether a content is text, piece by piece.
type textCheck struct {
	rest []byte // the beginning of a character whose end has not come yet
	not  bool
}

func (t *textCheck) take(piece []byte) {
	if t.not {
		return
	}
	if len(t.rest) > 0 {
		piece = slices.Concat(t.rest, piece)
	}
	end := len(piece)
	for i := end - 1; i >= max(0, end-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(piece[i]) {
			if !utf8.FullRune(piece[i:]) {
				end = i
			}
			break
		}
	}
	t.not = !isText(piece[:end])
	t.rest = slices.Clone(piece[end:])
}

func (t *textCheck) ok() bool { return !t.not && len(t.rest) == 0 }
