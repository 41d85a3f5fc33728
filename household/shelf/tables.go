package shelf

import (
	"context"
	"database/sql"

	"rein"
	"rein/store"
)

// partSize is how much of a file one row holds.
const partSize = 256 << 10

const selectFiles = `SELECT content, name, media_type, readable, size, sha256, version, created, changed, run, step
	FROM session_files WHERE household = ? AND user_name = ? AND session = ?`

func list(ctx context.Context, q store.Query, p rein.Place) ([]rein.File, error) {
	rows, err := q.QueryContext(ctx, selectFiles+` ORDER BY name`, p.Household, p.User, p.Session)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	files := []rein.File{}
	for rows.Next() {
		f, _, err := scan(rows)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, rows.Err()
}

// find returns a file and what names its parts; empty if there is none.
func find(ctx context.Context, q store.Query, p rein.Place, name string) (f rein.File, content string, err error) {
	rows, err := q.QueryContext(ctx, selectFiles+` AND name = ?`, p.Household, p.User, p.Session, name)
	if err != nil {
		return f, "", err
	}
	defer rows.Close()
	if !rows.Next() {
		return f, "", rows.Err()
	}
	return scan(rows)
}

func scan(rows *sql.Rows) (f rein.File, content string, err error) {
	var created, changed int64
	err = rows.Scan(&content, &f.Name, &f.Type, &f.Text, &f.Size, &f.SHA256, &f.Version, &created, &changed, &f.Run, &f.Step)
	f.Created, f.Changed = timeOf(created), timeOf(changed)
	return f, content, err
}

// total returns how many files a session has, and how large they are together.
func total(ctx context.Context, q store.Query, p rein.Place) (count int, size int64, err error) {
	rows, err := q.QueryContext(ctx, `SELECT count(*), coalesce(sum(size), 0) FROM session_files
		WHERE household = ? AND user_name = ? AND session = ?`, p.Household, p.User, p.Session)
	if err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&count, &size); err != nil {
			return 0, 0, err
		}
	}
	return count, size, rows.Err()
}

// pieceOf reads so many bytes from the offset on; there are as many.
func pieceOf(ctx context.Context, q store.Query, content string, offset, length int64) ([]byte, error) {
	piece := make([]byte, 0, length)
	if length == 0 {
		return piece, nil
	}
	first, last := offset/partSize, (offset+length-1)/partSize
	rows, err := q.QueryContext(ctx, `SELECT data FROM session_file_parts WHERE content = ? AND part BETWEEN ? AND ? ORDER BY part`, content, first, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for skip := offset % partSize; rows.Next(); skip = 0 {
		var part sql.RawBytes
		if err := rows.Scan(&part); err != nil {
			return nil, err
		}
		part = part[min(skip, int64(len(part))):]
		piece = append(piece, part[:min(length-int64(len(piece)), int64(len(part)))]...)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if int64(len(piece)) != length {
		return nil, rein.Errorf(rein.CodeDamaged, "a file is not whole: of %d bytes from %d on there are %d; restore a backup", length, offset, len(piece))
	}
	return piece, nil
}

// insert writes the row of a file, whose parts have that name.
func insert(ctx context.Context, tx rein.Tx, p rein.Place, f rein.File, content string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO session_files
		(household, user_name, session, name, media_type, readable, size, sha256, version, created, changed, run, step, content)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		p.Household, p.User, p.Session, f.Name, f.Type, asInt(f.Text), f.Size, f.SHA256, f.Version,
		f.Created.UnixMicro(), f.Changed.UnixMicro(), string(f.Run), string(f.Step), content)
	return err
}

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// remove takes the row of a file away. Its parts are left.
func remove(ctx context.Context, tx rein.Tx, content string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM session_files WHERE content = ?`, content)
	return err
}

func texts(ctx context.Context, q store.Query, query string, args ...any) (all []string, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}
