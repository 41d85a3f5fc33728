package people

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"strconv"
	"time"

	"rein"
	"rein/store"
)

// A chain notes every change of a record of people: a digest of the record as the change left it,
// salted, so that nothing can be guessed from it, and a hash that covers all entries before. Of a record
// that is changed again, or goes, the salt is taken out; the chain holds.
type chain struct{ now time.Time }

// What an entry of the chain tells.
const (
	entrySet   = "set"   // the record became this
	entryGone  = "gone"  // it was removed
	entryFound = "found" // somebody had changed it behind our back, to this
	entryLost  = "lost"  // somebody had removed it behind our back; one of the same name is added next
)

const saltSize = 16

// An entry of the chain.
type entry struct {
	n, changed, follows int64
	what                string
	record              sql.NullString
	salt, digest, hash  []byte
}

// link is the hash of an entry that follows another one.
func (e *entry) link(before []byte) rein.Hash {
	var prev rein.Hash
	copy(prev[:], before)
	return rein.ChainHash(prev, rein.Event{
		Run: "people", Seq: e.n, At: time.UnixMicro(e.changed), Kind: rein.Kind(e.what), Step: rein.StepKey(strconv.FormatInt(e.follows, 10)),
	}, rein.Hash(e.digest))
}

const entryColumns = `SELECT n, changed, what, follows, record, salt, digest, hash FROM people_chain`

func scanEntry(rows *sql.Rows) (e entry, err error) {
	err = rows.Scan(&e.n, &e.changed, &e.what, &e.follows, &e.record, &e.salt, &e.digest, &e.hash)
	return e, err
}

// canonical is what a digest is of.
func canonical(name string, values []any) ([]byte, error) {
	return json.Marshal(append([]any{name}, values...))
}

// entryOf returns the newest entry of a record, or nil.
func entryOf(ctx context.Context, q store.Query, name string) (*entry, error) {
	found, err := list(ctx, q, scanEntry, entryColumns+` WHERE record = ?`, name)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// isOf reports whether the record is what the entry says.
func (e *entry) isOf(r record) bool {
	if e == nil || e.salt == nil {
		return false
	}
	digest := rein.PayloadDigest(e.salt, r.data)
	return bytes.Equal(digest[:], e.digest)
}

// before looks at records that are about to be changed, and returns their names. What somebody changed
// behind our back is noted first: the change that follows must not cover it up.
func (c chain) before(ctx context.Context, tx rein.Tx, r records, where clause) (names []string, err error) {
	found, err := r.read(ctx, tx, where)
	for _, one := range found {
		if err != nil {
			return nil, err
		}
		names = append(names, one.name)
		if !one.last.isOf(one) {
			err = c.append(ctx, tx, entryFound, one)
		}
	}
	return names, err
}

// lost looks for an entry of a record that is about to be added. If there is one, somebody removed the
// record behind our back, and that is noted first.
func (c chain) lost(ctx context.Context, tx rein.Tx, name string) error {
	last, err := entryOf(ctx, tx, name)
	if err != nil || last == nil {
		return err
	}
	return c.append(ctx, tx, entryLost, record{name: name, last: last})
}

// seal notes what records have become.
func (c chain) seal(ctx context.Context, tx rein.Tx, r records, where clause) error {
	found, err := r.read(ctx, tx, where)
	for _, one := range found {
		if err != nil {
			return err
		}
		err = c.append(ctx, tx, entrySet, one)
	}
	return err
}

// gone notes that a record was removed.
func (c chain) gone(ctx context.Context, tx rein.Tx, name string) error {
	last, err := entryOf(ctx, tx, name)
	if err != nil {
		return err
	}
	return c.append(ctx, tx, entryGone, record{name: name, last: last})
}

// append adds an entry after the last one of the record, which it erases.
func (c chain) append(ctx context.Context, tx rein.Tx, what string, one record) error {
	head, err := list(ctx, tx, scanEntry, entryColumns+` ORDER BY n DESC LIMIT 1`)
	if err != nil {
		return err
	}
	e := entry{n: 1, what: what, changed: micros(c.now), salt: make([]byte, saltSize)}
	var before []byte
	if len(head) > 0 {
		e.n, before = head[0].n+1, head[0].hash
	}
	if one.last != nil {
		e.follows = one.last.n
		if err := exec(ctx, tx, `UPDATE people_chain SET record = NULL, salt = NULL WHERE n = ?`, e.follows); err != nil {
			return err
		}
	}
	rand.Read(e.salt)
	digest := rein.PayloadDigest(e.salt, one.data)
	e.digest = digest[:]
	hash := e.link(before)
	e.record = sql.NullString{String: one.name, Valid: what != entryGone}
	if what == entryGone {
		e.salt = nil
	}
	return exec(ctx, tx, `INSERT INTO people_chain (n, changed, what, follows, record, salt, digest, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		e.n, e.changed, e.what, e.follows, e.record, e.salt, e.digest, hash[:])
}

// begin takes the records that there were before the chain into it, as they are, once.
func (c chain) begin(ctx context.Context, tx rein.Tx) error {
	since, err := list(ctx, tx, func(rows *sql.Rows) (n int64, err error) { return n, rows.Scan(&n) }, `SELECT since FROM people_chained`)
	if err != nil || len(since) > 0 {
		return err
	}
	for _, r := range allRecords() {
		if err := c.seal(ctx, tx, r, with("1 = 1")); err != nil {
			return err
		}
	}
	return exec(ctx, tx, `INSERT INTO people_chained (since) VALUES (?)`, micros(c.now))
}
