package people

import (
	"context"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"math/big"
	"strings"
	"sync"
	"time"

	"rein"
)

// CodeLife is how long a pairing code is good.
const CodeLife = 10 * time.Minute

// A pairing code is short, so that people can type it: 8 of 30 characters, of which no two look the same, in two groups.
const (
	codeLetters = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
	codeLength  = 8
)

func newCode() (string, error) {
	code := make([]byte, codeLength)
	for i := range code {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(codeLetters))))
		if err != nil {
			return "", err
		}
		code[i] = codeLetters[n.Int64()]
	}
	return string(code[:codeLength/2]) + "-" + string(code[codeLength/2:]), nil
}

// readCode returns a code as it was made, however it was typed; empty: it cannot be one.
func readCode(typed string) string {
	if len(typed) > 4*codeLength {
		return ""
	}
	code := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(typed))
	if len(code) != codeLength || strings.Trim(code, codeLetters) != "" {
		return ""
	}
	return code[:codeLength/2] + "-" + code[codeLength/2:]
}

// codeRounds makes a hash of a code cost some milliseconds, so that whoever steals the data cannot try all codes while one
// is good.
const codeRounds = 60_000

// hashCode has the same salt for every code: a code is looked up by its hash, and is random.
func hashCode(code string) ([]byte, error) {
	return pbkdf2.Key(sha256.New, code, []byte("rein pairing code"), codeRounds, sha256.Size)
}

// NewPairing makes a code that logs a device in as a user, once, within ten minutes: for the asker, whose credential must be
// good for all that they may do, or with the scope admin for anyone in the household. An empty name is the asker.
func (p *People) NewPairing(ctx context.Context, by rein.Identity, name string) (code string, made rein.Pairing, err error) {
	if name == "" {
		name = by.User
	}
	if name != by.User || by.Household == "" {
		if err := mayAdmin(by); err != nil {
			return "", made, err
		}
	}
	if code, err = newCode(); err != nil {
		return "", made, err
	}
	hash, err := hashCode(code)
	if err != nil {
		return "", made, err
	}
	err = p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		u, err := activeUser(ctx, tx, by.Household, name)
		if err != nil {
			return err
		}
		if u.Role == rein.Service {
			return rein.Errorf(rein.CodeInvalid, "%s is a service, which has no browser: make a token for it", name)
		}
		if err := within(by, u.Role.Scopes()); err != nil {
			return err
		}
		now := p.now()
		if _, err := p.keepFew(ctx, tx, u, pairingRecords, now); err != nil {
			return err
		}
		made = rein.Pairing{User: u.Name, Expires: now.Add(CodeLife)}
		id := strings.ToLower(rand.Text()[:idLength])
		if err := pairingRecords.insert(ctx, tx, p.chain(), id, hash, u.Household, u.Name, micros(now), micros(made.Expires)); err != nil {
			return err
		}
		return p.note(ctx, tx, by, rein.CodeMade, u.Household, u.Name, id)
	})
	if err != nil {
		return "", rein.Pairing{}, err
	}
	return code, made, nil
}

// UsePairing logs a browser in with a code, as UseLoginLink does with a link. So many codes may be tried in a while, by all
// who try together; then it is CodeRateLimited.
func (p *People) UsePairing(ctx context.Context, typed, label string) (cookie string, who rein.Identity, err error) {
	wrong := unknown("this is not a pairing code that is good now: it is good once, for %d minutes. Ask for a new one", CodeLife/time.Minute)
	code := readCode(typed)
	if code == "" {
		return "", rein.Identity{}, wrong
	}
	if err := p.tries.take(p.now()); err != nil {
		return "", rein.Identity{}, err
	}
	hash, err := hashCode(code)
	if err != nil {
		return "", rein.Identity{}, err
	}
	return p.admit(ctx, rein.Device{Label: label, CameBy: rein.ByCode}, func(ctx context.Context, tx rein.Tx, _ rein.Identity) (rein.UserInfo, error) {
		type pairing struct {
			id, household, user string
			expires             time.Time
		}
		found, err := list(ctx, tx, func(rows *sql.Rows) (f pairing, err error) {
			var expires int64
			err = rows.Scan(&f.id, &f.household, &f.user, &expires)
			f.expires = timeOf(expires)
			return f, err
		}, `SELECT id, household, user_name, expires FROM pairings WHERE hash = ?`, hash)
		if err != nil {
			return rein.UserInfo{}, err
		}
		if len(found) == 0 || !p.now().Before(found[0].expires) {
			return rein.UserInfo{}, wrong
		}
		if _, err := pairingRecords.remove(ctx, tx, p.chain(), with("id = ?", found[0].id)); err != nil {
			return rein.UserInfo{}, err
		}
		return activeUser(ctx, tx, found[0].household, found[0].user)
	})
}

// maxTries is how many codes may be tried within the life of one: nobody guesses one of 30^8 with so few.
const maxTries = 30

// tries counts the codes that were tried lately.
type tries struct {
	mu sync.Mutex
	at []time.Time
}

func (t *tries) take(now time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.at) > 0 && !now.Before(t.at[0].Add(CodeLife)) {
		t.at = t.at[1:]
	}
	if len(t.at) >= maxTries {
		err := rein.Errorf(rein.CodeRateLimited, "too many pairing codes were tried: wait some minutes, or open a login link (rein login)")
		err.RetryAfter = t.at[0].Add(CodeLife).Sub(now)
		return err
	}
	t.at = append(t.at, now)
	return nil
}
