package secrets

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/household/people"
	"rein/store"
)

// A Store is a Box in the tables of a store. Tables and Keys are needed.
type Store struct {
	Tables store.Tables
	Keys   *Keys
	People *people.People // notes who set and removed what; nil: nobody may
	// Changed is called after something of an owner has changed; nil: nobody wants to know.
	Changed func(Owner)

	sealing sync.RWMutex // held whole while everything is sealed again
}

var _ Box = (*Store)(nil)

// A row is a secret as it is kept.
type row struct {
	Owner
	name    string
	key     string // the ID of the key that sealed it
	sealed  []byte
	changed time.Time
}

// Put implements Box.
func (s *Store) Put(ctx context.Context, o Owner, name string, value []byte) error {
	return s.put(ctx, o, name, value, nil)
}

// put keeps a value, with a note in the same transaction.
func (s *Store) put(ctx context.Context, o Owner, name string, value []byte, note func(context.Context, rein.Tx) error) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := checkValue(name, value); err != nil {
		return err
	}
	if o.Household == "" {
		return rein.Errorf(rein.CodeInvalid, "secret %q belongs to no household", name)
	}
	s.sealing.RLock()
	defer s.sealing.RUnlock()
	seals, err := s.key(ctx, o)
	if err != nil {
		return err
	}
	sealed, err := seals.seal(o, name, value)
	if err != nil {
		return err
	}
	err = s.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := hasRoom(ctx, tx, o, name); err != nil {
			return err
		}
		gone, err := people.IsGone(ctx, tx, o.Household, o.User)
		if err != nil {
			return err
		}
		if gone { // such as a token that was renewed for a connection that they had
			return rein.Errorf(rein.CodeForbidden, "secret %q is not kept: user %q is erased or disabled", name, o.User)
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO secrets (household, user_name, name, key_id, sealed, changed) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (household, user_name, name) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed, changed = excluded.changed`,
			o.Household, o.User, name, seals.id, sealed, time.Now().UnixMicro())
		if err != nil || note == nil {
			return err
		}
		return note(ctx, tx)
	})
	return s.told(o, err)
}

// key returns the key that seals for an owner.
func (s *Store) key(ctx context.Context, o Owner) (key, error) {
	kept, err := s.rows(ctx, "1 = 1 LIMIT 1")
	if err != nil {
		return key{}, err
	}
	seals, err := s.Keys.sealing(len(kept) > 0)
	if errors.Is(err, errNoKey) && len(kept) > 0 {
		err = rein.Errorf(rein.CodeDamaged, "%w, and there are secrets that were sealed with it. Put the key back, or make a new one with `rein secrets rekey`%s", err, s.again(ctx, o))
	}
	return seals, err
}

// hasRoom refuses one secret too many.
func hasRoom(ctx context.Context, q store.Query, o Owner, name string) error {
	has, err := list(ctx, q, "household = ? AND user_name = ?", o.Household, o.User)
	if err != nil || len(has) < maxOwned {
		return err
	}
	for _, r := range has {
		if r.name == name {
			return nil
		}
	}
	return rein.Errorf(rein.CodeLimit, "there are %d secrets already: remove some with rein secrets remove", len(has))
}

// Get implements Box.
func (s *Store) Get(ctx context.Context, o Owner, name string) ([]byte, error) {
	found, err := s.rows(ctx, "household = ? AND user_name = ? AND name = ?", o.Household, o.User, name)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, notFound(name)
	}
	return s.open(ctx, found[0])
}

// open opens a row. If its key is missing, the error names everything that its owner must set again.
func (s *Store) open(ctx context.Context, r row) ([]byte, error) {
	with, err := s.Keys.find(r.key)
	if errors.Is(err, errWide) {
		return nil, err // nothing is lost
	}
	if err != nil {
		return nil, rein.Errorf(rein.CodeDamaged, "secret %q cannot be opened: %w. Put the key back%s", r.name, err, s.again(ctx, r.Owner))
	}
	value, err := with.open(r.Owner, r.name, r.sealed)
	if err != nil {
		return nil, rein.Errorf(rein.CodeDamaged, "secret %q cannot be opened: its row was changed, or moved from another owner or name. Set it again", r.name)
	}
	return value, nil
}

// again says which secrets of an owner must be set again if the key does not come back.
func (s *Store) again(ctx context.Context, o Owner) string {
	entries, err := s.Names(ctx, o)
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if e.Lost {
			names = append(names, e.Name)
		}
	}
	if len(names) > maxListed {
		names = append(names[:maxListed], "and others")
	}
	if len(names) == 0 {
		return ""
	}
	return ", or set again: " + strings.Join(names, ", ")
}

// Delete implements Box.
func (s *Store) Delete(ctx context.Context, o Owner, name string) error {
	return s.remove(ctx, o, name, nil)
}

func (s *Store) remove(ctx context.Context, o Owner, name string, note func(context.Context, rein.Tx) error) error {
	err := s.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		done, err := tx.ExecContext(ctx, `DELETE FROM secrets WHERE household = ? AND user_name = ? AND name = ?`, o.Household, o.User, name)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return notFound(name)
		}
		if note == nil {
			return nil
		}
		return note(ctx, tx)
	})
	return s.told(o, err)
}

// told tells of a change, if it was made.
func (s *Store) told(o Owner, err error) error {
	if err == nil && s.Changed != nil {
		s.Changed(o)
	}
	return err
}

// Names implements Box.
func (s *Store) Names(ctx context.Context, o Owner) ([]Entry, error) {
	found, err := s.rows(ctx, "household = ? AND user_name = ? ORDER BY name", o.Household, o.User)
	if err != nil {
		return nil, err
	}
	all := []Entry{}
	for _, r := range found {
		_, err := s.Keys.find(r.key)
		all = append(all, Entry{Name: r.name, Changed: r.changed, Lost: err != nil && !errors.Is(err, errWide)})
	}
	return all, nil
}

// Values returns the values of an owner, by name, as far as they can be opened. They are for whoever takes
// them out of texts.
func (s *Store) Values(ctx context.Context, o Owner) (map[string][]byte, error) {
	found, err := s.rows(ctx, "household = ? AND user_name = ?", o.Household, o.User)
	if err != nil {
		return nil, err
	}
	values := map[string][]byte{}
	for _, r := range found {
		with, err := s.Keys.find(r.key)
		if err != nil {
			continue
		}
		if value, err := with.open(o, r.name, r.sealed); err == nil {
			values[r.name] = value
		}
	}
	return values, nil
}

func (s *Store) rows(ctx context.Context, where string, args ...any) (found []row, err error) {
	err = s.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = list(ctx, q, where, args...)
		return err
	})
	return found, err
}

func list(ctx context.Context, q store.Query, where string, args ...any) ([]row, error) {
	rows, err := q.QueryContext(ctx, `SELECT household, user_name, name, key_id, sealed, changed FROM secrets WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []row
	for rows.Next() {
		r, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

func scan(rows *sql.Rows) (r row, err error) {
	var changed int64
	err = rows.Scan(&r.Household, &r.User, &r.name, &r.key, &r.sealed, &changed)
	r.changed = time.UnixMicro(changed).UTC()
	return r, err
}
