package presets

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"rein"
	"rein/store"
)

// A Book keeps presets.
type Book struct{ Tables store.Tables }

// Save keeps a preset, in place of its owner's of that name.
func (b Book) Save(ctx context.Context, p Preset) (Preset, error) {
	if err := p.check(); err != nil {
		return p, err
	}
	task, err := json.Marshal(p.Task)
	if err != nil {
		return p, err
	}
	if len(task) > maxTask {
		return p, rein.Errorf(rein.CodeInvalid, "preset %q has %d bytes of settings and instructions; at most %d are kept", p.Name, len(task), maxTask)
	}
	p.Changed = time.Now().UTC().Truncate(time.Microsecond)
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := hasRoom(ctx, tx, p); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO presets (household, user_name, name, about, task, run, by_user, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (household, user_name, name) DO UPDATE SET about = excluded.about, task = excluded.task, run = excluded.run, by_user = excluded.by_user, changed = excluded.changed`,
			p.Household, p.User, p.Name, p.About, string(task), string(p.Run), p.By, p.Changed.UnixMicro())
		return err
	})
	return p, err
}

// hasRoom refuses one preset too many.
func hasRoom(ctx context.Context, q store.Query, p Preset) error {
	has, err := list(ctx, q, "household = ? AND user_name = ?", p.Household, p.User)
	if err != nil || len(has) < maxOwned {
		return err
	}
	for _, h := range has {
		if h.Name == p.Name {
			return nil
		}
	}
	return rein.Errorf(rein.CodeLimit, "there are %d presets already: remove some with rein preset remove", len(has))
}

// Find returns the preset of a name that a user can start from: their own, else the household's.
func (b Book) Find(ctx context.Context, household, user, name string) (Preset, error) {
	found, err := b.read(ctx, "household = ? AND user_name IN (?, '') AND name = ? ORDER BY user_name DESC", household, user, name)
	if err == nil && len(found) == 0 {
		err = notFound(name)
	}
	if err != nil {
		return Preset{}, err
	}
	return found[0], nil
}

// List returns what a user can start from, by name: of two with one name their own comes first.
func (b Book) List(ctx context.Context, household, user string) ([]Preset, error) {
	return b.read(ctx, "household = ? AND user_name IN (?, '') ORDER BY name, user_name DESC", household, user)
}

// Remove removes a preset of an owner.
func (b Book) Remove(ctx context.Context, household, user, name string) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		done, err := tx.ExecContext(ctx, `DELETE FROM presets WHERE household = ? AND user_name = ? AND name = ?`, household, user, name)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return notFound(name)
		}
		return nil
	})
}

func notFound(name string) error {
	return rein.Errorf(rein.CodeNotFound, "there is no saved preset %.80q", name)
}

// KeptOf returns the presets of a household, for an erasure.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Preset, error) {
	return list(ctx, q, "household = ? ORDER BY name, user_name", household)
}

// Erase removes presets, in the transaction of an erasure.
func Erase(ctx context.Context, tx rein.Tx, gone []Preset) error {
	for _, p := range gone {
		if _, err := tx.ExecContext(ctx, `DELETE FROM presets WHERE household = ? AND user_name = ? AND name = ?`, p.Household, p.User, p.Name); err != nil {
			return err
		}
	}
	return nil
}

func (b Book) read(ctx context.Context, where string, args ...any) (found []Preset, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = list(ctx, q, where, args...)
		return err
	})
	return found, err
}

func list(ctx context.Context, q store.Query, where string, args ...any) ([]Preset, error) {
	rows, err := q.QueryContext(ctx, `SELECT household, user_name, name, about, task, run, by_user, changed FROM presets WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Preset
	for rows.Next() {
		p, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, rows.Err()
}

func scan(rows *sql.Rows) (p Preset, err error) {
	var task string
	var changed int64
	if err := rows.Scan(&p.Household, &p.User, &p.Name, &p.About, &task, &p.Run, &p.By, &changed); err != nil {
		return p, err
	}
	p.Changed = time.UnixMicro(changed).UTC()
	if err := json.Unmarshal([]byte(task), &p.Task); err != nil {
		return p, rein.Errorf(rein.CodeDamaged, "preset %q cannot be read: save it again: %w", p.Name, err)
	}
	return p, nil
}
