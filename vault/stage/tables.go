package stage

import (
	"context"
	"database/sql"
	"time"

	"rein"
	"rein/store"
)

// A Change is a note as it would be after a commit.
type Change struct {
	Path     string       `json:"path"`
	BaseHash string       `json:"base_hash,omitempty"` // empty: a new note
	Base     []byte       `json:"-"`                   // what it was when it was first changed
	Hash     string       `json:"hash"`
	Content  []byte       `json:"-"`
	Run      rein.RunID   `json:"run"` // the step that changed it last
	Step     rein.StepKey `json:"step"`
	Changed  time.Time    `json:"changed"`
	// Denied says that its folder may not be used any more. It has no contents then, and cannot be
	// committed, only discarded.
	Denied bool `json:"denied,omitempty"`
	// Stale says that the note on the disk is not what it was when it was first changed: a commit is refused.
	// Only a Draft tells.
	Stale bool `json:"stale,omitempty"`
}

const selectStaged = `SELECT path, base_hash, base, hash, content, run, step, changed FROM staged_notes
	WHERE household = ? AND user_name = ? AND session = ?`

func list(ctx context.Context, q store.Query, p rein.Place) ([]Change, error) {
	rows, err := q.QueryContext(ctx, selectStaged+` ORDER BY n`, p.Household, p.User, p.Session)
	return changes(rows, err)
}

// find returns the staged change of a note, or nil if there is none.
func find(ctx context.Context, q store.Query, p rein.Place, path string) (*Change, error) {
	rows, err := q.QueryContext(ctx, selectStaged+` AND path = ?`, p.Household, p.User, p.Session, path)
	found, err := changes(rows, err)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

func changes(rows *sql.Rows, err error) ([]Change, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []Change{}
	for rows.Next() {
		var c Change
		var changed int64
		if err := rows.Scan(&c.Path, &c.BaseHash, &c.Base, &c.Hash, &c.Content, &c.Run, &c.Step, &changed); err != nil {
			return nil, err
		}
		c.Changed = timeOf(changed)
		found = append(found, c)
	}
	return found, rows.Err()
}

// save writes a change in the place of an earlier one of the same note. One that changes nothing any
// more goes.
func save(ctx context.Context, tx rein.Tx, p rein.Place, c Change) error {
	if c.Hash == c.BaseHash {
		_, err := drop(ctx, tx, p, c.Path)
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO staged_notes
		(household, user_name, session, path, base_hash, base, hash, content, run, step, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (household, user_name, session, path) DO UPDATE SET
		base_hash = excluded.base_hash, base = excluded.base, hash = excluded.hash, content = excluded.content,
		run = excluded.run, step = excluded.step, changed = excluded.changed`,
		p.Household, p.User, p.Session, c.Path, c.BaseHash, blob(c.Base), c.Hash, blob(c.Content), string(c.Run), string(c.Step), c.Changed.UnixMicro())
	return err
}

// drop takes a change away, and tells whether there was one.
func drop(ctx context.Context, tx rein.Tx, p rein.Place, path string) (bool, error) {
	done, err := tx.ExecContext(ctx, `DELETE FROM staged_notes WHERE household = ? AND user_name = ? AND session = ? AND path = ?`,
		p.Household, p.User, p.Session, path)
	if err != nil {
		return false, err
	}
	count, err := done.RowsAffected()
	return count > 0, err
}

// total returns how many changes a session has besides that of one note, and their bytes.
func total(ctx context.Context, q store.Query, p rein.Place, besides string) (count, size int64, err error) {
	rows, err := q.QueryContext(ctx, `SELECT count(*), coalesce(sum(length(base) + length(content)), 0) FROM staged_notes
		WHERE household = ? AND user_name = ? AND session = ? AND path <> ?`, p.Household, p.User, p.Session, besides)
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

// blob is a content that is never NULL.
func blob(content []byte) []byte {
	if content == nil {
		return []byte{}
	}
	return content
}

func timeOf(micros int64) time.Time { return time.UnixMicro(micros).UTC() }
