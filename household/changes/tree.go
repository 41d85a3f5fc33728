package changes

import (
	"context"
	"io/fs"
	"time"

	"rein"
	"rein/store"
)

// A Stood is what was at a path when a folder was last looked at.
type Stood struct {
	Content
	Stamp string // size, times and inode; empty: look again
}

// A Tree is a folder as it was when it was last looked at, for one user.
type Tree struct {
	Files map[string]Stood
	Open  string              // the ID of a command that nobody saw end; empty: none
	Alive time.Time           // when that command was last known to run; zero: nobody knows
	Kept  map[string]struct{} // the sums of the contents that are kept for the user
}

// Tree returns a folder as it was last looked at; empty: it was not.
func (b Book) Tree(ctx context.Context, household, user, root string) (t Tree, err error) {
	t.Files = map[string]Stood{}
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		if t.Kept, err = sums(ctx, q, household, user); err != nil {
			return err
		}
		rows, err := q.QueryContext(ctx, `SELECT t.change_id, t.used, coalesce(f.path, ''), coalesce(f.mark, ''), coalesce(f.mode, 0), coalesce(f.stamp, '')
			FROM file_trees t LEFT JOIN file_tree_files f ON f.tree_n = t.n WHERE t.household = ? AND t.user_name = ? AND t.root = ?`, household, user, root)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var path string
			var mode, alive int64
			var s Stood
			if err := rows.Scan(&t.Open, &alive, &path, &s.Mark, &mode, &s.Stamp); err != nil {
				return err
			}
			if alive > 0 {
				t.Alive = time.UnixMicro(alive).UTC()
			}
			s.Mode = fs.FileMode(mode)
			if path != "" {
				t.Files[path] = s
			}
		}
		return rows.Err()
	})
	return t, err
}

// A Look is what is new of a folder.
type Look struct {
	Root     string
	Files    map[string]Stood // what is there now
	Gone     []string
	Contents map[string][]byte // of these files, by their sum
}

// Note records a part of what is new of a folder, in one transaction with the contents.
func (b Book) Note(ctx context.Context, inv rein.Invocation, l Look) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		c := Change{Place: inv.Task.Place(), Root: l.Root}
		if err := setTree(ctx, tx, c, l); err != nil {
			return err
		}
		return b.add(ctx, tx, c, l.Contents, inv.Approved)
	})
}

// Watch records that a command is about to run in a folder that was looked at. Seen reports what it changes.
func (b Book) Watch(ctx context.Context, inv rein.Invocation, root, tool string) error {
	c := b.begin(inv, Draft{Tool: tool, Root: root})
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := drop(ctx, tx, c.ID); err != nil {
			return err
		}
		if err := insert(ctx, tx, c); err != nil {
			return err
		}
		return open(ctx, tx, c, c.ID, b.now().UnixMicro())
	})
}

// Seen returns what records the changes of a command, and the folder as it is after it. ended: the command ended, and
// is not one that was cut.
func (b Book) Seen(inv rein.Invocation, id string, files []File, l Look, ended bool) func(context.Context, rein.Tx) error {
	return func(ctx context.Context, tx rein.Tx) error {
		c := Change{Place: inv.Task.Place(), Root: l.Root}
		if err := setTree(ctx, tx, c, l); err != nil {
			return err
		}
		if err := open(ctx, tx, c, "", 0); err != nil {
			return err
		}
		if len(files) == 0 {
			return drop(ctx, tx, id)
		}
		if err := insertFiles(ctx, tx, id, files); err != nil || !ended {
			return err
		}
		return b.Done(id)(ctx, tx)
	}
}

// Alive records that the command that is watched in a folder is still running. After a crash, what is changed much later
// was changed by somebody else.
func (b Book) Alive(ctx context.Context, inv rein.Invocation, root string) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE file_trees SET used = ? WHERE household = ? AND user_name = ? AND root = ? AND change_id = ?`,
			b.now().UnixMicro(), inv.Task.Household, inv.Task.User, root, inv.Key)
		return err
	})
}

// Ended records that commands that nobody saw end were not running any more at a moment.
func (b Book) Ended(ctx context.Context, at time.Time) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE file_trees SET used = min(used, ?) WHERE change_id <> '' AND used > 0`, at.UnixMicro())
		return err
	})
}

// open says which command is running in a folder, and since when; empty: none.
func open(ctx context.Context, tx rein.Tx, c Change, id string, alive int64) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO file_trees (household, user_name, root, change_id, used) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (household, user_name, root) DO UPDATE SET change_id = excluded.change_id, used = excluded.used`, c.Household, c.User, c.Root, id, alive)
	return err
}

func setTree(ctx context.Context, tx rein.Tx, c Change, l Look) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO file_trees (household, user_name, root, change_id, used) VALUES (?, ?, ?, '', 0) ON CONFLICT DO NOTHING`, c.Household, c.User, c.Root)
	if err != nil {
		return err
	}
	const tree = `(SELECT n FROM file_trees WHERE household = ? AND user_name = ? AND root = ?)`
	for path, s := range l.Files {
		_, err := tx.ExecContext(ctx, `INSERT INTO file_tree_files (tree_n, path, mark, mode, stamp) VALUES (`+tree+`, ?, ?, ?, ?)
			ON CONFLICT (tree_n, path) DO UPDATE SET mark = excluded.mark, mode = excluded.mode, stamp = excluded.stamp`,
			c.Household, c.User, c.Root, path, string(s.Mark), int64(s.Mode.Perm()), s.Stamp)
		if err != nil {
			return err
		}
	}
	for _, path := range l.Gone {
		if _, err := tx.ExecContext(ctx, `DELETE FROM file_tree_files WHERE tree_n = `+tree+` AND path = ?`, c.Household, c.User, c.Root, path); err != nil {
			return err
		}
	}
	return nil
}
