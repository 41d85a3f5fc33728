// Package trust keeps what people decided about what folders bring: instructions, skills, rules, commands, MCP servers. A
// decision is about one content, named by its hash. It also keeps the files of skills by their hashes, so that a run uses
// the bytes that it was started with.
//
// Reading folders is for package app/texts. This package has the types and the SQL of its tables.
package trust

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"time"

	"rein"
	"rein/internal/digest"
	"rein/store"
)

// A File is a file that a folder brought.
type File struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
	Sum  string `json:"sum"`
	Exec bool   `json:"exec,omitempty"`
}

// A Decision is what a person decided about one content.
type Decision struct {
	ID        string
	Household string
	Root      string
	Folder    string
	Hash      string
	Files     []File
	Declined  bool // they do not trust it, and do not want to be asked again
	By        string
	At        time.Time
	Replaced  time.Time // when a newer decision about the place came
	Revoked   time.Time
	RevokedBy string
}

// Holds reports whether new runs can rely on the decision.
func (d Decision) Holds() bool { return !d.Declined && d.Revoked.IsZero() && d.Replaced.IsZero() }

// maxDecisions is how many decisions are kept.
const maxDecisions = 100_000

// A Book keeps decisions. Note records one among the changes of the household, in its transaction; nil: nobody does.
type Book struct {
	Tables store.Tables
	Note   func(ctx context.Context, tx rein.Tx, by rein.Identity, what rein.ChangeKind, detail string) error
}

// Decide keeps a decision. Deciding the same again changes nothing.
func (b Book) Decide(ctx context.Context, by rein.Identity, d Decision) (Decision, error) {
	if d.Hash == "" {
		return d, rein.Errorf(rein.CodeInvalid, "the folder brings nothing that could be trusted")
	}
	files, err := json.Marshal(d.Files)
	if err != nil {
		return d, err
	}
	d.Household, d.By, d.At = by.Household, by.User, time.Now().UTC().Truncate(time.Microsecond)
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		known, err := list(ctx, tx, `WHERE household = ? AND root = ? AND folder = ? AND replaced = 0`, d.Household, d.Root, d.Folder)
		if err != nil {
			return err
		}
		for _, k := range known {
			if k.Hash == d.Hash && k.Declined == d.Declined && k.Revoked.IsZero() {
				d = k
				return nil
			}
		}
		if d.ID, err = newID(ctx, tx, d); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE trust SET replaced = ? WHERE household = ? AND root = ? AND folder = ? AND replaced = 0`, d.At.UnixMicro(), d.Household, d.Root, d.Folder); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO trust (id, household, root, folder, hash, files, declined, by_user, created, replaced, revoked, revoked_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, '')`,
			d.ID, d.Household, d.Root, d.Folder, d.Hash, string(files), d.Declined, d.By, d.At.UnixMicro()); err != nil {
			return err
		}
		what := rein.FolderTrusted
		if d.Declined {
			what = rein.FolderDeclined
		}
		return b.note(ctx, tx, by, what, d)
	})
	return d, err
}

// newID names a decision. There is room for so many only.
func newID(ctx context.Context, tx rein.Tx, d Decision) (string, error) {
	n, err := count(ctx, tx)
	if err == nil && n >= maxDecisions {
		err = rein.Errorf(rein.CodeLimit, "there are %d decisions about folders already", n)
	}
	return digest.Listed(8, d.Household, d.Root, d.Folder, d.Hash, d.At.Format(time.RFC3339Nano)), err
}

func count(ctx context.Context, q store.Query) (n int, err error) {
	rows, err := q.QueryContext(ctx, `SELECT count(*) FROM trust`)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			return 0, err
		}
	}
	return n, rows.Err()
}

func (b Book) note(ctx context.Context, tx rein.Tx, by rein.Identity, what rein.ChangeKind, d Decision) error {
	if b.Note == nil {
		return nil
	}
	return b.Note(ctx, tx, by, what, d.Root+", "+d.Hash)
}

// Revoke ends the trust in a folder, whatever it brought when it was trusted. Runs that wait use none of its programs any
// more.
func (b Book) Revoke(ctx context.Context, by rein.Identity, id string) (d Decision, err error) {
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		found, err := list(ctx, tx, `WHERE household = ? AND id = ?`, by.Household, id)
		if err == nil && len(found) == 0 {
			err = rein.Errorf(rein.CodeNotFound, "there is no trusted folder %.80q", id)
		}
		if err != nil {
			return err
		}
		if d = found[0]; !d.Revoked.IsZero() {
			return nil
		}
		d.Revoked, d.RevokedBy = time.Now().UTC().Truncate(time.Microsecond), by.User
		if _, err := tx.ExecContext(ctx, `UPDATE trust SET revoked = ?, revoked_by = ? WHERE household = ? AND root = ? AND revoked = 0`, d.Revoked.UnixMicro(), by.User, d.Household, d.Root); err != nil {
			return err
		}
		return b.note(ctx, tx, by, rein.TrustRevoked, d)
	})
	return d, err
}

// Of returns the newest decisions about a folder, each about one place in it.
func (b Book) Of(ctx context.Context, household, root string) ([]Decision, error) {
	return b.read(ctx, `WHERE household = ? AND root = ? AND replaced = 0 ORDER BY n`, household, root)
}

// List returns what is trusted in a household.
func (b Book) List(ctx context.Context, household string) ([]Decision, error) {
	return b.read(ctx, `WHERE household = ? AND replaced = 0 AND revoked = 0 AND declined = 0 ORDER BY root, folder`, household)
}

// Trusted reports whether a run that was started with a content may still use it: somebody trusted it then, and nobody has
// revoked that. A newer decision about other content does not matter to the run.
func (b Book) Trusted(ctx context.Context, household, root, hash string) (bool, error) {
	found, err := b.read(ctx, `WHERE household = ? AND root = ? AND hash = ? AND declined = 0 AND revoked = 0`, household, root, hash)
	return len(found) > 0 && hash != "", err
}

func (b Book) read(ctx context.Context, where string, args ...any) (all []Decision, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err = list(ctx, q, where, args...)
		return err
	})
	return all, err
}

func list(ctx context.Context, q store.Query, where string, args ...any) ([]Decision, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, household, root, folder, hash, files, declined, by_user, created, replaced, revoked, revoked_by FROM trust `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Decision
	for rows.Next() {
		d, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, rows.Err()
}

func scan(rows *sql.Rows) (d Decision, err error) {
	var files string
	var created, replaced, revoked int64
	if err := rows.Scan(&d.ID, &d.Household, &d.Root, &d.Folder, &d.Hash, &files, &d.Declined, &d.By, &created, &replaced, &revoked, &d.RevokedBy); err != nil {
		return d, err
	}
	d.At, d.Replaced, d.Revoked = timeOf(created), timeOf(replaced), timeOf(revoked)
	return d, json.Unmarshal([]byte(files), &d.Files)
}

func timeOf(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// Changes says what is different in a folder since a decision, a line each: a path, and how it changed.
func (d Decision) Changes(now []File) (lines []string) {
	was := map[string]File{}
	for _, f := range d.Files {
		was[f.Path] = f
	}
	for _, f := range now {
		old, known := was[f.Path]
		delete(was, f.Path)
		switch {
		case !known:
			lines = append(lines, f.Path+" is new")
		case old.Sum != f.Sum:
			lines = append(lines, f.Path+" was changed")
		case old.Exec != f.Exec:
			lines = append(lines, f.Path+" can be run now, or no more")
		}
	}
	for path := range was {
		lines = append(lines, path+" is gone")
	}
	slices.Sort(lines)
	return lines
}
