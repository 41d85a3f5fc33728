package secrets

import (
	"context"

	"rein"
)

// Set keeps a value for a person: their own, or the household's if shared is set, which only admins may
// change. It notes who set what, without the value.
func (s *Store) Set(ctx context.Context, by rein.Identity, shared bool, name string, value []byte) (Entry, error) {
	o, err := s.owner(by, shared)
	if err != nil {
		return Entry{}, err
	}
	if err := checkTyped(name); err != nil {
		return Entry{}, err
	}
	err = s.put(ctx, o, name, value, func(ctx context.Context, tx rein.Tx) error {
		return s.People.NoteSecret(ctx, tx, by, rein.SecretSet, o.User, name)
	})
	if err != nil {
		return Entry{}, err
	}
	return s.entry(ctx, o, name)
}

func (s *Store) entry(ctx context.Context, o Owner, name string) (Entry, error) {
	found, err := s.rows(ctx, "household = ? AND user_name = ? AND name = ?", o.Household, o.User, name)
	if err != nil {
		return Entry{}, err
	}
	if len(found) == 0 {
		return Entry{}, notFound(name)
	}
	return Entry{Name: name, Changed: found[0].changed}, nil
}

// Remove removes a value for a person, as Set keeps one.
func (s *Store) Remove(ctx context.Context, by rein.Identity, shared bool, name string) error {
	o, err := s.owner(by, shared)
	if err != nil {
		return err
	}
	return s.remove(ctx, o, name, func(ctx context.Context, tx rein.Tx) error {
		return s.People.NoteSecret(ctx, tx, by, rein.SecretRemoved, o.User, name)
	})
}

// owner is whose secret a person changes.
func (s *Store) owner(by rein.Identity, shared bool) (Owner, error) {
	switch {
	case by.Household == "" || by.User == "" || !by.May(rein.ScopeAct) || s.People == nil:
		return Owner{}, rein.Errorf(rein.CodeForbidden, "this needs the scope %q", rein.ScopeAct)
	case shared && !by.May(rein.ScopeAdmin):
		return Owner{}, rein.Errorf(rein.CodeForbidden, "secrets of the household need an owner of the household, with the scope %q; without shared you set your own", rein.ScopeAdmin)
	case shared:
		return Owner{Household: by.Household}, nil
	}
	return Owner{by.Household, by.User}, nil
}
