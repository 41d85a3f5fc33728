// Package servers keeps the MCP servers that were added, and the tools of all MCP servers as they were last described.
// It knows texts and hashes; package tool/mcp knows what they mean.
package servers

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// A Server is one that was added.
type Server struct {
	Name    string
	Spec    string // JSON, without secrets
	By      string
	Created time.Time
}

// A Tool is a tool of a server.
type Tool struct {
	Server, Name   string
	Definition     string // JSON
	Hash, Accepted string
	Changed        time.Time // zero: never
	Gone           bool
}

// Book keeps both.
type Book struct{ Tables store.Tables }

// maxServers is how many can be added.
const maxServers = 200

// Add keeps a server. Adding the same again changes nothing; another of that name is CodeConflict.
func (b Book) Add(ctx context.Context, s Server) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		known, err := list(ctx, tx)
		if err != nil {
			return err
		}
		for _, k := range known {
			if k.Name != s.Name {
				continue
			}
			if k.Spec == s.Spec {
				return nil
			}
			return rein.Errorf(rein.CodeConflict, "there is an MCP server %q already: remove it with rein mcp remove %[1]s, or choose another name", s.Name)
		}
		if len(known) >= maxServers {
			return rein.Errorf(rein.CodeLimit, "there are %d MCP servers already: remove some with rein mcp remove", len(known))
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO mcp_servers (name, spec, made_by, created) VALUES (?, ?, ?, ?)`, s.Name, s.Spec, s.By, time.Now().UnixMicro())
		return err
	})
}

// Rewrite changes how a server is written, in a transaction: it is the same one.
func (Book) Rewrite(ctx context.Context, tx rein.Tx, name, spec string) error {
	_, err := tx.ExecContext(ctx, `UPDATE mcp_servers SET spec = ? WHERE name = ?`, spec, name)
	return err
}

// Remove forgets a server that was added, and its tools.
func (b Book) Remove(ctx context.Context, name string) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		done, err := tx.ExecContext(ctx, `DELETE FROM mcp_servers WHERE name = ?`, name)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return rein.Errorf(rein.CodeNotFound, "there is no MCP server %.80q that was added", name)
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM mcp_tools WHERE server = ?`, name)
		return err
	})
}

// List returns the servers that were added, by name.
func (b Book) List(ctx context.Context) (all []Server, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err = list(ctx, q)
		return err
	})
	return all, err
}

func list(ctx context.Context, q store.Query) (all []Server, err error) {
	rows, err := q.QueryContext(ctx, `SELECT name, spec, made_by, created FROM mcp_servers ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s Server
		var created int64
		if err := rows.Scan(&s.Name, &s.Spec, &s.By, &created); err != nil {
			return nil, err
		}
		s.Created = time.UnixMicro(created).UTC()
		all = append(all, s)
	}
	return all, rows.Err()
}
