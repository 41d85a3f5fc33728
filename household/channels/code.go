package channels

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"math/big"
	"strings"
	"time"

	"rein"
)

// A code that verifies a channel is short, so it lasts for a short time and takes few tries.
const (
	CodeLife  = 15 * time.Minute
	codeTries = 5
)

// NewCode makes the code that verifies a channel of a user, in place of the one before. It is sent to the channel: anyone who
// can repeat it reads there.
func (b Book) NewCode(ctx context.Context, household, user, id string) (code string, c Channel, err error) {
	if c, err = b.Get(ctx, household, user, id); err != nil {
		return "", c, err
	}
	if c.Works() {
		return "", c, rein.Errorf(rein.CodeConflict, "channel %s is verified already", id)
	}
	n, err := rand.Int(rand.Reader, big.NewInt(100_000_000))
	if err != nil {
		return "", c, err
	}
	code = fmt.Sprintf("%08d", n)
	hash := hashOf(id, code)
	return code, c, b.change(ctx, id, `UPDATE channels SET code_sha256 = ?, code_expires = ?, code_tries = ? WHERE household = ? AND user_name = ? AND id = ?`,
		hash, b.now().Add(CodeLife).UnixMicro(), codeTries, household, user, id)
}

func hashOf(id, code string) []byte {
	sum := sha256.Sum256([]byte(id + "\x00" + code))
	return sum[:]
}

// Verify says that a channel belongs to its user, if they repeat the code that was sent there.
func (b Book) Verify(ctx context.Context, household, user, id, code string) error {
	code = strings.Map(digitsOnly, code)
	var refused error
	err := b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		hash, expires, tries, err := codeOf(ctx, tx, household, user, id)
		if err != nil {
			return err
		}
		now := b.now()
		switch {
		case len(hash) == 0 || tries <= 0 || !now.Before(expires):
			refused = rein.Errorf(rein.CodeInvalid, "channel %s has no code that is still good: have another one sent with rein channels verify %[1]s", id)
			return nil
		case subtle.ConstantTimeCompare(hash, hashOf(id, code)) != 1:
			refused = rein.Errorf(rein.CodeInvalid, "this is not the code that was sent to channel %s; tries left: %d", id, tries-1)
			_, err = tx.ExecContext(ctx, `UPDATE channels SET code_tries = code_tries - 1 WHERE id = ?`, id)
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE channels SET verified = ?, gone = 0, why = '', code_sha256 = x'', code_tries = 0 WHERE id = ?`, now.UnixMicro(), id)
		return err
	})
	if err == nil {
		err = refused // a wrong code counts, so its transaction is kept
	}
	return err
}

func digitsOnly(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}

func codeOf(ctx context.Context, tx rein.Tx, household, user, id string) (hash []byte, expires time.Time, tries int, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT code_sha256, code_expires, code_tries FROM channels WHERE household = ? AND user_name = ? AND id = ?`, household, user, id)
	if err != nil {
		return nil, expires, 0, err
	}
	defer rows.Close()
	if !rows.Next() {
		return nil, expires, 0, notFound(id)
	}
	var until int64
	err = rows.Scan(&hash, &until, &tries)
	return hash, timeOf(until), tries, err
}
