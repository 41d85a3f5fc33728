package memory

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"rein"
	"rein/internal/digest"
	"rein/store"
)

// A Memory is something lasting about a user.
type Memory struct {
	ID     string     `json:"id"`
	User   string     `json:"user"` // whose it is
	Text   string     `json:"text"`
	Kind   string     `json:"kind"`              // one of Kinds
	About  string     `json:"about,omitempty"`   // the subject, in a few words
	Scope  Scope      `json:"scope"`             // who reads it
	SaidBy string     `json:"said_by,omitempty"` // the user who said so or agreed to it; empty: a run noted it
	Source rein.RunID `json:"source,omitempty"`  // the run in which it was said
	At     time.Time  `json:"at"`                // when it was said
	Edited time.Time  `json:"edited,omitzero"`   // when a person changed it
	// ReplacedBy is the memory that took its place, because it says something newer about the same.
	ReplacedBy string `json:"replaced_by,omitempty"`
	// Replaces are memories whose place a new one takes, beside those that are about the same in the same words.
	Replaces []string `json:"-"`

	n int64
}

// Kinds are the kinds of memories; what is none of them is a fact.
var Kinds = []string{"fact", "preference", "person", "plan"}

// Version is another one whenever what the memory says has changed.
func (m Memory) Version() string {
	return digest.Listed(8, m.ID, m.Text, m.Kind, m.About, string(m.Scope), m.ReplacedBy)
}

// Since is since when it is so, as far as anybody said: when it was said, or changed by hand.
func (m Memory) Since() time.Time {
	if m.Edited.After(m.At) {
		return m.Edited
	}
	return m.At
}

// MaxAbout is how many bytes the subject of a memory has at most.
const MaxAbout = 80

// Memories returns what holds now for the owner, the newest first: what is remembered of them and, after that, what
// others of the household said for everyone.
func Memories(ctx context.Context, q store.Query, o Owner) ([]Memory, error) {
	own, err := memories(ctx, q, `user_name = ? AND replaced_by = '' ORDER BY created DESC, n DESC LIMIT ?`, o.Household, o.User, keepRows)
	if err != nil {
		return nil, err
	}
	others, err := memories(ctx, q, `user_name <> ? AND scope = 'household' AND replaced_by = '' ORDER BY created DESC, n DESC LIMIT ?`, o.Household, o.User, maxOthers)
	return append(own, others...), err
}

// Own returns all that is remembered of the owner, also what was replaced, the newest first.
func Own(ctx context.Context, q store.Query, o Owner) ([]Memory, error) {
	return memories(ctx, q, `user_name = ? ORDER BY created DESC, n DESC LIMIT ?`, o.Household, o.User, keepRows)
}

// Find returns a memory that the owner may read: one of their own, or one that another said for everyone.
func Find(ctx context.Context, q store.Query, o Owner, id string) (Memory, error) {
	found, err := memories(ctx, q, `id = ? AND (user_name = ? OR scope = 'household')`, o.Household, id, o.User)
	if err == nil && len(found) == 0 {
		err = rein.Errorf(rein.CodeNotFound, "there is no memory %.80q", id)
	}
	if err != nil {
		return Memory{}, err
	}
	return found[0], nil
}

// FindOwn returns a memory of the owner.
func FindOwn(ctx context.Context, q store.Query, o Owner, id string) (Memory, error) {
	m, err := Find(ctx, q, o, id)
	if err == nil && m.User != o.User {
		return Memory{}, rein.Errorf(rein.CodeForbidden, "memory %s is what %s said: only they can change or forget it", id, m.User)
	}
	return m, err
}

// Before returns what a memory replaced, and what that replaced, the newest first.
func Before(all []Memory, id string) (before []Memory) {
	ids := map[string]bool{id: true}
	for grown := true; grown; {
		grown = false
		for _, m := range all {
			if m.ReplacedBy != "" && ids[m.ReplacedBy] && !ids[m.ID] {
				ids[m.ID], grown = true, true
				before = append(before, m)
			}
		}
	}
	slices.SortStableFunc(before, func(a, b Memory) int { return b.At.Compare(a.At) })
	return before
}

func memories(ctx context.Context, q store.Query, which, household string, args ...any) ([]Memory, error) {
	rows, err := q.QueryContext(ctx, `SELECT n, id, user_name, text, kind, about, scope, said_by, source, created, edited, replaced_by
		FROM memories WHERE household = ? AND forgotten = 0 AND `+which, append([]any{household}, args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []Memory{}
	for rows.Next() {
		m, err := scanMemory(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, rows.Err()
}

func scanMemory(rows *sql.Rows) (m Memory, err error) {
	var at, edited int64
	err = rows.Scan(&m.n, &m.ID, &m.User, &m.Text, &m.Kind, &m.About, &m.Scope, &m.SaidBy, &m.Source, &at, &edited, &m.ReplacedBy)
	m.At = timeOf(at)
	if edited != 0 {
		m.Edited = timeOf(edited)
	}
	return m, err
}
