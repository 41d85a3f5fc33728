package post

import (
	"context"
	"database/sql"
	"time"

	"rein"
	"rein/store"
)

// A Kept is a message as its reader finds it.
type Kept struct {
	Message
	Seen time.Time // when they have read it; zero: not yet
}

// A Book reads messages and marks them as read.
type Book struct{ Tables store.Tables }

// Filter narrows a list of messages of one user.
type Filter struct {
	Household, User string
	Unread          bool
	Before          string // the ID of a message: only what is older
	Limit           int    // zero: all
}

// List returns messages of a user, the newest first.
func (b Book) List(ctx context.Context, f Filter) (found []Kept, err error) {
	where, args := "household = ? AND user_name = ?", []any{f.Household, f.User}
	if f.Unread {
		where += " AND seen = 0"
	}
	if f.Before != "" {
		where += ` AND EXISTS (SELECT 1 FROM messages b WHERE b.id = ? AND b.household = messages.household AND b.user_name = messages.user_name
			AND (messages.created < b.created OR messages.created = b.created AND messages.id < b.id))`
		args = append(args, f.Before)
	}
	where += " ORDER BY created DESC, id DESC"
	if f.Limit > 0 {
		where += " LIMIT ?"
		args = append(args, f.Limit)
	}
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = list(ctx, q, where, args...)
		return err
	})
	return found, err
}

// See marks messages of a user as read, or all of them if no ID is given. One that is not there, or somebody else's, is
// CodeNotFound, and then none is marked.
func (b Book) See(ctx context.Context, household, user string, ids []string, at time.Time) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if len(ids) == 0 {
			_, err := tx.ExecContext(ctx, `UPDATE messages SET seen = ? WHERE household = ? AND user_name = ? AND seen = 0`, at.UnixMicro(), household, user)
			return err
		}
		for _, id := range ids {
			done, err := tx.ExecContext(ctx, `UPDATE messages SET seen = CASE seen WHEN 0 THEN ? ELSE seen END WHERE household = ? AND user_name = ? AND id = ?`,
				at.UnixMicro(), household, user, id)
			if err != nil {
				return err
			}
			if n, err := done.RowsAffected(); err != nil || n == 0 {
				return rein.Errorf(rein.CodeNotFound, "there is no message %.200q", id)
			}
		}
		return nil
	})
}

// Get returns a message, whoever it is for.
func Get(ctx context.Context, q store.Query, id string) (m Kept, found bool, err error) {
	all, err := list(ctx, q, "id = ?", id)
	if err != nil || len(all) == 0 {
		return m, false, err
	}
	return all[0], true, nil
}

// New returns the messages whose deliveries are not written yet, a part of them if there are many.
func New(ctx context.Context, q store.Query) ([]Kept, error) {
	return list(ctx, q, "gathered = 0 ORDER BY id LIMIT 100")
}

// Gathered says that the deliveries of a message are written.
func Gathered(ctx context.Context, tx rein.Tx, id string) error {
	_, err := tx.ExecContext(ctx, `UPDATE messages SET gathered = 1 WHERE id = ?`, id)
	return err
}

// Unanswered returns the messages about asks that nobody has read.
func Unanswered(ctx context.Context, q store.Query) ([]Kept, error) {
	return list(ctx, q, "ask <> '' AND seen = 0")
}

// Close marks a message as read because what it is about is over.
func Close(ctx context.Context, tx rein.Tx, id string, at time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE messages SET seen = ? WHERE id = ? AND seen = 0`, at.UnixMicro(), id)
	return err
}

// KeptOf returns the messages of a household, for an erasure.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Kept, error) {
	return list(ctx, q, "household = ? ORDER BY created, id", household)
}

// Erase removes messages, in the transaction of an erasure.
func Erase(ctx context.Context, tx rein.Tx, gone []Kept) error {
	for _, m := range gone {
		if _, err := tx.ExecContext(ctx, `DELETE FROM messages WHERE id = ?`, m.ID); err != nil {
			return err
		}
	}
	return nil
}

func list(ctx context.Context, q store.Query, where string, args ...any) ([]Kept, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, household, user_name, kind, text, session, run, ask, urgent, created, seen FROM messages WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Kept
	for rows.Next() {
		m, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, rows.Err()
}

func scan(rows *sql.Rows) (m Kept, err error) {
	var urgent, created, seen int64
	err = rows.Scan(&m.ID, &m.Household, &m.User, &m.Kind, &m.Text, &m.Session, &m.Run, &m.Ask, &urgent, &created, &seen)
	m.Urgent, m.At = urgent != 0, time.UnixMicro(created).UTC()
	if seen != 0 {
		m.Seen = time.UnixMicro(seen).UTC()
	}
	return m, err
}
