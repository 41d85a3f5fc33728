package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
)

// The statements of the writer, compiled once.
type statements struct {
	begin, commitAll, rollbackAll          change
	savepoint, releasePoint, rollbackPoint change
	addRun, setSeq, setHead, setMode       change
	addEvents                              [maxRows]change // one row, two rows …
	addText, addTextRef                    change
	addSession, startSession, touchSession change
	addOwnSession                          change
	addHousehold                           change
	addAsk, setAsk                         change
	addCommand, setReceipt, closeReceipts  change
	addAccount, setAccount, addAccountDay  change
	addViewAsk, addViewEnd                 change

	findRun, getHead, openRuns, getInfo, getText, findText *sql.Stmt
	openOfSession                                          *sql.Stmt
	getLedger, getSession, getHousehold, getActive         *sql.Stmt
	getAsk, pendingAsks, getKey, getEnding                 *sql.Stmt
	getHouseName, getAccounts, getKept, getReserved        *sql.Stmt

	changes []driver.Stmt
}

// A change is a statement that writes. It is the driver's own: database/sql would look at every argument and
// copy it, for every event.
type change = driver.StmtExecContext

// maxRows is how many events one statement adds.
const maxRows = 8

// insertEvents does not undo the rows before one that cannot be added (OR FAIL): the request is refused then,
// and with it they go. Otherwise SQLite would keep a copy of each page it changes, for each statement.
const (
	insertEvents = `INSERT OR FAIL INTO events (run_n, by, seq, kind, step, at, spend, salt, data, hash) VALUES `
	eventRow     = `(?1, ?, ?, ?, ?, ?, ?, ?, ?, ?)` // all rows of a statement are of one run
)

func prepare(ctx context.Context, conn *sql.Conn) (*statements, error) {
	st := &statements{}
	err := conn.Raw(func(c any) error { return st.prepareChanges(ctx, c.(driver.ConnPrepareContext)) })
	if err == nil {
		err = st.prepareQueries(ctx, conn)
	}
	if err != nil {
		return nil, errors.Join(err, st.close())
	}
	return st, nil
}

// close frees the changes. Without it the connection would stay open, and with it the file.
func (st *statements) close() error {
	var errs []error
	for _, s := range st.changes {
		errs = append(errs, s.Close())
	}
	st.changes = nil
	return errors.Join(errs...)
}

func (st *statements) prepareChanges(ctx context.Context, conn driver.ConnPrepareContext) error {
	for i := range st.addEvents {
		if err := st.change(ctx, conn, &st.addEvents[i], insertEvents+eventRow+strings.Repeat(`, `+eventRow, i)); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		at  *change
		sql string
	}{
		{&st.begin, `BEGIN IMMEDIATE`},
		{&st.commitAll, `COMMIT`},
		{&st.rollbackAll, `ROLLBACK`},
		{&st.savepoint, `SAVEPOINT request`},
		{&st.releasePoint, `RELEASE request`},
		{&st.rollbackPoint, `ROLLBACK TO request`},
		{&st.addRun, `INSERT INTO runs (id, session_n, depth, done, status, ending, epoch, seq, command, started, changed, wake_at, erased, hash, digest, flow, title, driven, cap, cap_depth, used, overrun, workspace)
			VALUES (?, ?, ?, 0, ?, '', ?, ?, 0, ?, ?, ?, 0, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)`},
		// These are apart because an append that does not park must not touch an index.
		{&st.setSeq, `UPDATE runs SET seq = ?, hash = ?, changed = ?, used = coalesce(?, used), overrun = coalesce(?, overrun) WHERE n = ?`},
		{&st.setHead, `UPDATE runs SET seq = ?, hash = ?, changed = ?, done = ?, status = ?, ending = ?, paused = ?, epoch = ?, command = ?, wake_at = ?, driven = ?,
			used = coalesce(?, used), overrun = coalesce(?, overrun), outcome = coalesce(?, outcome) WHERE n = ?`},
		{&st.setMode, `UPDATE runs SET mode = ?, mode_at = ? WHERE n = ?`},
		{&st.addText, `INSERT INTO texts (household_n, hash, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`},
		{&st.addTextRef, `INSERT INTO text_refs (run_n, text_n) VALUES (?, ?) ON CONFLICT DO NOTHING`},
		{&st.addSession, `INSERT INTO sessions (id, household_n, user, started, changed, runs) VALUES (?1, ?2, ?3, ?4, ?4, 1) ON CONFLICT DO NOTHING`},
		// It is that of a root, and so is its ID.
		{&st.addOwnSession, `INSERT INTO sessions (id, household_n, user, started, changed, runs)
			SELECT ?1, ?2, ?3, ?4, ?4, 1 WHERE NOT EXISTS (SELECT 1 FROM runs WHERE id = ?1) ON CONFLICT DO NOTHING`},
		{&st.startSession, `UPDATE sessions SET changed = ?, runs = runs + 1 WHERE n = ?`},
		{&st.touchSession, `UPDATE sessions SET changed = ? WHERE n = ?`},
		{&st.addHousehold, `INSERT INTO households (name) VALUES (?) ON CONFLICT DO NOTHING`},
		{&st.addAsk, `INSERT INTO asks (id, run_n, state, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`},
		{&st.setAsk, `UPDATE asks SET state = ?, data = ? WHERE id = ? AND state = 'pending'`},
		{&st.addViewAsk, `INSERT OR IGNORE INTO view_asks SELECT ?1, u.user, ?3, a.n
			FROM (SELECT '' AS user UNION SELECT ?2 UNION SELECT ?4) u CROSS JOIN asks a WHERE a.id = +?5`},
		{&st.addViewEnd, `INSERT OR IGNORE INTO view_ends VALUES (?, ?, ?, ?)`},
		{&st.addCommand, `INSERT INTO commands (run_n, seq, key, digest, kind, by, state, step, started) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '')`},
		{&st.setReceipt, `UPDATE commands SET state = ?, step = ?, started = ?, reason = ? WHERE run_n = ? AND seq = ? AND state = 'pending'`},
		{&st.closeReceipts, `UPDATE commands SET state = 'not applied', reason = ? WHERE run_n = ? AND state = 'pending'`},
		{&st.addAccount, `INSERT INTO accounts (household_n, user, driven, bytes, hour, frames, day, tokens, micros) VALUES (?, ?, 0, 0, 0, 0, 0, 0, 0)`},
		{&st.setAccount, `UPDATE accounts SET driven = ?, bytes = ?, hour = ?, frames = ?, day = ?, tokens = ?, micros = ? WHERE n = ?`},
		{&st.addAccountDay, `INSERT INTO account_days (account_n, day, tokens, micros) VALUES (?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, micros = micros + excluded.micros`},
	} {
		if err := st.change(ctx, conn, s.at, s.sql); err != nil {
			return err
		}
	}
	return nil
}

func (st *statements) change(ctx context.Context, conn driver.ConnPrepareContext, at *change, sql string) error {
	s, err := conn.PrepareContext(ctx, sql)
	if err != nil {
		return fmt.Errorf("prepare %q: %w", sql, err)
	}
	st.changes = append(st.changes, s)
	*at = s.(change)
	return nil
}

func (st *statements) prepareQueries(ctx context.Context, conn *sql.Conn) error {
	for _, s := range []struct {
		at  **sql.Stmt
		sql string
	}{
		{&st.findRun, `SELECT n FROM runs WHERE id = ?`},
		{&st.getHead, `SELECT r.n, r.session_n, s.household_n, s.user, r.done, r.status, r.ending, r.paused, r.mode, r.epoch, r.seq, r.command, r.wake_at, r.started, r.changed, r.hash, r.digest, r.driven
			FROM runs r JOIN sessions s ON s.n = r.session_n WHERE r.id = +?`},
		{&st.openRuns, `SELECT id FROM runs WHERE id > ?1 || '.' AND id < ?1 || '/' AND done = 0 ORDER BY id`},
		{&st.openOfSession, `SELECT id FROM runs WHERE session_n = ? AND done = 0 ORDER BY id`},
		{&st.getLedger, `SELECT cap, cap_depth, used, overrun FROM runs WHERE n = ? AND cap IS NOT NULL`},
		{&st.getSession, `SELECT s.n, s.household_n, h.name, s.user FROM sessions s JOIN households h ON h.n = s.household_n WHERE s.id = +?`},
		{&st.getHousehold, `SELECT n FROM households WHERE name = ?`},
		{&st.getActive, `SELECT id FROM runs WHERE session_n = ? AND done = 0 AND depth = 0 ORDER BY n DESC LIMIT 1`},
		{&st.getAsk, `SELECT data FROM asks WHERE id = ? AND run_n = ?`},
		{&st.pendingAsks, `SELECT data FROM asks WHERE run_n = ? AND state = 'pending'`},
		{&st.getKey, `SELECT seq, digest, kind, state, step, started, reason FROM commands WHERE run_n = ? AND key = ?`},
		{&st.getInfo, selectRuns + ` WHERE r.id = +?`},
		{&st.getText, selectText},
		{&st.findText, `SELECT n FROM texts WHERE household_n = ? AND hash = ?`},
		{&st.getHouseName, `SELECT name FROM households WHERE n = ?`},
		{&st.getAccounts, `SELECT n, user, driven, bytes, hour, frames, day, tokens, micros FROM accounts WHERE household_n = ?`},
		{&st.getKept, `SELECT user_name, bytes FROM kept_bytes WHERE household = ?`},
		{&st.getReserved, `SELECT at FROM events WHERE run_n = ? AND step = ? AND spend IS NOT NULL AND kind <> 'step.renewed' ORDER BY seq DESC LIMIT 1`},
		{&st.getEnding, `SELECT coalesce(max(seq), 0) FROM commands WHERE run_n = ? AND kind = ?`},
	} {
		stmt, err := conn.PrepareContext(ctx, s.sql)
		if err != nil {
			return fmt.Errorf("prepare %q: %w", s.sql, err)
		}
		*s.at = stmt
	}
	return nil
}
