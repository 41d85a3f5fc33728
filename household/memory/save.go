package memory

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/internal/digest"
	"rein/store"
)

// SaveMemories remembers. Of two memories about the same the newer one holds, by the date on which they were said; the
// older one stays as what was said before. What is said again in the same words is new again.
func SaveMemories(ctx context.Context, tx rein.Tx, o Owner, by Origin, list []Memory) error {
	for i, m := range list {
		m, err := m.Fit()
		if err != nil {
			return err
		}
		if m.Text == "" {
			continue
		}
		m.User, m.ID = o.User, newID(o, by, i, m.ID)
		if err := save(ctx, tx, o, by, i, m); err != nil {
			return err
		}
	}
	return tidy(ctx, tx, o)
}

// newID names a memory: after the step that writes it, so that a step that is repeated names the same one.
func newID(o Owner, by Origin, item int, given string) string {
	if by.Run == "" {
		return given
	}
	return "m" + digest.Listed(5, o.Household, string(by.Run), string(by.Step), strconv.Itoa(item))
}

// Fit brings the fields of a memory into the form in which they are kept.
func (m Memory) Fit() (Memory, error) {
	m.Text, m.About = line(m.Text), clip(line(m.About), MaxAbout)
	if m.About == "" {
		m.About = GuessAbout(m.Text)
	}
	if !slices.Contains(Kinds, m.Kind) {
		m.Kind = Kinds[0]
	}
	if m.Scope != ForHousehold {
		m.Scope = ForUser
	}
	if m.At.IsZero() {
		return m, rein.Errorf(rein.CodeInvalid, "memory %.80q says nothing of when it was said", m.Text)
	}
	return m, nil
}

func save(ctx context.Context, tx rein.Tx, o Owner, by Origin, item int, m Memory) error {
	if done, err := isWritten(ctx, tx, by, item); done || err != nil {
		return err
	}
	own, err := Own(ctx, tx, o)
	if err != nil {
		return err
	}
	current := currentOf(own, m.Scope)
	if i := slices.IndexFunc(current, func(c Memory) bool { return strings.EqualFold(c.Text, m.Text) }); i >= 0 {
		return sayAgain(ctx, tx, by, item, current[i], m)
	}
	older, newer := order(current, m)
	err = exec(ctx, tx, `INSERT INTO memories (household, user_name, kind, text, source, created, forgotten, run, step, item, id, said_by, about, replaced_by, scope, edited, forgot_run)
		VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, 0, '')`,
		o.Household, o.User, m.Kind, m.Text, string(m.Source), micros(m.At), string(by.Run), string(by.Step), item, m.ID, m.SaidBy, m.About, newer, string(m.Scope))
	if err != nil {
		return err
	}
	return replace(ctx, tx, older, m.ID)
}

func replace(ctx context.Context, tx rein.Tx, older []Memory, id string) error {
	for _, m := range older {
		if err := exec(ctx, tx, `UPDATE memories SET replaced_by = ? WHERE n = ?`, id, m.n); err != nil {
			return err
		}
	}
	return nil
}

// currentOf returns those that hold now and have the scope.
func currentOf(own []Memory, scope Scope) []Memory {
	return slices.DeleteFunc(own, func(c Memory) bool { return c.ReplacedBy != "" || c.Scope != scope })
}

// order finds what a memory replaces, and what replaces it because it was said later.
func order(current []Memory, m Memory) (older []Memory, newer string) {
	for _, c := range current {
		if !slices.Contains(m.Replaces, c.ID) && !SameSubject(m, c, Unknown) {
			continue
		}
		if c.Since().After(m.Since()) {
			newer = c.ID
		} else {
			older = append(older, c)
		}
	}
	return older, newer
}

// isWritten reports whether a step has written its memory before; it may be forgotten by now.
func isWritten(ctx context.Context, q store.Query, by Origin, item int) (bool, error) {
	if by.Run == "" {
		return false, nil
	}
	rows, err := q.QueryContext(ctx, `SELECT 1 FROM memories WHERE run = ? AND step = ? AND item = ?`, string(by.Run), string(by.Step), item)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	return rows.Next(), rows.Err()
}

// sayAgain makes a memory new that is said again in the same words.
func sayAgain(ctx context.Context, tx rein.Tx, by Origin, item int, had, m Memory) error {
	if m.At.Before(had.Since()) {
		return nil
	}
	if m.SaidBy == "" {
		m.SaidBy = had.SaidBy
	}
	return exec(ctx, tx, `UPDATE memories SET kind = ?, source = ?, created = ?, said_by = ?, about = ?, run = ?, step = ?, item = ? WHERE n = ?`,
		m.Kind, string(m.Source), micros(m.At), m.SaidBy, m.About, string(by.Run), string(by.Step), item, had.n)
}

// tidy takes the oldest away of what is too much: what was replaced first.
func tidy(ctx context.Context, tx rein.Tx, o Owner) error {
	return exec(ctx, tx, `DELETE FROM memories WHERE household = ? AND user_name = ? AND forgotten = 0 AND n NOT IN
		(SELECT n FROM memories WHERE household = ? AND user_name = ? AND forgotten = 0 ORDER BY replaced_by = '' DESC, created DESC, n DESC LIMIT ?)`,
		o.Household, o.User, o.Household, o.User, keepRows)
}
