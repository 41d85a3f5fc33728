package stage

import (
	"context"
	"crypto/rand"
	"database/sql"
	"time"

	"rein"
	"rein/store"
)

// The states of an entry in the journal.
const (
	preparing = "preparing" // no note has been touched
	placing   = "placing"
	done      = "done"
	failed    = "failed" // all is as it was, but for what Why says
)

// A Commit is what was written to the disk at once.
type Commit struct {
	ID       string     `json:"id"`
	Place    rein.Place `json:"-"`
	Undoes   string     `json:"undoes,omitempty"`    // the commit that it took back
	UndoneBy string     `json:"undone_by,omitempty"` // the commit that took it back
	At       time.Time  `json:"at"`
	Notes    []Written  `json:"notes"`

	token, state, why string
	changed           time.Time
}

// A Written is one note of a commit.
type Written struct {
	Path   string `json:"path"`
	Before string `json:"before,omitempty"` // its hash; empty: it was new
	After  string `json:"after,omitempty"`  // its hash; empty: it was removed

	slot int // −1: it was so already, and is not in the journal
	made int
	mode uint32
}

// begin writes the entry of a commit whose contents are staged: they are copied from there.
func begin(ctx context.Context, tx rein.Tx, vault string, c Commit) error {
	if err := insertCommit(ctx, tx, vault, c); err != nil {
		return err
	}
	for _, w := range c.todo() {
		copied, err := tx.ExecContext(ctx, `INSERT INTO note_commit_files (token, slot, path, before_hash, before, after_hash, after, made)
			SELECT ?, ?, path, base_hash, base, hash, content, ? FROM staged_notes
			WHERE household = ? AND user_name = ? AND session = ? AND path = ? AND base_hash = ? AND hash = ?`,
			c.token, w.slot, w.made, c.Place.Household, c.Place.User, c.Place.Session, w.Path, w.Before, w.After)
		if err != nil {
			return err
		}
		if count, err := copied.RowsAffected(); err != nil || count != 1 {
			return rein.Errorf(rein.CodeConflict, "nothing was written: %q was staged again at the same moment; look at the changes again", w.Path)
		}
	}
	return nil
}

// beginUndo writes the entry of a commit that takes another back: its contents the other way round.
func beginUndo(ctx context.Context, tx rein.Tx, vault string, c Commit, of Commit) error {
	if err := insertCommit(ctx, tx, vault, c); err != nil {
		return err
	}
	for _, w := range c.todo() {
		_, err := tx.ExecContext(ctx, `INSERT INTO note_commit_files (token, slot, path, before_hash, before, after_hash, after, made)
			SELECT ?, ?, path, after_hash, after, before_hash, before, ? FROM note_commit_files WHERE token = ? AND path = ?`,
			c.token, w.slot, w.made, of.token, w.Path)
		if err != nil {
			return err
		}
	}
	return nil
}

func insertCommit(ctx context.Context, tx rein.Tx, vault string, c Commit) error {
	at := c.At.UnixMicro()
	_, err := tx.ExecContext(ctx, `INSERT INTO note_commits
		(token, n, id, vault, household, user_name, session, undoes, undone_by, state, why, created, changed)
		VALUES (?, (SELECT coalesce(max(n), 0) + 1 FROM note_commits), ?, ?, ?, ?, ?, ?, '', ?, '', ?, ?)`,
		c.token, c.ID, vault, c.Place.Household, c.Place.User, c.Place.Session, c.Undoes, preparing, at, at)
	return err
}

// mark records how far a commit is. One that is done is known to the commit that it takes back.
func mark(ctx context.Context, tx rein.Tx, c Commit, state, why string, at time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE note_commits SET state = ?, why = ?, changed = ? WHERE token = ?`, state, why, at.UnixMicro(), c.token)
	if err != nil || state != done || c.Undoes == "" {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE note_commits SET undone_by = ? WHERE id = ? AND state = ?`, c.ID, c.Undoes, done)
	return err
}

func (d *Desk) mark(ctx context.Context, c *Commit, state, why string) error {
	c.state, c.why = state, why
	return d.tables.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx rein.Tx) error {
		return mark(ctx, tx, *c, state, why, d.now())
	})
}

const selectCommits = `SELECT token, id, household, user_name, session, undoes, undone_by, state, why, created, changed FROM note_commits `

// commits returns the entries that a query finds, with their notes.
func commits(ctx context.Context, q store.Query, where string, args ...any) ([]Commit, error) {
	rows, err := q.QueryContext(ctx, selectCommits+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []Commit
	for rows.Next() {
		var c Commit
		var at, changed int64
		err := rows.Scan(&c.token, &c.ID, &c.Place.Household, &c.Place.User, &c.Place.Session, &c.Undoes, &c.UndoneBy, &c.state, &c.why, &at, &changed)
		if err != nil {
			return nil, err
		}
		c.At, c.changed = timeOf(at), timeOf(changed)
		found = append(found, c)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for i := range found {
		if found[i].Notes, err = written(ctx, q, found[i].token); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func written(ctx context.Context, q store.Query, token string) ([]Written, error) {
	rows, err := q.QueryContext(ctx, `SELECT slot, path, before_hash, after_hash, made FROM note_commit_files WHERE token = ? ORDER BY slot`, token)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	notes := []Written{}
	for rows.Next() {
		var w Written
		if err := rows.Scan(&w.slot, &w.Path, &w.Before, &w.After, &w.made); err != nil {
			return nil, err
		}
		notes = append(notes, w)
	}
	return notes, rows.Err()
}

// after returns what a note of a commit is to be.
func (d *Desk) after(ctx context.Context, token string, slot int) (content []byte, err error) {
	err = d.tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT after FROM note_commit_files WHERE token = ? AND slot = ?`, token, slot)
		if err != nil {
			return err
		}
		defer rows.Close()
		if !rows.Next() {
			return rein.Errorf(rein.CodeDamaged, "the journal of a commit is not whole")
		}
		if err := rows.Scan(&content); err != nil {
			return err
		}
		return rows.Err()
	})
	return content, err
}

// entry returns the last entry of a commit of this vault, or nil if there is none.
func (d *Desk) entry(ctx context.Context, id string) (*Commit, error) {
	var found []Commit
	err := d.tables.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		found, err = commits(ctx, q, `WHERE id = ? AND vault = ? ORDER BY n DESC LIMIT 1`, id, d.vault)
		return err
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Commits returns the last commits of a user that are done, the newest first, of all sessions. If before
// is not empty only those older than that commit.
func (d *Desk) Commits(ctx context.Context, household, user, before string, most int) ([]Commit, error) {
	var found []Commit
	err := d.tables.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		found, err = commits(ctx, q, `WHERE household = ? AND user_name = ? AND vault = ? AND state = ?
			AND (? = '' OR n < (SELECT max(n) FROM note_commits WHERE id = ? AND vault = ?)) ORDER BY n DESC LIMIT ?`,
			household, user, d.vault, done, before, before, d.vault, most)
		return err
	})
	return found, err
}

// CommitsOf returns the last commits of a user that are done, in whatever vault, the newest first.
func CommitsOf(ctx context.Context, tables store.Snapshots, household, user string, most int) (found []Commit, err error) {
	err = tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = commits(ctx, q, `WHERE household = ? AND user_name = ? AND state = ? ORDER BY n DESC LIMIT ?`, household, user, done, most)
		return err
	})
	return found, err
}

// Changes returns what a commit of this user changed, as it would be shown before it. One that does
// not exist, or is another user's, is CodeNotFound.
func (d *Desk) Changes(ctx context.Context, p rein.Place, id string) (Commit, []Change, error) {
	c, err := d.entry(ctx, id)
	if err != nil {
		return Commit{}, nil, err
	}
	if c == nil || c.state != done || c.Place.Household != p.Household || c.Place.User != p.User {
		return Commit{}, nil, rein.Errorf(rein.CodeNotFound, "there is no commit %.80q", id)
	}
	var found []Change
	err = d.tables.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		found, err = contents(q.QueryContext(ctx, `SELECT path, before_hash, before, after_hash, after FROM note_commit_files WHERE token = ? ORDER BY slot`, c.token))
		return err
	})
	for i, change := range found {
		if _, refused := d.allowed(change.Path); refused != nil {
			found[i].Denied, found[i].Base, found[i].Content = true, nil, nil
		}
	}
	return *c, found, err
}

// Undoable is Changes of a commit that was not taken back yet.
func (d *Desk) Undoable(ctx context.Context, p rein.Place, id string) (Commit, []Change, error) {
	c, changes, err := d.Changes(ctx, p, id)
	if err == nil && c.UndoneBy != "" {
		err = c.undone()
	}
	return c, changes, err
}

func contents(rows *sql.Rows, err error) ([]Change, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []Change
	for rows.Next() {
		var c Change
		if err := rows.Scan(&c.Path, &c.BaseHash, &c.Base, &c.Hash, &c.Content); err != nil {
			return nil, err
		}
		found = append(found, c)
	}
	return found, rows.Err()
}

// Reverse is what taking changes back would change.
func Reverse(changes []Change) []Change {
	back := make([]Change, len(changes))
	for i, c := range changes {
		c.Base, c.Content, c.BaseHash, c.Hash = c.Content, c.Base, c.Hash, c.BaseHash
		back[i] = c
	}
	return back
}

func newToken() string { return rand.Text()[:16] }
