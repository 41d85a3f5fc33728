package changes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"rein"
	"rein/internal/units"
	"rein/store"
)

// A Draft is a change that a call is about to make.
type Draft struct {
	Tool   string
	Root   string
	Undoes []string
	Files  []File
	// Contents are what the files hold now, by their sum.
	Contents map[string][]byte
}

// Sum is the name of a content.
func Sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Keep records a change before the first file is touched. When it returns, the change and what the files hold are
// durable. The same call again takes the place of its earlier attempt. CodeLimit: the contents are more than is kept at
// all; CodeQuota: the user has no room for them.
func (b Book) Keep(ctx context.Context, inv rein.Invocation, d Draft) error {
	if inv.Key == "" || inv.Task == nil {
		return rein.Errorf(rein.CodeInvalid, "what a call changes is kept under its key and for its run: both are needed")
	}
	c := b.begin(inv, d)
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		earlier, err := read(ctx, tx, `WHERE id = ?`, c.ID)
		if err != nil {
			return err
		}
		c.Files = append(c.Files, madeBy(earlier, d.Files)...)
		if err := drop(ctx, tx, c.ID); err != nil {
			return err
		}
		if err := b.add(ctx, tx, c, d.Contents, inv.Approved); err != nil {
			return err
		}
		return insert(ctx, tx, c)
	})
}

// madeBy are the folders that an earlier attempt may have made, and that the next one therefore found.
func madeBy(earlier []Change, files []File) (made []File) {
	for _, c := range earlier {
		for _, f := range c.Files {
			isNamed := slices.ContainsFunc(files, func(other File) bool { return other.Path == f.Path })
			if f.Before.Mark == "" && f.After.Mark == Folder && !isNamed {
				made = append(made, f)
			}
		}
	}
	return made
}

func (b Book) begin(inv rein.Invocation, d Draft) Change {
	return Change{
		ID: inv.Key, Place: inv.Task.Place(), Workspace: inv.Task.Workspace, Root: d.Root, Run: inv.Run, Step: inv.Step,
		Tool: d.Tool, Begun: true, Undoes: d.Undoes, At: b.now(), Files: d.Files,
	}
}

// Done returns what marks the call's change as done. It belongs into the transaction that records the result.
func (b Book) Done(key string) func(context.Context, rein.Tx) error {
	return func(ctx context.Context, tx rein.Tx) error {
		found, err := read(ctx, tx, `WHERE id = ?`, key)
		if err != nil || len(found) == 0 {
			return err
		}
		return found[0].done(ctx, tx)
	}
}

// done marks a change as done, and those that it undoes as undone.
func (c Change) done(ctx context.Context, tx rein.Tx) error {
	for _, id := range c.Undoes {
		if _, err := tx.ExecContext(ctx, `UPDATE file_changes SET undone_by = ? WHERE id = ? AND household = ? AND user_name = ?`, c.ID, id, c.Household, c.User); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `UPDATE file_changes SET state = 'done' WHERE n = ?`, c.n)
	return err
}

// Drop forgets a change that did not happen.
func (b Book) Drop(ctx context.Context, key string) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		found, err := read(ctx, tx, `WHERE id = ? AND state = 'begun'`, key)
		if err != nil || len(found) == 0 {
			return err
		}
		if err := drop(ctx, tx, key); err != nil {
			return err
		}
		return sweep(ctx, tx, found[0].Household, found[0].User)
	})
}

// insert writes the rows of a change.
func insert(ctx context.Context, tx rein.Tx, c Change) error {
	undoes, err := json.Marshal(c.Undoes)
	if err != nil {
		return err
	}
	if len(c.Undoes) == 0 {
		undoes = nil
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO file_changes (id, household, user_name, session, workspace, root, run, step, tool, state, undoes, undone_by, created)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'begun', ?, '', ?)`,
		c.ID, c.Household, c.User, c.Session, c.Workspace, c.Root, string(c.Run), string(c.Step), c.Tool, string(undoes), c.At.UnixMicro())
	if err != nil {
		return err
	}
	return insertFiles(ctx, tx, c.ID, c.Files)
}

func insertFiles(ctx context.Context, tx rein.Tx, id string, files []File) error {
	for _, f := range files {
		_, err := tx.ExecContext(ctx, `INSERT INTO file_change_files (change_n, path, before, before_mode, after, after_mode)
			SELECT n, ?, ?, ?, ?, ? FROM file_changes WHERE id = ?`,
			f.Path, string(f.Before.Mark), int64(f.Before.Mode.Perm()), string(f.After.Mark), int64(f.After.Mode.Perm()), id)
		if err != nil {
			return err
		}
	}
	return nil
}

// add keeps contents for the user of a change, as far as they are not kept, and makes room for them.
func (b Book) add(ctx context.Context, tx rein.Tx, c Change, contents map[string][]byte, approved bool) error {
	kept, err := sums(ctx, tx, c.Household, c.User)
	if err != nil {
		return err
	}
	var needs int64
	missing := 0 // an empty one needs no room, and is kept all the same
	for sum, content := range contents {
		if _, ok := kept[sum]; !ok {
			needs, missing = needs+int64(len(content)), missing+1
		}
	}
	if missing == 0 {
		return nil
	}
	if err := b.makeRoom(ctx, tx, c, contents, needs, approved); err != nil {
		return err
	}
	if err := store.Room(ctx, tx, c.Household, c.User, needs); err != nil {
		return err
	}
	for sum, content := range contents {
		if content == nil {
			content = []byte{}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO kept_contents (household, user_name, sha256, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, c.Household, c.User, sum, content)
		if err != nil {
			return err
		}
	}
	return nil
}

// makeRoom forgets the oldest changes of the user until there is room. For a call that nobody approved it spares those of
// the same session: else a run could get rid of what it changed before.
func (b Book) makeRoom(ctx context.Context, tx rein.Tx, c Change, contents map[string][]byte, needs int64, approved bool) error {
	most := b.most()
	var all int64
	for _, content := range contents {
		all += int64(len(content))
	}
	if all > most {
		return rein.Errorf(rein.CodeLimit, "an undo would need %s of earlier contents, and at most %s are kept: raise tools.undo_megabytes", units.Size(all), units.Size(most))
	}
	for {
		used, err := total(ctx, tx, c.Household, c.User)
		if err != nil || used+needs <= most {
			return err
		}
		gone, err := forgetOldest(ctx, tx, c, approved)
		if err != nil {
			return err
		}
		if !gone && approved {
			return rein.Errorf(rein.CodeLimit, "what changes in progress need for an undo takes up all that is kept (%s): wait for them, or raise tools.undo_megabytes", units.Size(most))
		}
		if !gone {
			return rein.Errorf(rein.CodeLimit, "an undo of what this session changed, or is changing, needs all that is kept (%s): approve the call, start another session, or raise tools.undo_megabytes", units.Size(most))
		}
	}
}
