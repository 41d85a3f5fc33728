package workspace

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"rein"
	"rein/store"
)

// maxWorkspaces is how many can be added.
const maxWorkspaces = 10_000

// A Book keeps the workspaces that were added, and the rules that runs were started under.
type Book struct{ Tables store.Tables }

const columns = `name, household, root, vault, include, exclude, ask, deny, shared, origin, made_by, created`

// Add keeps a workspace. Adding the same again changes nothing; another of that name is CodeConflict.
func (b Book) Add(ctx context.Context, w rein.Workspace) (rein.Workspace, error) {
	if err := Check(w); err != nil {
		return w, err
	}
	w.Created = time.Now().UTC().Truncate(time.Microsecond)
	err := b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		known, err := list(ctx, tx, ``)
		if err != nil {
			return err
		}
		for _, k := range known {
			if k.Name == w.Name {
				if !same(k, w) {
					return rein.Errorf(rein.CodeConflict, "there is a workspace %q already, for %s: remove it, or choose another name", w.Name, k.Root+k.Vault)
				}
				w = k
				return nil
			}
		}
		if len(known) >= maxWorkspaces {
			return rein.Errorf(rein.CodeLimit, "there are %d workspaces already: remove some with rein workspace remove", len(known))
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO workspaces (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			w.Name, w.Household, w.Root, w.Vault, text(w.Include), text(w.Exclude), text(w.Ask), text(w.Deny), w.Shared, string(w.Origin), w.By, w.Created.UnixMicro())
		return err
	})
	return w, err
}

// same reports whether two workspaces of one name are one.
func same(a, b rein.Workspace) bool {
	return RulesOf(a).Hash() == RulesOf(b).Hash() && text(a.Ask) == text(b.Ask) && text(a.Deny) == text(b.Deny) && a.Shared == b.Shared
}

// Remove forgets a workspace. Its folder stays, and so do the rules of the runs that began in it.
func (b Book) Remove(ctx context.Context, name string) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		done, err := tx.ExecContext(ctx, `DELETE FROM workspaces WHERE name = ?`, name)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return rein.Errorf(rein.CodeNotFound, "there is no workspace %.80q that was added", name)
		}
		return nil
	})
}

// List returns what was added, by name.
func (b Book) List(ctx context.Context) (all []rein.Workspace, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err = list(ctx, q, ` ORDER BY name`)
		return err
	})
	return all, err
}

// Find returns a workspace that was added.
func (b Book) Find(ctx context.Context, name string) (w rein.Workspace, ok bool, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err := list(ctx, q, ` WHERE name = ?`, name)
		if len(found) > 0 {
			w, ok = found[0], true
		}
		return err
	})
	return w, ok, err
}

// Keep remembers rules under their hash.
func (b Book) Keep(ctx context.Context, r Rules) (hash string, err error) {
	data, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	hash = r.Hash()
	if _, known, err := b.Rules(ctx, hash); known || err != nil {
		return hash, err
	}
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO workspace_rules (hash, rules) VALUES (?, ?) ON CONFLICT DO NOTHING`, hash, string(data))
		return err
	})
	return hash, err
}

// Rules returns the rules with a hash, if they were kept.
func (b Book) Rules(ctx context.Context, hash string) (r Rules, ok bool, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT rules FROM workspace_rules WHERE hash = ?`, hash)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var data string
			if err := rows.Scan(&data); err != nil {
				return err
			}
			// What is not what its hash says binds nobody.
			ok = json.Unmarshal([]byte(data), &r) == nil && r.Hash() == hash
		}
		return rows.Err()
	})
	return r, ok, err
}

func list(ctx context.Context, q store.Query, where string, args ...any) ([]rein.Workspace, error) {
	rows, err := q.QueryContext(ctx, `SELECT `+columns+` FROM workspaces`+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []rein.Workspace{}
	for rows.Next() {
		w, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, rows.Err()
}

func scan(rows *sql.Rows) (w rein.Workspace, err error) {
	var include, exclude, ask, deny string
	var created int64
	if err := rows.Scan(&w.Name, &w.Household, &w.Root, &w.Vault, &include, &exclude, &ask, &deny, &w.Shared, &w.Origin, &w.By, &created); err != nil {
		return w, err
	}
	w.Created = time.UnixMicro(created).UTC()
	for _, list := range []struct {
		from string
		to   *[]string
	}{{include, &w.Include}, {exclude, &w.Exclude}, {ask, &w.Ask}, {deny, &w.Deny}} {
		if err := json.Unmarshal([]byte(list.from), list.to); err != nil {
			return w, err
		}
	}
	return w, nil
}

// text writes a list for a column.
func text(names []string) string {
	data, err := json.Marshal(append([]string{}, names...))
	if err != nil {
		return "[]" // texts can always be written
	}
	return string(data)
}
