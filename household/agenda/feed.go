package agenda

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// A Feed is the address at which other programs read a user's agenda.
type Feed struct {
	ID      string
	Owner   Owner
	Created time.Time
}

// feedSecret is how many random bytes a secret has, and feedID how many letters of the ID.
const (
	feedSecret = 20
	feedID     = 10
)

var letters = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// NewFeed makes the feed of a user, in place of the one before, and returns the secret of its address. Nothing returns
// it again: only its hash is kept.
func (b Book) NewFeed(ctx context.Context, o Owner) (secret string, f Feed, err error) {
	random := make([]byte, feedSecret+feedID)
	_, _ = rand.Read(random) // it never fails
	text := letters.EncodeToString(random)
	f = Feed{ID: text[:feedID], Owner: o, Created: b.Time()}
	secret = f.ID + "-" + text[feedID:]
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := endFeed(ctx, tx, o); err != nil {
			return err
		}
		hash := sha256.Sum256([]byte(secret))
		_, err := tx.ExecContext(ctx, `INSERT INTO agenda_feeds (id, household, user_name, hash, created) VALUES (?, ?, ?, ?, ?)`,
			f.ID, o.Household, o.User, hash[:], f.Created.UnixMicro())
		return err
	})
	return secret, f, err
}

func endFeed(ctx context.Context, tx rein.Tx, o Owner) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM agenda_feeds WHERE household = ? AND user_name = ?`, o.Household, o.User)
	return err
}

// EndFeed revokes the feed of a user. The address stops working at once.
func (b Book) EndFeed(ctx context.Context, o Owner) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error { return endFeed(ctx, tx, o) })
}

// FeedOf returns the feed of a user, if there is one.
func (b Book) FeedOf(ctx context.Context, o Owner) (f Feed, ok bool, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, _, err := feeds(ctx, q, "household = ? AND user_name = ?", o.Household, o.User)
		if len(all) > 0 {
			f, ok = all[0], true
		}
		return err
	})
	return f, ok, err
}

// ErrNoFeed is the same whatever is wrong with a secret.
var ErrNoFeed = rein.Errorf(rein.CodeUnauthenticated, "this address of an agenda does not work: it is wrong, or it was revoked. Make a new one with `rein agenda feed`")

// FeedFor returns the user whose agenda may be read with a secret.
func (b Book) FeedFor(ctx context.Context, secret string) (o Owner, err error) {
	id, _, ok := strings.Cut(secret, "-")
	if !ok || len(id) != feedID || len(secret) > 2*(feedSecret+feedID) {
		return o, ErrNoFeed
	}
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, hashes, err := feeds(ctx, q, "id = ?", id)
		if err != nil {
			return err
		}
		hash := sha256.Sum256([]byte(secret))
		for i, f := range all {
			if subtle.ConstantTimeCompare(hashes[i], hash[:]) == 1 {
				o = f.Owner
				return nil
			}
		}
		return ErrNoFeed
	})
	return o, err
}

func feeds(ctx context.Context, q store.Query, where string, args ...any) (all []Feed, hashes [][]byte, err error) {
	rows, err := q.QueryContext(ctx, `SELECT id, household, user_name, hash, created FROM agenda_feeds WHERE `+where, args...)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f Feed
		var hash []byte
		var created int64
		if err := rows.Scan(&f.ID, &f.Owner.Household, &f.Owner.User, &hash, &created); err != nil {
			return nil, nil, err
		}
		f.Created = time.UnixMicro(created).UTC()
		all, hashes = append(all, f), append(hashes, hash)
	}
	return all, hashes, rows.Err()
}
