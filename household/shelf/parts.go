package shelf

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// While a transaction runs nothing else is written, by no run either. So the parts of a large file are
// written, and taken away, in transactions of a few parts each.
const partsAtOnce = 4

// staleAfter is how old parts must be that no file names to be left over for certain: an upload that
// is under way is younger.
const staleAfter = time.Hour

// pieceSize is how much of a large file is in memory while it comes.
const pieceSize = partsAtOnce * partSize

// addParts writes a content, or a piece of one whose parts have the numbers from first on.
func addParts(ctx context.Context, tx rein.Tx, name string, piece []byte, first int, at time.Time) error {
	for part := first; len(piece) > 0; part++ {
		data := piece[:min(partSize, len(piece))]
		piece = piece[len(data):]
		_, err := tx.ExecContext(ctx, `INSERT INTO session_file_parts (content, part, written, data) VALUES (?, ?, ?, ?)`, name, part, at.UnixMicro(), data)
		if err != nil {
			return err
		}
	}
	return nil
}

// stage writes a piece of a bundle, which no file names yet. It looks first whether there will be room for
// it: what is staged counts only once it is a file.
func (s Shelf) stage(ctx context.Context, b *bundle, piece []byte) error {
	return s.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := store.Room(ctx, tx, b.Household, b.User, max(b.least, b.Size+int64(len(piece)))-b.replaces); err != nil {
			return err
		}
		return addParts(ctx, tx, b.parts, piece, int(b.Size/partSize), s.now())
	})
}

// discard takes away the parts of contents that no file names any more. It goes on if whoever wants it
// has gone: what is deleted should not stay.
func (s Shelf) discard(ctx context.Context, names ...string) error {
	ctx = context.WithoutCancel(ctx)
	for _, name := range names {
		for part := 0; part*partSize < MaxFile; part += partsAtOnce {
			more := false
			err := s.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
				done, err := tx.ExecContext(ctx, `DELETE FROM session_file_parts WHERE content = ? AND part >= ? AND part < ?`, name, part, part+partsAtOnce)
				if err != nil {
					return err
				}
				count, err := done.RowsAffected()
				more = count == partsAtOnce
				return err
			})
			if err != nil {
				return err
			}
			if !more {
				break
			}
		}
	}
	return nil
}

// Sweep takes away what uploads and deletions left that were cut off by a crash. It is for whoever
// opens the store, now and then.
func (s Shelf) Sweep(ctx context.Context) error {
	var left []string
	err := s.Tables.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		left, err = texts(ctx, q, `SELECT DISTINCT content FROM session_file_parts WHERE written < ?
			AND NOT EXISTS (SELECT 1 FROM session_files WHERE session_files.content = session_file_parts.content)`,
			s.now().Add(-staleAfter).UnixMicro())
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range left {
		err := s.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
			_, err := tx.ExecContext(ctx, `DELETE FROM session_file_parts WHERE content = ?`, name)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
