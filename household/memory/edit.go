package memory

import (
	"context"
	"slices"
	"time"

	"rein"
)

// An Edit is what a person changes of a memory; nil parts stay.
type Edit struct {
	Text, Kind, About *string
	Scope             *Scope
	Version           string // of the memory as they saw it; empty: any
}

// Change edits a memory of the owner by hand. It is what they say now, so it replaces what else they said about the same.
func Change(ctx context.Context, tx rein.Tx, o Owner, id string, e Edit, now time.Time) (Memory, error) {
	m, err := FindOwn(ctx, tx, o, id)
	if err != nil {
		return m, err
	}
	if e.Version != "" && e.Version != m.Version() {
		return m, rein.Errorf(rein.CodeConflict, "memory %s has changed since you looked at it: look again", id)
	}
	if m.ReplacedBy != "" {
		return m, rein.Errorf(rein.CodeConflict, "memory %s was replaced by %s: change that one", id, m.ReplacedBy)
	}
	if m, err = e.apply(m); err != nil {
		return m, err
	}
	m.SaidBy, m.Edited = o.User, now.UTC().Truncate(time.Microsecond)
	err = exec(ctx, tx, `UPDATE memories SET text = ?, kind = ?, about = ?, scope = ?, said_by = ?, edited = ? WHERE n = ?`,
		m.Text, m.Kind, m.About, string(m.Scope), m.SaidBy, micros(m.Edited), m.n)
	if err != nil {
		return m, err
	}
	own, err := Own(ctx, tx, o)
	if err != nil {
		return m, err
	}
	older, _ := order(slices.DeleteFunc(currentOf(own, m.Scope), func(c Memory) bool { return c.ID == m.ID }), m)
	return m, replace(ctx, tx, older, m.ID)
}

func (e Edit) apply(m Memory) (Memory, error) {
	set := func(field, value *string) {
		if value != nil {
			*field = *value
		}
	}
	set(&m.Text, e.Text)
	set(&m.Kind, e.Kind)
	set(&m.About, e.About)
	if e.Scope != nil {
		m.Scope = *e.Scope
	}
	return m, m.Check()
}

// Check refuses what a person cannot have meant. What a model writes is fitted instead.
func (m *Memory) Check() error {
	switch {
	case line(m.Text) == "":
		return rein.Errorf(rein.CodeInvalid, "text is empty: write what is to be remembered in one line")
	case len(m.Text) > MaxText || line(m.Text) != m.Text:
		return rein.Errorf(rein.CodeInvalid, "text must be one line of at most %d bytes, without control characters", MaxText)
	case len(m.About) > MaxAbout || line(m.About) != m.About:
		return rein.Errorf(rein.CodeInvalid, "about must be one line of at most %d bytes: the subject in a few words", MaxAbout)
	case m.Kind != "" && !slices.Contains(Kinds, m.Kind):
		return rein.Errorf(rein.CodeInvalid, "kind %.40q must be one of fact, preference, person and plan", m.Kind)
	case m.Scope != "" && m.Scope != ForUser && m.Scope != ForHousehold:
		return rein.Errorf(rein.CodeInvalid, "scope %.40q must be user or household", string(m.Scope))
	}
	fitted, err := m.Fit()
	*m = fitted
	return err
}
