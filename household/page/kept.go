package page

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"rein"
	"rein/store"
)

// A Kept is the object that a web page keeps for a user. Nothing else reads it.
type Kept struct {
	User    string
	Data    json.RawMessage
	Changed time.Time // zero: the page has kept nothing
}

// MaxKept is how many bytes the object may have.
const MaxKept = 64 << 10

// Kept returns what the page keeps for a user; an empty object if it is nothing.
func (b Book) Kept(ctx context.Context, household, user string) (kept Kept, err error) {
	kept = Kept{User: user, Data: json.RawMessage(`{}`)}
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		return each(ctx, q, func(rows *sql.Rows) error {
			var data string
			var changed int64
			err := rows.Scan(&data, &changed)
			kept.Data, kept.Changed = json.RawMessage(data), time.UnixMicro(changed).UTC()
			return err
		}, `SELECT data, changed FROM user_pages WHERE household = ? AND user_name = ?`, household, user)
	})
	return kept, err
}

// Keep keeps an object for a user, in place of the one before.
func (b Book) Keep(ctx context.Context, household, user string, data json.RawMessage) error {
	var object map[string]json.RawMessage
	switch err := json.Unmarshal(data, &object); {
	case len(data) > MaxKept:
		return rein.Errorf(rein.CodeInvalid, "the page has %d bytes; at most %d are kept", len(data), MaxKept)
	case err != nil || object == nil:
		return rein.Errorf(rein.CodeInvalid, "page must be a JSON object: send {\"page\": {…}}")
	}
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO user_pages (household, user_name, data, changed) VALUES (?, ?, ?, ?)
			ON CONFLICT (household, user_name) DO UPDATE SET data = excluded.data, changed = excluded.changed`,
			household, user, string(data), time.Now().UnixMicro())
		return err
	})
}

// UsersOf returns the users of a household for whom the page keeps something, for an erasure.
func UsersOf(ctx context.Context, q store.Query, household string) (users []string, err error) {
	err = each(ctx, q, func(rows *sql.Rows) error {
		var user string
		err := rows.Scan(&user)
		users = append(users, user)
		return err
	}, `SELECT user_name FROM user_pages WHERE household = ? ORDER BY user_name`, household)
	return users, err
}

// EraseUser removes what the page keeps for a user, in the transaction of an erasure.
func EraseUser(ctx context.Context, tx rein.Tx, household, user string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM user_pages WHERE household = ? AND user_name = ?`, household, user)
	return err
}
