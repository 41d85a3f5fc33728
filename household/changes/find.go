package changes

import (
	"context"
	"database/sql"

	"rein"
	"rein/store"
)

// A Filter chooses changes of one user, by what is set.
type Filter struct {
	Household, User string // required
	Session         string
	Workspace       string
	Run             rein.RunID // with its children
	Step            rein.StepKey
	Before          string // older than the change with this ID
	After           string // newer than the change with this ID
	Most            int    // 0: 1,000
}

// mostFound is how many changes are listed at once.
const mostFound = 1000

// List returns changes, the newest first.
func (b Book) List(ctx context.Context, f Filter) (found []Change, err error) {
	where, args := `WHERE household = ? AND user_name = ?`, []any{f.Household, f.User}
	add := func(set bool, clause string, values ...any) {
		if set {
			where, args = where+clause, append(args, values...)
		}
	}
	add(f.Session != "", ` AND session = ?`, f.Session)
	add(f.Workspace != "", ` AND workspace = ?`, f.Workspace)
	below := string(f.Run) + rein.Separator
	add(f.Run != "", ` AND (run = ? OR substr(run, 1, ?) = ?)`, string(f.Run), len(below), below)
	add(f.Step != "", ` AND step = ?`, string(f.Step))
	add(f.Before != "", ` AND n < (SELECT n FROM file_changes WHERE id = ?)`, f.Before)
	add(f.After != "", ` AND n > (SELECT n FROM file_changes WHERE id = ?)`, f.After)
	if f.Most <= 0 || f.Most > mostFound {
		f.Most = mostFound
	}
	add(true, ` ORDER BY n DESC LIMIT ?`, f.Most)
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = read(ctx, q, where, args...)
		return err
	})
	return found, err
}

// Find returns a change of a user; one that is not there, or another's, is CodeNotFound.
func (b Book) Find(ctx context.Context, household, user, id string) (Change, error) {
	var found []Change
	err := b.Tables.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		found, err = read(ctx, q, `WHERE household = ? AND user_name = ? AND id = ?`, household, user, id)
		return err
	})
	if err == nil && len(found) == 0 {
		err = rein.Errorf(rein.CodeNotFound, "there is no change %.100q that can be undone", id)
	}
	if err != nil {
		return Change{}, err
	}
	return found[0], nil
}

// Content returns what was kept for a user under its sum. CodeNotFound: it is not kept any more; CodeDamaged: it is not
// what its name says.
func (b Book) Content(ctx context.Context, household, user, sum string) (content []byte, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		content, err = contentOf(ctx, q, household, user, sum)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case content == nil:
		return nil, rein.Errorf(rein.CodeNotFound, "an earlier content of a file is not kept any more")
	case Sum(content) != sum:
		return nil, rein.Errorf(rein.CodeDamaged, "an earlier content of a file is damaged (%.16s): restore a backup", sum)
	}
	return content, nil
}

func contentOf(ctx context.Context, q store.Query, household, user, sum string) ([]byte, error) {
	rows, err := q.QueryContext(ctx, `SELECT data FROM kept_contents WHERE household = ? AND user_name = ? AND sha256 = ?`, household, user, sum)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	if !rows.Next() {
		return nil, rows.Err()
	}
	var content []byte
	if err := rows.Scan(&content); err != nil {
		return nil, err
	}
	if content == nil {
		content = []byte{}
	}
	return content, rows.Err()
}

// InEffect reports whether what a change did still stands: it was not undone, or its undo was undone itself.
func (b Book) InEffect(ctx context.Context, c Change) (stands bool, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		stands, err = inEffect(ctx, q, c.UndoneBy)
		return err
	})
	return stands, err
}

// inEffect follows who undid whom. Undos are newer than what they undo, so it ends.
func inEffect(ctx context.Context, q store.Query, undoneBy string) (bool, error) {
	for stands := true; ; stands = !stands {
		if undoneBy == "" {
			return stands, nil
		}
		rows, err := q.QueryContext(ctx, `SELECT undone_by FROM file_changes WHERE id = ?`, undoneBy)
		if err != nil {
			return false, err
		}
		next, err := one(rows)
		if err != nil {
			return false, err
		}
		undoneBy = next
	}
}

// one returns the text of the first row; empty: there is none.
func one(rows *sql.Rows) (text string, err error) {
	defer rows.Close()
	if !rows.Next() {
		return "", rows.Err()
	}
	err = rows.Scan(&text)
	return text, err
}
