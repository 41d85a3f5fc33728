package telegram

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"rein"
	"rein/follow/talk"
	"rein/store"
)

// A row is a post as it is kept: without its words.
type row struct {
	bot, chat       int64
	key             string
	household, user string
	run             rein.RunID
	ask             rein.AskID
	shown, nonce    string
	expires         time.Time
	known, message  int64
	closed          bool
}

const selectPosts = `SELECT bot, chat, key, household, user_name, run, ask, shown, nonce, expires, known, message, closed FROM telegram_posts WHERE `

func posts(ctx context.Context, q store.Query, where string, args ...any) ([]row, error) {
	return list(ctx, q, func(rows *sql.Rows) (r row, err error) {
		var expires, closed int64
		err = rows.Scan(&r.bot, &r.chat, &r.key, &r.household, &r.user, &r.run, &r.ask, &r.shown, &r.nonce, &expires, &r.known, &r.message, &closed)
		r.expires, r.closed = time.UnixMicro(expires), closed != 0
		return r, err
	}, selectPosts+where, args...)
}

// A follow says that what becomes of a run is shown in a chat.
type follow struct {
	chat            int64
	run             rein.RunID
	command         rein.CommandID
	household, user string
	since           time.Time
}

func follows(ctx context.Context, q store.Query, where string, args ...any) ([]follow, error) {
	return list(ctx, q, func(rows *sql.Rows) (f follow, err error) {
		var since int64
		err = rows.Scan(&f.chat, &f.run, &f.command, &f.household, &f.user, &since)
		f.since = time.UnixMicro(since)
		return f, err
	}, `SELECT chat, run, command, household, user_name, since FROM telegram_talks WHERE `+where, args...)
}

func list[T any](ctx context.Context, q store.Query, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// read runs one query on a snapshot.
func read[T any](ctx context.Context, b *Bot, find func(context.Context, store.Query, string, ...any) ([]T, error), where string, args ...any) (found []T, err error) {
	err = b.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = find(ctx, q, where, args...)
		return err
	})
	return found, err
}

// write runs statements in one transaction, in order, whatever becomes of the one who wants it.
func (b *Bot) write(ctx context.Context, do ...statement) error {
	return b.opts.Store.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx rein.Tx) error {
		for _, s := range do {
			if _, err := tx.ExecContext(ctx, s.query, s.args...); err != nil {
				return err
			}
		}
		return nil
	})
}

type statement struct {
	query string
	args  []any
}

func run(query string, args ...any) statement { return statement{query, args} }

// next returns the first update that is not handled.
func (b *Bot) next(ctx context.Context, bot int64) (next int64, err error) {
	found, err := read(ctx, b, func(ctx context.Context, q store.Query, where string, args ...any) ([]int64, error) {
		return list(ctx, q, func(rows *sql.Rows) (n int64, err error) { return n, rows.Scan(&n) }, `SELECT next FROM telegram_bots WHERE `+where, args...)
	}, "bot = ?", bot)
	if len(found) > 0 {
		next = found[0]
	}
	return next, err
}

// setNext says that the updates before are handled. It never goes back.
func (b *Bot) setNext(ctx context.Context, bot, next int64) error {
	return b.write(ctx, run(`INSERT INTO telegram_bots (bot, next) VALUES (?, ?) ON CONFLICT (bot) DO UPDATE SET next = max(next, excluded.next)`, bot, next))
}

// An intent is an update that is being handled: it is written before anything follows from it.
type intent struct {
	bot, update     int64
	chat, message   int64
	household, user string
	session         string
}

// intend writes an intent, unless it is there: then again is true, and the session is the one that was chosen before.
func (b *Bot) intend(ctx context.Context, in intent, session func() (string, error)) (_ intent, again bool, err error) {
	known, err := read(ctx, b, intents, "bot = ? AND update_id = ?", in.bot, in.update)
	if err != nil {
		return in, false, err
	}
	if len(known) > 0 {
		return known[0], true, nil
	}
	if in.session, err = session(); err != nil {
		return in, false, err
	}
	return in, false, b.write(ctx, in.insert(b.now()))
}

func (in intent) insert(now time.Time) statement {
	return run(`INSERT INTO telegram_updates (bot, update_id, chat, message, household, user_name, session, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		in.bot, in.update, in.chat, in.message, in.household, in.user, in.session, now.UnixMicro())
}

func intents(ctx context.Context, q store.Query, where string, args ...any) ([]intent, error) {
	return list(ctx, q, func(rows *sql.Rows) (in intent, err error) {
		return in, rows.Scan(&in.bot, &in.update, &in.chat, &in.message, &in.household, &in.user, &in.session)
	}, `SELECT bot, update_id, chat, message, household, user_name, session FROM telegram_updates WHERE `+where, args...)
}

// last returns the ask that was the last thing that a chat showed before a message of its person; the zero value: it was
// something else. Numbers of messages go up with time.
func (b *Bot) last(ctx context.Context, bot, chat, message int64) (talk.Slip, error) {
	found, err := read(ctx, b, posts, "bot = ? AND chat = ? AND message > 0 AND message < ? ORDER BY message DESC LIMIT 1", bot, chat, message)
	if err != nil || len(found) == 0 {
		return talk.Slip{}, err
	}
	return talk.Slip{Ask: found[0].ask, Shown: found[0].shown}, nil
}

// newest returns the newest message that is known. People's chats are numbered together, each group by itself.
func newest(ctx context.Context, q store.Query, bot, chat int64) (int64, error) {
	where := "chat = ?"
	if chat > 0 {
		where = "chat > 0 AND ? <> 0"
	}
	found, err := list(ctx, q, func(rows *sql.Rows) (n int64, err error) { return n, rows.Scan(&n) },
		`SELECT max(n) FROM (SELECT coalesce(max(message), 0) AS n FROM telegram_posts WHERE bot = ? AND `+where+`
			UNION ALL SELECT coalesce(max(message), 0) FROM telegram_updates WHERE bot = ? AND `+where+`) AS both_of_them`, bot, chat, bot, chat)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0], nil
}

// How long what is over stays: long enough to recognise what Telegram sends again, and to know old buttons.
const (
	keepUpdates = 7 * 24 * time.Hour
	keepPosts   = 30 * 24 * time.Hour
)

func (b *Bot) prune(ctx context.Context) error {
	now := b.now()
	return b.write(ctx,
		run(`DELETE FROM telegram_updates WHERE at < ?`, now.Add(-keepUpdates).UnixMicro()),
		run(`DELETE FROM telegram_posts WHERE at < ? AND (closed = 1 OR ask = '')`, now.Add(-keepPosts).UnixMicro()),
		run(`DELETE FROM pairing_codes WHERE expires < ?`, now.UnixMicro()))
}

// A Kept is something that is kept of a person, for an erasure: where they talked, what they were shown, codes for them.
type Kept struct {
	table, key      string
	id              int64
	Household, User string
	Run             rein.RunID
	Session         string
}

// Name says what it is.
func (k Kept) Name() string {
	switch k.table {
	case "pairing_codes":
		return "a code that pairs a chat"
	case "telegram_updates":
		return fmt.Sprintf("message %d from Telegram", k.id)
	case "telegram_talks":
		return "run " + k.key + " in Telegram"
	}
	return "what Telegram was shown: " + k.key
}

// KeptOf returns what is kept of a household, for an erasure.
func KeptOf(ctx context.Context, q store.Query, household string) (all []Kept, err error) {
	for _, query := range []string{
		`SELECT 'pairing_codes', lower(hex(sha256)), 0, household, user_name, '', '' FROM pairing_codes WHERE household = ?`,
		`SELECT 'telegram_updates', CAST(bot AS TEXT), update_id, household, user_name, '', session FROM telegram_updates WHERE household = ?`,
		`SELECT 'telegram_talks', run, chat, household, user_name, run, '' FROM telegram_talks WHERE household = ?`,
		`SELECT 'telegram_posts', key, chat, household, user_name, run, '' FROM telegram_posts WHERE household = ?`,
	} {
		found, err := list(ctx, q, func(rows *sql.Rows) (k Kept, err error) {
			return k, rows.Scan(&k.table, &k.key, &k.id, &k.Household, &k.User, &k.Run, &k.Session)
		}, query, household)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// Erase removes what is kept, in the transaction of an erasure.
func Erase(ctx context.Context, tx rein.Tx, gone []Kept) error {
	for _, k := range gone {
		query := map[string]string{
			"pairing_codes":    `DELETE FROM pairing_codes WHERE lower(hex(sha256)) = ? AND 0 = ?`,
			"telegram_updates": `DELETE FROM telegram_updates WHERE CAST(bot AS TEXT) = ? AND update_id = ?`,
			"telegram_talks":   `DELETE FROM telegram_talks WHERE run = ? AND chat = ?`,
			"telegram_posts":   `DELETE FROM telegram_posts WHERE key = ? AND chat = ?`,
		}[k.table]
		if _, err := tx.ExecContext(ctx, query, k.key, k.id); err != nil {
			return err
		}
	}
	return nil
}
