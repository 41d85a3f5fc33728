package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"rein"
	"rein/store"
)

// countingVersion says how accounts are counted. A file whose accounts were counted in another way has
// them counted again when it is opened.
const countingVersion = 1

// An owner is whose account it is.
type owner struct {
	household int64
	user      string
}

// A recount is the accounts as the other tables say they must be.
type recount struct {
	*snapshot
	tallies map[owner]*tally
	days    map[owner]map[int64]dayUse // over ones
	runs    map[int64]*recounted
}

type dayUse struct{ tokens, micros int64 }

// A recounted run is what must be known of a run to tell on which day it gives back.
type recounted struct {
	owner
	depth   int64
	started int64
	steps   map[string]int64 // when each last spent something
}

// count counts everything again.
func (v *snapshot) recount() (*recount, error) {
	c := &recount{snapshot: v, tallies: map[owner]*tally{}, days: map[owner]map[int64]dayUse{}, runs: map[int64]*recounted{}}
	for _, part := range []func() error{c.readRuns, c.readTexts, c.readEvents} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *recount) tally(o owner) *tally {
	if c.tallies[o] == nil {
		c.tallies[o] = &tally{}
	}
	return c.tallies[o]
}

func (c *recount) readRuns() error {
	return c.each(func(r *sql.Rows) error {
		var n, driven int64
		run := &recounted{}
		err := r.Scan(&n, &run.household, &run.user, &run.depth, &run.started, &driven)
		c.runs[n] = run
		c.tally(run.owner).driven += driven
		return err
	}, `SELECT r.n, s.household_n, s.user, r.depth, r.started, r.driven FROM runs r JOIN sessions s ON s.n = r.session_n`)
}

func (c *recount) readTexts() error {
	return c.each(func(r *sql.Rows) error {
		var run, bytes int64
		err := r.Scan(&run, &bytes)
		if of := c.runs[run]; of != nil {
			c.tally(of.owner).bytes += bytes
		}
		return err
	}, `SELECT f.run_n, sum(length(t.data)) FROM text_refs f JOIN texts t ON t.n = f.text_n GROUP BY f.run_n`)
}

// readEvents goes through all logs in the order in which they were written: hours and days begin with
// the first event that counts in them.
func (c *recount) readEvents() error {
	return c.each(func(r *sql.Rows) error {
		var run, at, bytes int64
		var kind rein.Kind
		var step, by string
		var spend []byte
		if err := r.Scan(&run, &kind, &step, &at, &by, &spend, &bytes); err != nil {
			return err
		}
		of := c.runs[run]
		if of == nil {
			return nil // damaged; verify says so
		}
		c.tally(of.owner).bytes += eventBytes + bytes
		c.countFrame(of, kind, by, at)
		amount, err := unpackAmount(spend)
		if err == nil && spend != nil && kind != rein.StepRenewed { // which is of time alone
			c.countSpend(of, step, amount, at)
		}
		if kind.Ends() {
			of.steps = nil
		}
		return nil // an amount that cannot be read is damage too
	}, `SELECT run_n, kind, step, at, by, spend, coalesce(length(data), 0) FROM events ORDER BY n`)
}

func (c *recount) countFrame(of *recounted, kind rein.Kind, by string, at int64) {
	who := of.owner
	switch {
	case kind == rein.RunStarted && of.depth == 0:
	case isFrame(kind.Command()):
		if by != "" {
			who.user = by
		}
	default:
		return
	}
	c.change(who, rein.Quota{Frames: 1}, at)
}

func (c *recount) countSpend(of *recounted, step string, a rein.Amount, at int64) {
	q := rein.Quota{Tokens: a.Tokens, Micros: a.Micros}
	if q != (rein.Quota{}) {
		if store.Day(micros(of.started)) < store.Day(micros(at)) && (q.Tokens < 0 || q.Micros < 0) {
			c.giveBack(of, step, min(q.Tokens, 0), min(q.Micros, 0), at)
			q = rein.Quota{Tokens: max(q.Tokens, 0), Micros: max(q.Micros, 0)}
		}
		c.change(of.owner, q, at)
	}
	if of.steps == nil {
		of.steps = map[string]int64{}
	}
	of.steps[step] = at
}

// change is the writer's.
func (c *recount) change(o owner, q rein.Quota, at int64) {
	t := c.tally(o)
	if now := t.at(store.Hour(micros(at)), store.Day(micros(at))); now != *t {
		if now.day != t.day {
			c.addDay(o, t.day, t.tokens, t.micros)
		}
		*t = now
	}
	t.add(q)
}

// giveBack is the writer's.
func (c *recount) giveBack(of *recounted, step string, tokens, money, at int64) {
	reserved, ok := of.steps[step]
	switch {
	case step == "":
		reserved = of.started
	case !ok:
		reserved = at
	}
	c.change(of.owner, rein.Quota{}, at)
	if t, day := c.tally(of.owner), store.Day(micros(reserved)); day < t.day {
		c.addDay(of.owner, day, tokens, money)
	} else {
		t.add(rein.Quota{Tokens: tokens, Micros: money})
	}
}

func (c *recount) addDay(o owner, day, tokens, money int64) {
	if tokens == 0 && money == 0 {
		return
	}
	if c.days[o] == nil {
		c.days[o] = map[int64]dayUse{}
	}
	was := c.days[o][day]
	c.days[o][day] = dayUse{was.tokens + tokens, was.micros + money}
}

// keptTables is what is kept beside logs.
const keptTables = `SELECT household, user_name, size AS bytes FROM session_files
	UNION ALL SELECT household, user_name, length(base) + length(content) FROM staged_notes
	UNION ALL SELECT c.household, c.user_name, length(f.before) + length(f.after) FROM note_commit_files f JOIN note_commits c ON c.token = f.token
	UNION ALL SELECT household, user_name, length(data) FROM kept_contents`

// buildAccounts counts the accounts of a file that has none yet, or again, and lets go of the runs that a process
// which is gone was driving.
func buildAccounts(ctx context.Context, db *sql.DB, again bool) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, statement := range []string{
		`UPDATE runs SET driven = 0 WHERE driven <> 0 AND n IN (` + unfinishedRuns + `)`,
		`UPDATE accounts SET driven = 0 WHERE driven <> 0`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	var version int64
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM accounts_built`).Scan(&version); err != nil {
		return err
	}
	if again || version != countingVersion {
		if err := rebuildAccounts(ctx, tx); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func rebuildAccounts(ctx context.Context, tx *sql.Tx) error {
	c, err := (&snapshot{ctx: ctx, tx: tx}).recount()
	if err != nil {
		return err
	}
	exec := func(err error, statement string, args ...any) error {
		if err == nil {
			_, err = tx.ExecContext(ctx, statement, args...)
		}
		return err
	}
	err = exec(emptyViews(ctx, tx), `DELETE FROM account_days`)
	err = exec(err, `DELETE FROM accounts`)
	err = exec(err, `DELETE FROM kept_bytes`)
	err = exec(err, `INSERT INTO kept_bytes SELECT household, user_name, sum(bytes) FROM (`+keptTables+`) GROUP BY household, user_name`)
	for o, t := range c.tallies {
		err = exec(err, `INSERT INTO accounts (household_n, user, driven, bytes, hour, frames, day, tokens, micros) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			o.household, o.user, t.driven, t.bytes, t.hour, t.frames, t.day, t.tokens, t.micros)
		for day, use := range c.days[o] {
			err = exec(err, `INSERT INTO account_days SELECT n, ?, ?, ? FROM accounts WHERE household_n = ? AND user = ?`,
				day, use.tokens, use.micros, o.household, o.user)
		}
	}
	err = exec(err, `DELETE FROM accounts_built`)
	return exec(err, `INSERT INTO accounts_built VALUES (?)`, countingVersion)
}

// VerifyAccounts implements store.Accounts.
func (s *Store) VerifyAccounts(ctx context.Context) (wrong []string, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		c, err := v.recount()
		if err != nil {
			return err
		}
		a := &accountAudit{recount: c, names: map[int64]string{}}
		for _, part := range []func() error{a.readNames, a.compareRows, a.compareDays, a.compareKept, a.compareViews} {
			if err := part(); err != nil {
				return err
			}
		}
		wrong = a.wrong
		return nil
	})
	return wrong, err
}

// An accountAudit compares the accounts with a recount.
type accountAudit struct {
	*recount
	names map[int64]string // of households
	wrong []string
}

func (a *accountAudit) say(o owner, format string, args ...any) {
	if len(a.wrong) < maxWrong {
		a.wrong = append(a.wrong, fmt.Sprintf("account of %q in household %q: ", o.user, a.names[o.household])+fmt.Sprintf(format, args...))
	}
}

func (a *accountAudit) readNames() error {
	return a.each(func(r *sql.Rows) error {
		var n int64
		var name string
		err := r.Scan(&n, &name)
		a.names[n] = name
		return err
	}, `SELECT n, name FROM households`)
}

func (a *accountAudit) compareRows() error {
	return a.eachAccount(func(o owner, t tally) {
		want := tally{}
		if counted := a.tallies[o]; counted != nil {
			want = *counted
		}
		delete(a.tallies, o)
		if t.day > want.day { // the writer saw the new day by something that no day counts
			a.addDay(o, want.day, want.tokens, want.micros)
			want = want.at(t.hour, t.day)
		}
		if o.user == "" { // what is no user's is in no log
			want.day, want.tokens, want.micros = t.day, t.tokens, t.micros
		}
		if t.driven != want.driven || t.bytes != want.bytes {
			a.say(o, "it has %d runs under way and %d bytes of logs; there are %d and %d", t.driven, t.bytes, want.driven, want.bytes)
		}
		if t.at(want.hour, t.day) != want.at(t.hour, want.day) {
			a.say(o, "hour %d has %d frames and day %d %d tokens and %d micros; the logs have %d, %d, %d, %d and %d",
				t.hour, t.frames, t.day, t.tokens, t.micros, want.hour, want.frames, want.day, want.tokens, want.micros)
		}
	})
}

// eachAccount yields the rows, and then the owners without one.
func (a *accountAudit) eachAccount(do func(owner, tally)) error {
	err := a.each(func(r *sql.Rows) error {
		var o owner
		var t tally
		err := r.Scan(&o.household, &o.user, &t.driven, &t.bytes, &t.hour, &t.frames, &t.day, &t.tokens, &t.micros)
		if err == nil {
			do(o, t)
		}
		return err
	}, `SELECT household_n, user, driven, bytes, hour, frames, day, tokens, micros FROM accounts`)
	for o := range a.tallies {
		a.say(o, "it is missing")
	}
	return err
}

func (a *accountAudit) compareDays() error {
	rows := map[owner]map[int64]dayUse{}
	err := a.each(func(r *sql.Rows) error {
		var o owner
		var day int64
		var use dayUse
		err := r.Scan(&o.household, &o.user, &day, &use.tokens, &use.micros)
		if rows[o] == nil {
			rows[o] = map[int64]dayUse{}
		}
		if use != (dayUse{}) && o.user != "" {
			rows[o][day] = use
		}
		return err
	}, `SELECT a.household_n, a.user, d.day, d.tokens, d.micros FROM account_days d JOIN accounts a ON a.n = d.account_n`)
	for o, days := range a.days {
		for day, use := range days {
			if got := rows[o][day]; got != use {
				a.say(o, "day %d has %d tokens and %d micros; the logs have %d and %d", day, got.tokens, got.micros, use.tokens, use.micros)
			}
		}
	}
	for o, days := range rows {
		for _, day := range slices.Sorted(maps.Keys(days)) {
			if _, counted := a.days[o][day]; !counted {
				a.say(o, "the logs have nothing of day %d", day)
			}
		}
	}
	return err
}

func (a *accountAudit) compareKept() error {
	return a.each(func(r *sql.Rows) error {
		var household, user string
		var has, should int64
		err := r.Scan(&household, &user, &has, &should)
		if err == nil && has != should && len(a.wrong) < maxWrong {
			a.wrong = append(a.wrong, fmt.Sprintf("account of %q in household %q: it has %d bytes of files and notes; there are %d", user, household, has, should))
		}
		return err
	}, `SELECT household, user_name, sum(has), sum(should) FROM (
		SELECT household, user_name, bytes AS has, 0 AS should FROM kept_bytes
		UNION ALL SELECT household, user_name, 0, bytes FROM (`+keptTables+`)
	) GROUP BY household, user_name`)
}
