package changes

import (
	"context"
	"database/sql"
	"encoding/json"
	"io/fs"
	"time"

	"rein"
	"rein/store"
)

const selectChanges = `SELECT n, id, household, user_name, session, workspace, root, run, step, tool, state, undoes, undone_by, created FROM file_changes `

// read returns the changes that a query finds, with their files.
func read(ctx context.Context, q store.Query, where string, args ...any) ([]Change, error) {
	rows, err := q.QueryContext(ctx, selectChanges+where, args...)
	if err != nil {
		return nil, err
	}
	found, err := scanAll(rows)
	if err != nil {
		return nil, err
	}
	for i := range found {
		if found[i].Files, err = filesOf(ctx, q, found[i].n); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func scanAll(rows *sql.Rows) (found []Change, err error) {
	defer rows.Close()
	for rows.Next() {
		var c Change
		var state, undoes string
		var at int64
		err := rows.Scan(&c.n, &c.ID, &c.Household, &c.User, &c.Session, &c.Workspace, &c.Root, &c.Run, &c.Step, &c.Tool, &state, &undoes, &c.UndoneBy, &at)
		if err == nil && undoes != "" {
			err = json.Unmarshal([]byte(undoes), &c.Undoes)
		}
		if err != nil {
			return nil, err
		}
		c.Begun, c.At = state != "done", time.UnixMicro(at).UTC()
		found = append(found, c)
	}
	return found, rows.Err()
}

func filesOf(ctx context.Context, q store.Query, n int64) ([]File, error) {
	rows, err := q.QueryContext(ctx, `SELECT path, before, before_mode, after, after_mode FROM file_change_files WHERE change_n = ? ORDER BY path`, n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	files := []File{}
	for rows.Next() {
		var f File
		var before, after int64
		if err := rows.Scan(&f.Path, &f.Before.Mark, &before, &f.After.Mark, &after); err != nil {
			return nil, err
		}
		f.Before.Mode, f.After.Mode = fs.FileMode(before), fs.FileMode(after)
		files = append(files, f)
	}
	return files, rows.Err()
}

// sums are the contents that are kept for a user.
func sums(ctx context.Context, q store.Query, household, user string) (map[string]struct{}, error) {
	rows, err := q.QueryContext(ctx, `SELECT sha256 FROM kept_contents WHERE household = ? AND user_name = ?`, household, user)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]struct{}{}
	for rows.Next() {
		var sum string
		if err := rows.Scan(&sum); err != nil {
			return nil, err
		}
		all[sum] = struct{}{}
	}
	return all, rows.Err()
}

// total is how many bytes are kept for a user.
func total(ctx context.Context, q store.Query, household, user string) (bytes int64, err error) {
	rows, err := q.QueryContext(ctx, `SELECT coalesce(sum(length(data)), 0) FROM kept_contents WHERE household = ? AND user_name = ?`, household, user)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&bytes); err != nil {
			return 0, err
		}
	}
	return bytes, rows.Err()
}

// drop removes a change. What it kept stays until sweep.
func drop(ctx context.Context, tx rein.Tx, id string) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM file_change_files WHERE change_n IN (SELECT n FROM file_changes WHERE id = ?)`, id); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM file_changes WHERE id = ?`, id)
	return err
}

// forgetOldest forgets the oldest change of a user that is done, or else the folders as commands last saw them. It
// reports whether there was anything.
func forgetOldest(ctx context.Context, tx rein.Tx, c Change, approved bool) (bool, error) {
	found, err := read(ctx, tx, `WHERE household = ? AND user_name = ? AND state = 'done' AND (session <> ? OR ?) ORDER BY n LIMIT 1`, c.Household, c.User, c.Session, approved)
	if err != nil {
		return false, err
	}
	for _, old := range found {
		if err := drop(ctx, tx, old.ID); err != nil {
			return false, err
		}
	}
	gone := len(found) > 0
	if !gone {
		if gone, err = forgetTrees(ctx, tx, c.Household, c.User, c.Root); err != nil || !gone {
			return false, err
		}
	}
	return true, sweep(ctx, tx, c.Household, c.User)
}

// forgetTrees forgets the folders of a user as commands last saw them, save one, and where a command is running.
func forgetTrees(ctx context.Context, tx rein.Tx, household, user, save string) (bool, error) {
	const those = ` WHERE household = ? AND user_name = ? AND root <> ? AND change_id = ''`
	if _, err := tx.ExecContext(ctx, `DELETE FROM file_tree_files WHERE tree_n IN (SELECT n FROM file_trees`+those+`)`, household, user, save); err != nil {
		return false, err
	}
	done, err := tx.ExecContext(ctx, `DELETE FROM file_trees`+those, household, user, save)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// sweep removes the contents of a user that nothing names any more.
func sweep(ctx context.Context, tx rein.Tx, household, user string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM kept_contents WHERE household = ? AND user_name = ?
		AND sha256 NOT IN (SELECT substr(f.before, 1, 64) FROM file_change_files f JOIN file_changes c ON c.n = f.change_n WHERE c.household = ? AND c.user_name = ?)
		AND sha256 NOT IN (SELECT substr(f.mark, 1, 64) FROM file_tree_files f JOIN file_trees t ON t.n = f.tree_n WHERE t.household = ? AND t.user_name = ?)`,
		household, user, household, user, household, user)
	return err
}
