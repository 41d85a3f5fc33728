package memory

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"rein"
	"rein/store"
)

// A Memory is something lasting about a user.
type Memory struct {
	Text   string     `json:"text"`
	Kind   string     `json:"kind"` // one of Kinds
	Source rein.RunID `json:"source,omitempty"`
	At     time.Time  `json:"at"`
}

// Kinds are the kinds of memories; what is none of them is a fact.
var Kinds = []string{"fact", "preference", "person", "plan"}

// Memories returns what is remembered of the owner, the newest first.
func Memories(ctx context.Context, q store.Query, o Owner) ([]Memory, error) {
	return list(ctx, q, func(rows *sql.Rows) (m Memory, size int, err error) {
		var at int64
		err = rows.Scan(&m.Text, &m.Kind, &m.Source, &at)
		m.At = timeOf(at)
		return m, len(m.Text), err
	}, `SELECT text, kind, source, created FROM memories
		WHERE household = ? AND user_name = ? AND forgotten = 0 ORDER BY created DESC, n DESC LIMIT ?`,
		o.Household, o.User, maxMemories)
}

// SaveMemories remembers. What was known in the same words becomes new again.
func SaveMemories(ctx context.Context, tx rein.Tx, o Owner, by Origin, memories []Memory) error {
	for i, m := range memories {
		if m.Text = line(m.Text); m.Text == "" {
			continue
		}
		if !slices.Contains(Kinds, m.Kind) {
			m.Kind = Kinds[0]
		}
		err := exec(ctx, tx, `DELETE FROM memories WHERE household = ? AND user_name = ? AND text = ? AND forgotten = 0`, o.Household, o.User, m.Text)
		if err != nil {
			return err
		}
		err = exec(ctx, tx, `INSERT INTO memories (household, user_name, kind, text, source, created, forgotten, run, step, item)
			VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?) ON CONFLICT DO NOTHING`,
			o.Household, o.User, m.Kind, m.Text, string(m.Source), micros(m.At), string(by.Run), string(by.Step), i)
		if err != nil {
			return err
		}
	}
	return exec(ctx, tx, `DELETE FROM memories WHERE household = ? AND user_name = ? AND forgotten = 0 AND n NOT IN
		(SELECT n FROM memories WHERE household = ? AND user_name = ? AND forgotten = 0 ORDER BY created DESC, n DESC LIMIT ?)`,
		o.Household, o.User, o.Household, o.User, keepRows)
}
