package shelf

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"rein"
	"rein/store"
)

// maxWrong bounds how many damaged files a verification names.
const maxWrong = 100

// Verify reads every file of every session and says which are not what their rows say: parts that are
// missing or changed. Each file is read on a snapshot of its own, a part at a time.
func Verify(ctx context.Context, tables store.Snapshots) (wrong []string, err error) {
	for after := int64(0); len(wrong) < maxWrong; {
		f, err := nextFile(ctx, tables, after)
		if err != nil || f.n == 0 {
			return wrong, err
		}
		if f.wrong != "" {
			wrong = append(wrong, fmt.Sprintf("file %q of session %q: %s", f.Name, f.session, f.wrong))
		}
		after = f.n
	}
	return wrong, nil
}

// A verified file is one that was read whole.
type verified struct {
	rein.File
	n       int64 // 0: it does not exist
	session string
	wrong   string // empty: it is what its row says
}

func nextFile(ctx context.Context, tables store.Snapshots, after int64) (f verified, err error) {
	err = tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		var content string
		err := firstRow(ctx, q, []any{&f.n, &f.session, &content, &f.Name, &f.Size, &f.SHA256},
			`SELECT n, session, content, name, size, sha256 FROM session_files WHERE n > ? ORDER BY n LIMIT 1`, after)
		if err == nil && f.n != 0 {
			f.wrong, err = f.compare(ctx, q, content)
		}
		return err
	})
	return f, err
}

// compare says how the parts of a file differ from its row.
func (f verified) compare(ctx context.Context, q store.Query, content string) (string, error) {
	sum := sha256.New()
	for at := int64(0); at < f.Size; at += partSize {
		piece, err := pieceOf(ctx, q, content, at, min(partSize, f.Size-at))
		switch {
		case rein.CodeOf(err) == rein.CodeDamaged:
			return fmt.Sprintf("it is not whole: %d bytes are expected, and some from %d on are missing", f.Size, at), nil
		case err != nil:
			return "", err
		}
		sum.Write(piece)
	}
	if hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
		return "its content was changed", nil
	}
	var stored int64
	err := firstRow(ctx, q, []any{&stored}, `SELECT coalesce(sum(length(data)), 0) FROM session_file_parts WHERE content = ?`, content)
	if err == nil && stored != f.Size {
		return fmt.Sprintf("its row says %d bytes, and %d are stored", f.Size, stored), nil
	}
	return "", err
}

// firstRow scans the first row of a query, if it has one.
func firstRow(ctx context.Context, q store.Query, into []any, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		return rows.Err()
	}
	return errors.Join(rows.Scan(into...), rows.Err())
}
