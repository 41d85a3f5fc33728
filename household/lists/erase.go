package lists

import (
	"context"
	"database/sql"
	"time"

	"rein"
	"rein/store"
)

// Kept is one row of a household, for an erasure: an item, or the list itself if Item is empty.
type Kept struct {
	List, Item string
	User       string // who added or made it
	Wrote      string // whose words it has
	Run        rein.RunID
	Text       string
	At         time.Time
}

// IsOf reports whether the words of a row are a user's.
func (k Kept) IsOf(user string) bool { return user != "" && (k.User == user || k.Wrote == user) }

// KeptOf returns all rows of a household.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Kept, error) {
	return rowsOf(ctx, q, func(rows *sql.Rows) (k Kept, err error) {
		var at int64
		err = rows.Scan(&k.List, &k.Item, &k.User, &k.Wrote, &k.Run, &k.Text, &at)
		k.At = timeOf(at)
		return k, err
	}, `SELECT id, '', maker, named_by, run, name, created FROM lists WHERE household = ?
		UNION ALL SELECT i.list, i.id, i.by_user, i.wrote, i.run, i.text, i.added FROM list_items i JOIN lists l ON l.id = i.list WHERE l.household = ?
		ORDER BY 1, 2`, household, household)
}

// Erase removes rows, in the transaction of an erasure. A list that others have something on stays, without its name.
func Erase(ctx context.Context, tx rein.Tx, gone []Kept) error {
	for _, k := range gone {
		if k.Item != "" {
			if _, err := tx.ExecContext(ctx, `DELETE FROM list_items WHERE id = ?`, k.Item); err != nil {
				return err
			}
		}
	}
	for _, k := range gone {
		if k.Item != "" {
			continue
		}
		for _, query := range []string{
			`DELETE FROM lists WHERE id = ? AND NOT EXISTS (SELECT 1 FROM list_items WHERE list = lists.id)`,
			`UPDATE lists SET maker = '', named_by = '', run = '', name = CASE kind WHEN 'groceries' THEN 'Groceries' ELSE id END, key = CASE kind WHEN 'groceries' THEN 'groceries' ELSE id END,
				version = version + 1 WHERE id = ?`,
		} {
			if _, err := tx.ExecContext(ctx, query, k.List); err != nil {
				return err
			}
		}
	}
	return nil
}

// EraseUser removes who did what on the items of others.
func EraseUser(ctx context.Context, tx rein.Tx, household, user string) error {
	_, err := tx.ExecContext(ctx, `UPDATE list_items SET done_by = '' WHERE done_by = ? AND list IN (SELECT id FROM lists WHERE household = ?)`, user, household)
	return err
}
