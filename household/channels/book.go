package channels

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"strings"
	"time"

	"rein"
	"rein/household/post"
	"rein/store"
)

// A Book keeps channels and preferences.
type Book struct {
	Tables store.Tables
	Now    func() time.Time // nil means time.Now
}

func (b Book) now() time.Time {
	if b.Now == nil {
		return time.Now().UTC().Truncate(time.Microsecond)
	}
	return b.Now().UTC().Truncate(time.Microsecond)
}

// Put keeps a channel and returns it with its ID. If its user has one with that address already, that one stays, with what
// is new of it: a channel that was gone is back, and one that is verified now is. A chat or a browser that was somebody
// else's is theirs no more.
func (b Book) Put(ctx context.Context, c Channel) (kept Channel, err error) {
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		kept, err = b.PutIn(ctx, tx, c)
		return err
	})
	return kept, err
}

// PutIn is Put in the transaction of something else.
func (b Book) PutIn(ctx context.Context, tx rein.Tx, c Channel) (Channel, error) {
	if err := c.check(); err != nil {
		return c, err
	}
	if c.Kind.isOwn() {
		if err := b.takeOver(ctx, tx, c); err != nil {
			return c, err
		}
	}
	all, err := list(ctx, tx, "household = ? AND user_name = ?", c.Household, c.User)
	if err != nil {
		return c, err
	}
	for _, known := range all {
		if known.Kind == c.Kind && known.Address == c.Address {
			return b.again(ctx, tx, known, c)
		}
	}
	if len(all) >= maxOwned {
		return c, rein.Errorf(rein.CodeLimit, "%s has %d channels already: remove some with rein channels remove", c.User, len(all))
	}
	c.ID, c.Created = strings.ToLower(rand.Text()[:16]), b.now()
	_, err = tx.ExecContext(ctx, `INSERT INTO channels
		(id, household, user_name, kind, address, label, data, muted, verified, code_sha256, code_expires, code_tries, gone, why, created)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, x'', 0, 0, 0, '', ?)`,
		c.ID, c.Household, c.User, string(c.Kind), c.Address, c.Label, string(c.Data), joined(c.Muted), micros(c.Verified), c.Created.UnixMicro())
	return c, err
}

// again keeps what is new of a channel that is known.
func (b Book) again(ctx context.Context, tx rein.Tx, known, c Channel) (Channel, error) {
	if c.Label != "" {
		known.Label = c.Label
	}
	if len(c.Data) > 0 {
		known.Data = c.Data
	}
	if known.Verified.IsZero() {
		known.Verified = c.Verified
	}
	if !known.Verified.IsZero() {
		known.Gone, known.Why = time.Time{}, ""
	}
	_, err := tx.ExecContext(ctx, `UPDATE channels SET label = ?, data = ?, verified = ?, gone = ?, why = ? WHERE id = ?`,
		known.Label, string(known.Data), micros(known.Verified), micros(known.Gone), known.Why, known.ID)
	return known, err
}

// takeOver removes the channel from whoever else had it.
func (b Book) takeOver(ctx context.Context, tx rein.Tx, c Channel) error {
	others, err := list(ctx, tx, "kind = ? AND address = ? AND NOT (household = ? AND user_name = ?)", string(c.Kind), c.Address, c.Household, c.User)
	if err != nil {
		return err
	}
	return Erase(ctx, tx, others)
}

// Of returns the channels of a user, the oldest first.
func (b Book) Of(ctx context.Context, household, user string) ([]Channel, error) {
	return b.read(ctx, "household = ? AND user_name = ? ORDER BY created, id", household, user)
}

// Get returns a channel of a user. Another's does not exist for them.
func (b Book) Get(ctx context.Context, household, user, id string) (Channel, error) {
	return one(b.read(ctx, "household = ? AND user_name = ? AND id = ?", household, user, id))(id)
}

// At returns the channel that has an address and works: the person who says something there. Only chats are asked for this
// way, which belong to one person.
func (b Book) At(ctx context.Context, kind Kind, address string) (Channel, error) {
	return one(b.read(ctx, "kind = ? AND address = ? AND verified <> 0 AND gone = 0", string(kind), address))(address)
}

// ByID returns a channel, whoever has it.
func (b Book) ByID(ctx context.Context, id string) (Channel, error) {
	return one(b.read(ctx, "id = ?", id))(id)
}

func one(found []Channel, err error) func(name string) (Channel, error) {
	return func(name string) (Channel, error) {
		switch {
		case err != nil:
			return Channel{}, err
		case len(found) != 1:
			return Channel{}, notFound(name)
		}
		return found[0], nil
	}
}

// Remove removes a channel of a user, with its deliveries' way there.
func (b Book) Remove(ctx context.Context, household, user, id string) error {
	return b.change(ctx, id, `DELETE FROM channels WHERE household = ? AND user_name = ? AND id = ?`, household, user, id)
}

// Mute sets the kinds of messages that do not go to a channel.
func (b Book) Mute(ctx context.Context, household, user, id string, kinds []post.Kind) error {
	if err := checkKinds(kinds); err != nil {
		return err
	}
	return b.change(ctx, id, `UPDATE channels SET muted = ? WHERE household = ? AND user_name = ? AND id = ?`, joined(kinds), household, user, id)
}

// change makes one change to one channel.
func (b Book) change(ctx context.Context, id, update string, args ...any) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		done, err := tx.ExecContext(ctx, update, args...)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return notFound(id)
		}
		return nil
	})
}

// SetGone says that a channel takes no messages any more, and why.
func SetGone(ctx context.Context, tx rein.Tx, id, why string, at time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE channels SET gone = ?, why = ? WHERE id = ? AND gone = 0`, at.UnixMicro(), why, id)
	return err
}

// For returns the channels of a user, in a transaction or a snapshot.
func For(ctx context.Context, q store.Query, household, user string) ([]Channel, error) {
	return list(ctx, q, "household = ? AND user_name = ? ORDER BY created, id", household, user)
}

// KeptOf returns the channels of a household, for an erasure.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Channel, error) {
	return list(ctx, q, "household = ? ORDER BY user_name, created, id", household)
}

// Erase removes channels, in the transaction of an erasure.
func Erase(ctx context.Context, tx rein.Tx, gone []Channel) error {
	for _, c := range gone {
		if _, err := tx.ExecContext(ctx, `DELETE FROM channels WHERE id = ?`, c.ID); err != nil {
			return err
		}
	}
	return nil
}

func (b Book) read(ctx context.Context, where string, args ...any) (found []Channel, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = list(ctx, q, where, args...)
		return err
	})
	return found, err
}

func list(ctx context.Context, q store.Query, where string, args ...any) ([]Channel, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, household, user_name, kind, address, label, data, muted, verified, gone, why, created FROM channels WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Channel
	for rows.Next() {
		c, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, rows.Err()
}

func scan(rows *sql.Rows) (c Channel, err error) {
	var data, muted string
	var verified, gone, created int64
	err = rows.Scan(&c.ID, &c.Household, &c.User, &c.Kind, &c.Address, &c.Label, &data, &muted, &verified, &gone, &c.Why, &created)
	if data != "" {
		c.Data = json.RawMessage(data)
	}
	for _, k := range strings.Fields(muted) {
		c.Muted = append(c.Muted, post.Kind(k))
	}
	c.Verified, c.Gone, c.Created = timeOf(verified), timeOf(gone), timeOf(created)
	return c, err
}

func joined(kinds []post.Kind) string {
	var b strings.Builder
	for i, k := range kinds {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(string(k))
	}
	return b.String()
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func timeOf(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}
