package stage

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// erased is the state of a commit whose contents were erased. It cannot be shown or undone any more. Its
// entry stays until Sweep has taken away what the commit left in the work folder.
const erased = "erased"

// A Kept is what is kept of a note in the store: a change that waits to be committed, or one of a commit
// that can be undone. The notes in the vault are their owner's, and are not meant.
type Kept struct {
	rein.Place
	Path   string
	Run    rein.RunID // that staged or committed it; empty: its user committed it without one
	At     time.Time
	Commit string // its ID; empty: it is staged
	IsOpen bool   // the commit is under way

	n     int64
	token string
}

// KeptOf returns what is kept of notes in a household.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Kept, error) {
	staged, err := keptRows(ctx, q, `SELECT n, '', '', '', user_name, session, path, run, changed FROM staged_notes WHERE household = ? ORDER BY n`, household)
	if err != nil {
		return nil, err
	}
	committed, err := keptRows(ctx, q, `SELECT f.n, c.token, c.id, c.state, c.user_name, c.session, f.path, '', c.created
		FROM note_commits c JOIN note_commit_files f ON f.token = c.token WHERE c.household = ? AND c.state <> 'erased' ORDER BY f.n`, household)
	return append(staged, committed...), err
}

func keptRows(ctx context.Context, q store.Query, query, household string) (all []Kept, err error) {
	rows, err := q.QueryContext(ctx, query, household)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		k := Kept{Place: rein.Place{Household: household}}
		var state string
		var at int64
		if err := rows.Scan(&k.n, &k.token, &k.Commit, &state, &k.User, &k.Session, &k.Path, &k.Run, &at); err != nil {
			return nil, err
		}
		if c := (Commit{ID: k.Commit, state: state}); c.ID != "" {
			k.Run, k.IsOpen = c.Run(), c.isOpen()
		}
		k.At = timeOf(at)
		all = append(all, k)
	}
	return all, rows.Err()
}

// Erase takes away what is kept of notes. The hashes of a commit's notes stay until its files in the work
// folder are gone, since they tell these from what somebody wrote.
func Erase(ctx context.Context, tx rein.Tx, kept []Kept, at time.Time) error {
	for _, k := range kept {
		if k.Commit == "" {
			if _, err := tx.ExecContext(ctx, `DELETE FROM staged_notes WHERE n = ?`, k.n); err != nil {
				return err
			}
			continue
		}
		if err := emptyFile(ctx, tx, k); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE note_commits SET state = ?, why = '', changed = ? WHERE token = ? AND state <> ?`,
			erased, at.UnixMicro(), k.token, erased); err != nil {
			return err
		}
	}
	return nil
}

// emptyFile leaves no content of a note in a commit. The row is written again, because what users keep is
// counted when rows come and go.
func emptyFile(ctx context.Context, tx rein.Tx, k Kept) error {
	if _, err := tx.ExecContext(ctx, `INSERT INTO note_commit_files (token, slot, path, before_hash, before, after_hash, after, made)
		SELECT token, -1 - slot, path, before_hash, ?, after_hash, ?, made FROM note_commit_files WHERE n = ?`, []byte{}, []byte{}, k.n); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM note_commit_files WHERE n = ?`, k.n); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE note_commit_files SET slot = -1 - slot WHERE token = ? AND slot < 0`, k.token)
	return err
}
