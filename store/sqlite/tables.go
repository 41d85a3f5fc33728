package sqlite

import (
	"context"
	"database/sql"

	"rein"
	"rein/store"
)

// Read implements store.Snapshots.
func (s *Store) Read(ctx context.Context, do func(context.Context, store.Query) error) error {
	r, err := s.borrow(ctx)
	if err != nil {
		return s.fault("read", err)
	}
	defer s.giveBack(r)
	if err := r.begin(ctx); err != nil {
		return s.fault("read", err)
	}
	q := &tableQuery{reader: r, used: map[string]bool{}}
	defer q.close()
	return s.fault("read", do(ctx, q))
}

// Write implements store.Tables.
func (s *Store) Write(ctx context.Context, do func(context.Context, rein.Tx) error) error {
	return s.submit(ctx, &request{once: true, do: func(w *writer) error { return w.runTables(ctx, do) }})
}

// TablesVersion implements store.Versioned. One process owns the file, and all that is written to its tables
// goes through the one writer.
func (s *Store) TablesVersion() (uint64, bool) { return s.tables.Load(), s.write != nil }

// A tableQuery is good for as long as its reader is borrowed.
type tableQuery struct {
	reader *reader // nil: it is over
	used   map[string]bool
	rows   []*sql.Rows
}

// QueryContext takes the compiled query of the reader. One that was made before on this snapshot may still be read, so
// the second time it is compiled again.
func (q *tableQuery) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if q.reader == nil {
		return nil, sql.ErrTxDone
	}
	st, err := q.reader.tableQuery(ctx, query)
	if err != nil {
		return nil, err
	}
	var rows *sql.Rows
	if st == nil || q.used[query] {
		rows, err = q.reader.conn.QueryContext(ctx, query, args...)
	} else {
		q.used[query] = true
		rows, err = st.QueryContext(ctx, args...)
	}
	if err == nil {
		q.rows = append(q.rows, rows)
	}
	return rows, err
}

// close ends what was left open.
func (q *tableQuery) close() {
	q.reader = nil
	for _, rows := range q.rows {
		rows.Close()
	}
}
