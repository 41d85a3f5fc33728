package servers

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// Tools returns the tools of all servers, by server and name.
func (b Book) Tools(ctx context.Context) (all []Tool, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err = tools(ctx, q, ``)
		return err
	})
	return all, err
}

// Keep takes what a server lists now, and returns what is kept for it then. A definition is accepted when it is first
// seen. One that is not listed stays as gone: a server cannot have another accepted by taking it away for a while.
func (b Book) Keep(ctx context.Context, server string, listed []Tool) (all []Tool, err error) {
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		before, err := tools(ctx, tx, ` WHERE server = ?`, server)
		if err != nil {
			return err
		}
		known := map[string]Tool{}
		for _, t := range before {
			known[t.Name] = t
		}
		for _, t := range listed {
			if err := keep(ctx, tx, server, t, known[t.Name]); err != nil {
				return err
			}
			delete(known, t.Name)
		}
		for name := range known {
			if _, err := tx.ExecContext(ctx, `UPDATE mcp_tools SET gone = 1 WHERE server = ? AND name = ?`, server, name); err != nil {
				return err
			}
		}
		all, err = tools(ctx, tx, ` WHERE server = ?`, server)
		return err
	})
	return all, err
}

// keep writes a tool that is listed, where that is news.
func keep(ctx context.Context, tx rein.Tx, server string, t, before Tool) error {
	switch {
	case before.Name == "":
		_, err := tx.ExecContext(ctx, `INSERT INTO mcp_tools (server, name, definition, hash, accepted, changed, gone) VALUES (?, ?, ?, ?, ?, 0, 0)`,
			server, t.Name, t.Definition, t.Hash, t.Hash)
		return err
	case before.Hash == t.Hash && !before.Gone:
		return nil
	}
	changed := before.Changed
	if before.Hash != t.Hash {
		changed = time.Now()
	}
	_, err := tx.ExecContext(ctx, `UPDATE mcp_tools SET definition = ?, hash = ?, changed = ?, gone = 0 WHERE server = ? AND name = ?`,
		t.Definition, t.Hash, micros(changed), server, t.Name)
	return err
}

// Accept has what the operator said of a server hold for its tools as they are now.
func (b Book) Accept(ctx context.Context, server string) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE mcp_tools SET accepted = hash WHERE server = ?`, server)
		return err
	})
}

func tools(ctx context.Context, q store.Query, where string, args ...any) (all []Tool, err error) {
	rows, err := q.QueryContext(ctx, `SELECT server, name, definition, hash, accepted, changed, gone FROM mcp_tools`+where+` ORDER BY server, name`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var t Tool
		var changed int64
		if err := rows.Scan(&t.Server, &t.Name, &t.Definition, &t.Hash, &t.Accepted, &changed, &t.Gone); err != nil {
			return nil, err
		}
		if changed > 0 {
			t.Changed = time.UnixMicro(changed).UTC()
		}
		all = append(all, t)
	}
	return all, rows.Err()
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}
