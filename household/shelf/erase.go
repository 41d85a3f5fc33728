package shelf

import (
	"context"

	"rein"
	"rein/store"
)

// A Kept is a file with the shelf that it is on.
type Kept struct {
	rein.Place
	Name string
	Run  rein.RunID // whose tool left it; empty: a person brought it

	content string
}

// FilesOf returns the files of a household, by user, session and name.
func FilesOf(ctx context.Context, q store.Query, household string) (all []Kept, err error) {
	rows, err := q.QueryContext(ctx, `SELECT user_name, session, name, run, content FROM session_files WHERE household = ? ORDER BY user_name, session, name`, household)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		k := Kept{Place: rein.Place{Household: household}}
		if err := rows.Scan(&k.User, &k.Session, &k.Name, &k.Run, &k.content); err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return all, rows.Err()
}

// Erase takes files away with all that is in them, in one transaction: unlike Delete it leaves no parts
// for later.
func Erase(ctx context.Context, tx rein.Tx, files []Kept) error {
	for _, k := range files {
		if err := remove(ctx, tx, k.content); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM session_file_parts WHERE content = ?`, k.content); err != nil {
			return err
		}
	}
	return nil
}
