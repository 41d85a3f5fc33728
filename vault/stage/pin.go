package stage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"rein"
	"rein/store"
)

// Pin names exactly these staged changes of this vault, to whoever agrees to them: Commit writes them
// or nothing. ID is a name to read; nobody can make other changes with the same Pin.
func (d *Desk) Pin(staged []Change) string { return d.pin("commit", staged) }

// PinUndo names exactly what taking back a commit would restore, likewise, for Undo.
func (d *Desk) PinUndo(c Commit, changes []Change) string {
	return d.pin("undo "+c.token, Reverse(changes))
}

func (d *Desk) pin(what string, changes []Change) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q\n", what, d.vault)
	for _, c := range changes {
		fmt.Fprintf(h, "%q %s %s\n", c.Path, c.BaseHash, c.Hash)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// isPin says what is wrong if what would be written is not what was shown.
func isPin(shown, now string) error {
	switch shown {
	case now:
		return nil
	case "":
		return rein.Errorf(rein.CodeInvalid, "nothing was written: the call does not say what the user was shown")
	}
	return rein.Errorf(rein.CodeConflict, "nothing was written: it is not what the user was shown any more, because something was staged, discarded or undone meanwhile; look at the staged changes again")
}

// stagedNow lists what is staged in a session without its contents, as the transaction of a commit
// sees it.
func stagedNow(ctx context.Context, q store.Query, p rein.Place) ([]Change, error) {
	return hashes(ctx, q, `SELECT path, base_hash, hash FROM staged_notes WHERE household = ? AND user_name = ? AND session = ? ORDER BY n`,
		p.Household, p.User, p.Session)
}

// committedNow lists what a commit changed, likewise.
func committedNow(ctx context.Context, q store.Query, token string) ([]Change, error) {
	return hashes(ctx, q, `SELECT path, before_hash, after_hash FROM note_commit_files WHERE token = ? ORDER BY slot`, token)
}

func hashes(ctx context.Context, q store.Query, query string, args ...any) ([]Change, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []Change
	for rows.Next() {
		var c Change
		if err := rows.Scan(&c.Path, &c.BaseHash, &c.Hash); err != nil {
			return nil, err
		}
		found = append(found, c)
	}
	return found, rows.Err()
}
