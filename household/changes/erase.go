package changes

import (
	"context"
	"fmt"

	"rein"
	"rein/store"
)

// A Kept is a change whose earlier contents are kept.
type Kept struct {
	rein.Place
	ID   string
	Run  rein.RunID
	Path string // the first of its files
}

// KeptOf returns what is kept for a household.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Kept, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, run, user_name, session, coalesce((SELECT min(path) FROM file_change_files WHERE change_n = c.n), '')
		FROM file_changes c WHERE household = ? ORDER BY n`, household)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Kept
	for rows.Next() {
		k := Kept{Place: rein.Place{Household: household}}
		if err := rows.Scan(&k.ID, &k.Run, &k.User, &k.Session, &k.Path); err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return all, rows.Err()
}

// Erase removes what is kept, with all contents that nothing else names. What commands saw of the folders of these
// users goes too: the next command looks again. The files of the workspaces belong to their owner, and stay.
func Erase(ctx context.Context, tx rein.Tx, kept []Kept) error {
	users := map[[2]string]bool{}
	for _, k := range kept {
		if err := drop(ctx, tx, k.ID); err != nil {
			return err
		}
		users[[2]string{k.Household, k.User}] = true
	}
	for of := range users {
		if err := EraseUser(ctx, tx, of[0], of[1]); err != nil {
			return err
		}
	}
	return nil
}

// EraseUser removes what is kept for a user beside changes, as far as no command is running.
func EraseUser(ctx context.Context, tx rein.Tx, household, user string) error {
	if _, err := forgetTrees(ctx, tx, household, user, ""); err != nil {
		return err
	}
	return sweep(ctx, tx, household, user)
}

// maxWrong bounds how many damaged contents a verification names.
const maxWrong = 100

// Verify reads every content that is kept, and says which are not what their names say, and which are missing.
func Verify(ctx context.Context, tables store.Snapshots) (wrong []string, err error) {
	for after := int64(0); len(wrong) < maxWrong; {
		n, bad, err := verifyNext(ctx, tables, after)
		if err != nil || n == 0 {
			return wrong, err
		}
		if bad != "" {
			wrong = append(wrong, bad)
		}
		after = n
	}
	return wrong, nil
}

func verifyNext(ctx context.Context, tables store.Snapshots, after int64) (n int64, wrong string, err error) {
	err = tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT n, user_name, sha256, data FROM kept_contents WHERE n > ? ORDER BY n LIMIT 1`, after)
		if err != nil {
			return err
		}
		defer rows.Close()
		if !rows.Next() {
			return rows.Err()
		}
		var user, sum string
		var data []byte
		if err := rows.Scan(&n, &user, &sum, &data); err != nil {
			return err
		}
		if Sum(data) != sum {
			wrong = fmt.Sprintf("an earlier content of a file of %s, %.16s, is not what its name says", user, sum)
		}
		return nil
	})
	return n, wrong, err
}

// Size is what is kept in all.
type Size struct{ Changes, Contents, Bytes int64 }

// SizeOf counts what is kept, for whoever reads only.
func SizeOf(ctx context.Context, tables store.Snapshots) (s Size, err error) {
	err = tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT (SELECT count(*) FROM file_changes), count(*), coalesce(sum(length(data)), 0) FROM kept_contents`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := rows.Scan(&s.Changes, &s.Contents, &s.Bytes); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	return s, err
}
