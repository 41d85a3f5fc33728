// Package page keeps how people arranged what they see: the titles, pins and archive of their sessions, and an object
// that a web page keeps for its user. It has the rules and the SQL.
package page

import (
	"context"
	"database/sql"
	"strings"
	"time"
	"unicode/utf8"

	"rein"
	"rein/store"
)

// A Mark is how a session is arranged.
type Mark struct {
	Household, Session string
	User               string // whose session it is
	Title              string // empty: that of its first run
	Pinned, Archived   bool
}

func (m Mark) isEmpty() bool { return m.Title == "" && !m.Pinned && !m.Archived }

// A Change is what somebody wants to be different; nil parts stay as they are.
type Change struct {
	Title            *string
	Pinned, Archived *bool
}

func (c Change) apply(m Mark) Mark {
	if c.Title != nil {
		m.Title = strings.TrimSpace(*c.Title)
	}
	if c.Pinned != nil {
		m.Pinned = *c.Pinned
	}
	if c.Archived != nil {
		m.Archived = *c.Archived
	}
	return m
}

// MaxTitle is how many bytes a title may have.
const MaxTitle = 200

func (c Change) check() error {
	switch {
	case c.Title == nil && c.Pinned == nil && c.Archived == nil:
		return rein.Errorf(rein.CodeInvalid, "the body changes nothing: send title, pinned or archived")
	case c.Title == nil:
		return nil
	}
	title := strings.TrimSpace(*c.Title)
	if len(title) > MaxTitle || !utf8.ValidString(title) || strings.ContainsFunc(title, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return rein.Errorf(rein.CodeInvalid, "a title is one line of at most %d bytes, without control characters", MaxTitle)
	}
	return nil
}

// A Book keeps marks and pages.
type Book struct{ Tables store.Tables }

// Marks returns the marks of a user's sessions, by session; of an empty user, those of the household.
func (b Book) Marks(ctx context.Context, household, user string) (map[string]Mark, error) {
	where, args := "household = ?", []any{household}
	if user != "" {
		where, args = where+" AND user_name = ?", append(args, user)
	}
	found, err := b.read(ctx, where, args...)
	marks := make(map[string]Mark, len(found))
	for _, m := range found {
		marks[m.Session] = m
	}
	return marks, err
}

// Mark returns the mark of a session; one that has none is empty.
func (b Book) Mark(ctx context.Context, household, session string) (Mark, error) {
	found, err := b.read(ctx, "household = ? AND session = ?", household, session)
	if err != nil || len(found) == 0 {
		return Mark{Household: household, Session: session}, err
	}
	return found[0], nil
}

// Change changes the mark of a user's session.
func (b Book) Change(ctx context.Context, household, user, session string, c Change) (m Mark, err error) {
	if err := c.check(); err != nil {
		return m, err
	}
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		found, err := marks(ctx, tx, "household = ? AND session = ?", household, session)
		if err != nil {
			return err
		}
		m = Mark{Household: household, Session: session}
		if len(found) > 0 {
			m = found[0]
		}
		m = c.apply(m)
		m.User = user
		return save(ctx, tx, m)
	})
	return m, err
}

// save keeps a mark, if it says anything.
func save(ctx context.Context, tx rein.Tx, m Mark) error {
	if m.isEmpty() {
		return Erase(ctx, tx, []Mark{m})
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO session_marks (household, session, user_name, title, pinned, archived, changed) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (household, session) DO UPDATE SET user_name = excluded.user_name, title = excluded.title, pinned = excluded.pinned,
			archived = excluded.archived, changed = excluded.changed`,
		m.Household, m.Session, m.User, m.Title, m.Pinned, m.Archived, time.Now().UnixMicro())
	return err
}

// KeptOf returns the marks of a household, for an erasure.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Mark, error) {
	return marks(ctx, q, "household = ? ORDER BY session", household)
}

// Erase removes marks, in the transaction of an erasure.
func Erase(ctx context.Context, tx rein.Tx, gone []Mark) error {
	for _, m := range gone {
		if _, err := tx.ExecContext(ctx, `DELETE FROM session_marks WHERE household = ? AND session = ?`, m.Household, m.Session); err != nil {
			return err
		}
	}
	return nil
}

func (b Book) read(ctx context.Context, where string, args ...any) (found []Mark, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = marks(ctx, q, where, args...)
		return err
	})
	return found, err
}

func marks(ctx context.Context, q store.Query, where string, args ...any) (all []Mark, err error) {
	err = each(ctx, q, func(rows *sql.Rows) error {
		var m Mark
		err := rows.Scan(&m.Household, &m.Session, &m.User, &m.Title, &m.Pinned, &m.Archived)
		all = append(all, m)
		return err
	}, `SELECT household, session, user_name, title, pinned, archived FROM session_marks WHERE `+where, args...)
	return all, err
}

func each(ctx context.Context, q store.Query, row func(*sql.Rows) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
