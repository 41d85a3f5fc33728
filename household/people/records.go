package people

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"rein"
	"rein/store"
)

// records is one of the tables of people. All that changes them goes through its methods, which note
// each change in the chain.
type records struct {
	table   string
	key     []string
	columns []string // that the chain covers, the key among them
	loose   []string // that it does not: when a credential was last used
}

var (
	userRecords    = records{table: "users", key: []string{"household", "name"}, columns: []string{"household", "name", "role", "created", "disabled"}}
	tokenRecords   = records{table: "tokens", key: []string{"id"}, columns: []string{"id", "hash", "household", "user_name", "label", "scopes", "created", "expires", "revoked"}, loose: []string{"last_used"}}
	linkRecords    = records{table: "login_links", key: []string{"id"}, columns: []string{"id", "hash", "household", "user_name", "created", "expires", "used"}}
	browserRecords = records{table: "browsers", key: []string{"id"}, columns: []string{"id", "hash", "household", "user_name", "created", "expires", "revoked"}, loose: []string{"last_seen"}}
	inviteRecords  = records{table: "invites", key: []string{"id"}, columns: []string{"id", "hash", "household", "role", "user_name", "by_user", "created", "expires", "used"}}
	pairingRecords = records{table: "pairings", key: []string{"id"}, columns: []string{"id", "hash", "household", "user_name", "created", "expires"}}
	deviceRecords  = records{table: "devices", key: []string{"id"}, columns: []string{"id", "household", "user_name", "label", "came_by"}}
	ruleRecords    = records{table: "rules", key: []string{"id"}, columns: []string{"id", "household", "user_name", "workspace", "root", "tool", "scope", "session", "pattern", "ask", "by_user", "created", "revoked", "revoked_by"}}
	changeRecords  = records{table: "people_changes", key: []string{"n"}, columns: []string{"n", "household", "changed", "by_user", "via", "what", "on_user", "detail"}}
)

// allRecords is every table of people.
func allRecords() []records {
	return []records{userRecords, tokenRecords, linkRecords, browserRecords, changeRecords, ruleRecords, inviteRecords, pairingRecords, deviceRecords}
}

// A clause is a part of a statement with its arguments.
type clause struct {
	sql  string
	args []any
}

func with(sql string, args ...any) clause { return clause{sql, args} }

// name is what the chain calls a record of the table t: keys hold no slash.
func (r records) name() string {
	return "'" + r.table + "/' || t." + strings.Join(r.key, " || '/' || t.")
}

// insert adds a record: the values of its columns, and of those that the chain does not cover.
func (r records) insert(ctx context.Context, tx rein.Tx, c chain, values ...any) error {
	name, same := r.table, "1 = 1"
	for i, column := range r.key {
		name += fmt.Sprintf("/%v", values[i])
		same += " AND t." + column + " = ?"
	}
	if err := c.lost(ctx, tx, name); err != nil {
		return err
	}
	columns := append(append([]string{}, r.columns...), r.loose...)
	_, err := tx.ExecContext(ctx, `INSERT INTO `+r.table+` (`+strings.Join(columns, ", ")+`) VALUES (?`+strings.Repeat(", ?", len(columns)-1)+`)`, values...)
	if err != nil {
		return err
	}
	return c.seal(ctx, tx, r, with(same, values[:len(r.key)]...))
}

// update changes the records that a condition selects, and says how many there were.
func (r records) update(ctx context.Context, tx rein.Tx, c chain, change, where clause) (int, error) {
	names, err := c.before(ctx, tx, r, where)
	if err != nil || len(names) == 0 {
		return 0, err
	}
	args := append(append([]any{}, change.args...), where.args...)
	if _, err := tx.ExecContext(ctx, `UPDATE `+r.table+` SET `+change.sql+` WHERE `+where.sql, args...); err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := c.seal(ctx, tx, r, with(r.name()+" = ?", name)); err != nil {
			return 0, err
		}
	}
	return len(names), nil
}

// remove takes records out, and says how many there were.
func (r records) remove(ctx context.Context, tx rein.Tx, c chain, where clause) (int, error) {
	names, err := c.before(ctx, tx, r, where)
	if err != nil || len(names) == 0 {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM `+r.table+` WHERE `+where.sql, where.args...); err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := c.gone(ctx, tx, name); err != nil {
			return 0, err
		}
	}
	return len(names), nil
}

// A record is a row as the chain sees it.
type record struct {
	name string
	data []byte
	last *entry // its newest entry; nil: there is none
}

// read returns the records that a condition selects.
func (r records) read(ctx context.Context, q store.Query, where clause) (found []record, err error) {
	err = r.each(ctx, q, where, func(one record) {
		found = append(found, one)
	})
	return found, err
}

func (r records) each(ctx context.Context, q store.Query, where clause, do func(record)) error {
	rows, err := q.QueryContext(ctx, `SELECT `+r.name()+`, c.n, c.salt, c.digest, t.`+strings.Join(r.columns, ", t.")+
		` FROM `+r.table+` t LEFT JOIN people_chain c ON c.record = `+r.name()+` WHERE `+where.sql, where.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		one, err := r.scan(rows)
		if err != nil {
			return err
		}
		do(one)
	}
	return rows.Err()
}

func (r records) scan(rows *sql.Rows) (one record, err error) {
	values := make([]any, len(r.columns))
	var n sql.NullInt64
	var salt, digest []byte
	into := []any{&one.name, &n, &salt, &digest}
	for i := range values {
		into = append(into, &values[i])
	}
	if err := rows.Scan(into...); err != nil {
		return one, err
	}
	if n.Valid {
		one.last = &entry{n: n.Int64, salt: salt, digest: digest}
	}
	one.data, err = canonical(one.name, values)
	return one, err
}
