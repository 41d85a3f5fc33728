package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
)

// largeFile is how many pages a file has in which the log itself is not scrubbed: that would hold up everyone for
// seconds. Its rows are written once and stay where they are, so they hardly leave anything.
const largeFile = 1 << 18

const (
	selectTreePages = `SELECT d.pageno, p.data FROM dbstat d JOIN sqlite_dbpage p ON p.pgno = d.pageno WHERE d.pagetype IN ('leaf', 'internal')`
	butTheLog       = ` AND d.name NOT IN (SELECT name FROM sqlite_schema WHERE tbl_name IN ('events', 'texts'))`
)

// scrub writes zeros over the unused space of pages. When SQLite moves rows between pages, which it does if one grows,
// it leaves a copy there, and secure_delete does not know of it.
func (w *writer) scrub(ctx context.Context) error {
	query := selectTreePages
	var pages int64
	if err := w.conn.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&pages); err != nil {
		return err
	}
	if pages > largeFile {
		query += butTheLog
	}
	dirty, err := w.dirtyPages(ctx, query)
	for n, data := range dirty {
		if err == nil {
			_, err = w.conn.ExecContext(ctx, `UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?`, data, n)
		}
	}
	return err
}

// dirtyPages returns the pages whose unused space has something in it, as they should be.
func (w *writer) dirtyPages(ctx context.Context, query string) (map[int64][]byte, error) {
	rows, err := w.conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	dirty := map[int64][]byte{}
	for rows.Next() {
		var n int64
		var data sql.RawBytes
		if err := rows.Scan(&n, &data); err != nil {
			return nil, err
		}
		from, to := unused(n, data)
		if len(bytes.Trim(data[from:to], "\x00")) > 0 {
			clean := bytes.Clone(data)
			clear(clean[from:to])
			dirty[n] = clean
		}
	}
	return dirty, rows.Err()
}

// unused is where a page of a tree has neither pointers to rows nor rows. Page 1 begins with the header of the file;
// the header of a tree's page has 8 bytes, or 12 if it is not a leaf.
func unused(n int64, page []byte) (from, to int) {
	head, size := 0, 8
	if n == 1 {
		head = 100
	}
	if page[head] == 2 || page[head] == 5 {
		size = 12
	}
	cells, content := binary.BigEndian.Uint16(page[head+3:]), binary.BigEndian.Uint16(page[head+5:])
	from, to = head+size+2*int(cells), int(content)
	if content == 0 {
		to = len(page)
	}
	if from > to || to > len(page) {
		return 0, 0 // damaged, or no page of a tree
	}
	return from, to
}
