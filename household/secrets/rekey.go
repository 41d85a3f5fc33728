package secrets

import (
	"context"
	"errors"
	"slices"

	"rein"
)

// A Rekeyed is what sealing everything again came to.
type Rekeyed struct {
	Sealed int      // how many values have the new key
	Lost   []string // those that could not be opened, as OWNER/NAME: they must be set again
}

// Rekey makes a new key and seals every value with it. If it is cut off, the file has both keys, and every value
// opens. When it is done the file has the new key alone: old backups need a copy of the old one.
func (s *Store) Rekey(ctx context.Context) (done Rekeyed, err error) {
	s.sealing.Lock()
	defer s.sealing.Unlock()
	s.Keys.forget()
	old, err := s.Keys.all()
	if err != nil && !errors.Is(err, errNoKey) {
		return done, err
	}
	seals := newKey()
	if err := s.Keys.write(slices.Concat([]key{seals}, old)); err != nil {
		return done, err
	}
	var owners []Owner
	err = s.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		done, owners = Rekeyed{}, nil
		found, err := list(ctx, tx, "1 = 1 ORDER BY household, user_name, name")
		if err != nil {
			return err
		}
		for _, r := range found {
			owners = append(owners, r.Owner)
			if err := s.reseal(ctx, tx, r, seals, &done); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Rekeyed{}, err
	}
	if err := s.Keys.write([]key{seals}); err != nil {
		return done, err
	}
	for _, o := range slices.Compact(owners) {
		_ = s.told(o, nil)
	}
	return done, nil
}

func (s *Store) reseal(ctx context.Context, tx rein.Tx, r row, seals key, done *Rekeyed) error {
	with, err := s.Keys.find(r.key)
	var value []byte
	if err == nil {
		value, err = with.open(r.Owner, r.name, r.sealed)
	}
	if err != nil {
		done.Lost = append(done.Lost, r.Owner.String()+"/"+r.name)
		return nil
	}
	sealed, err := seals.seal(r.Owner, r.name, value)
	if err != nil {
		return err
	}
	done.Sealed++
	_, err = tx.ExecContext(ctx, `UPDATE secrets SET key_id = ?, sealed = ? WHERE household = ? AND user_name = ? AND name = ?`, seals.id, sealed, r.Household, r.User, r.name)
	return err
}

// String names the owner: household/user, or the household alone.
func (o Owner) String() string {
	if o.User == "" {
		return o.Household
	}
	return o.Household + "/" + o.User
}

// Lost lists the secrets of everyone that cannot be opened, as OWNER/NAME, and says how many there are in all. It is for
// whoever runs the data folder.
func (s *Store) Lost(ctx context.Context) (lost []string, all int, err error) {
	found, err := s.rows(ctx, "1 = 1 ORDER BY household, user_name, name")
	for _, r := range found {
		with, err := s.Keys.find(r.key)
		if err == nil {
			_, err = with.open(r.Owner, r.name, r.sealed)
		}
		if err != nil {
			lost = append(lost, r.Owner.String()+"/"+r.name)
		}
	}
	return lost, len(found), err
}
