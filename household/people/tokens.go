package people

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"
	"unicode"

	"rein"
	"rein/store"
)

// How long a token is good, and how long one that no longer is stays in lists.
const (
	DefaultTokenLife = 90 * 24 * time.Hour
	MaxTokenLife     = 366 * 24 * time.Hour
	minTokenLife     = time.Minute
	keepEnded        = 90 * 24 * time.Hour
)

// A TokenRequest says what a new token is to be good for.
type TokenRequest struct {
	User   string        // of the asker's household; empty means the asker
	Label  string        // what it is for, so that people know which one to revoke
	Scopes []rein.Scope  // within those of the user's role, and of the asker; none means all of those
	Life   time.Duration // zero means DefaultTokenLife; at most MaxTokenLife
}

// NewToken makes a token and returns its text, which is told this once. An owner with the scope admin
// makes tokens for their household, and everyone whose browser is logged in makes them for themselves;
// a token alone makes none, so that one which leaked cannot outlive itself.
func (p *People) NewToken(ctx context.Context, by rein.Identity, want TokenRequest) (text string, t rein.Token, err error) {
	if want.User == "" {
		want.User = by.User
	}
	if want.User != by.User || !strings.HasPrefix(by.Via, "browser:") {
		if err := mayAdmin(by); err != nil {
			return "", t, err
		}
	}
	if err := want.check(); err != nil {
		return "", t, err
	}
	text, id, hash := mint(tokenKind)
	err = p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		u, err := activeUser(ctx, tx, by.Household, want.User)
		if err != nil {
			return err
		}
		scopes, err := want.scopes(by, u)
		if err != nil {
			return err
		}
		now := p.now()
		t = rein.Token{ID: id, User: u.Name, Label: want.Label, Scopes: scopes, Created: now, Expires: now.Add(want.life())}
		if err := p.makeRoom(ctx, tx, u, now); err != nil {
			return err
		}
		err = tokenRecords.insert(ctx, tx, p.chain(), id, hash, u.Household, u.Name, t.Label, join(scopes), micros(now), micros(t.Expires), 0, 0)
		if err != nil {
			return err
		}
		return p.note(ctx, tx, by, rein.TokenMade, u.Household, u.Name, id+" for "+join(scopes)+" until "+t.Expires.Format(time.RFC3339))
	})
	if err != nil {
		return "", rein.Token{}, err
	}
	return text, t, nil
}

// ListTokens returns the tokens that the asker may revoke, the oldest first. Those that ended 90 days
// ago are left out.
func (p *People) ListTokens(ctx context.Context, by rein.Identity) (found []rein.Token, err error) {
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = list(ctx, q, scanToken, tokenColumns+` AND (user_name = ? OR ? = 1) AND expires > ? AND (revoked = 0 OR revoked > ?) ORDER BY created, id`,
			by.Household, by.User, isAdmin(by), micros(p.now().Add(-keepEnded)), micros(p.now().Add(-keepEnded)))
		return err
	})
	return found, err
}

// RevokeToken ends a token of the asker's, or with the scope admin of their household, at once.
// Another's does not exist. A token that is good for looking only revokes just itself.
func (p *People) RevokeToken(ctx context.Context, by rein.Identity, id string) error {
	var t rein.Token
	err := p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		found, err := list(ctx, tx, scanToken, tokenColumns+` AND (user_name = ? OR ? = 1) AND id = ?`, by.Household, by.User, isAdmin(by), id)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return rein.Errorf(rein.CodeNotFound, "there is no token %.40q", id)
		}
		if t = found[0]; !t.Revoked.IsZero() {
			return nil
		}
		if err := mayEnd(by, t.ID); err != nil {
			return err
		}
		if _, err := tokenRecords.update(ctx, tx, p.chain(), with("revoked = ?", micros(p.now())), with("id = ?", id)); err != nil {
			return err
		}
		return p.note(ctx, tx, by, rein.TokenRevoked, by.Household, t.User, id)
	})
	if err == nil {
		p.tellWatchers(by.Household, t.User)
	}
	return err
}

// HasTokens reports whether anyone could be recognised by a token now.
func (p *People) HasTokens(ctx context.Context) (bool, error) {
	var found []int
	err := p.Tables.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		found, err = list(ctx, q, func(rows *sql.Rows) (n int, err error) { return n, rows.Scan(&n) },
			`SELECT 1 FROM tokens t JOIN users u ON u.household = t.household AND u.name = t.user_name
			WHERE t.revoked = 0 AND t.expires > ? AND u.disabled = 0 LIMIT 1`, micros(p.now()))
		return err
	})
	return len(found) > 0, err
}

func (r TokenRequest) life() time.Duration {
	if r.Life == 0 {
		return DefaultTokenLife
	}
	return r.Life
}

func (r TokenRequest) check() error {
	switch {
	case r.life() < minTokenLife || r.life() > MaxTokenLife:
		return rein.Errorf(rein.CodeInvalid, "a token is good for one minute to %d days, not for %s", MaxTokenLife/(24*time.Hour), r.Life)
	case r.Label == "" || len(r.Label) > 100 || strings.ContainsFunc(r.Label, func(c rune) bool { return !unicode.IsPrint(c) }):
		return rein.Errorf(rein.CodeInvalid, "the label %.120q does not do: say in 1 to 100 letters what the token is for", r.Label)
	}
	for _, s := range r.Scopes {
		if !slices.Contains(rein.Scopes(), s) {
			return rein.Errorf(rein.CodeInvalid, "scope %.40q does not exist; available: %s", s, join(rein.Scopes()))
		}
	}
	return nil
}

// scopes returns what a token of the user is good for, in the order of Scopes.
func (r TokenRequest) scopes(by rein.Identity, u rein.UserInfo) (good []rein.Scope, err error) {
	for _, s := range rein.Scopes() {
		wanted := slices.Contains(r.Scopes, s)
		switch {
		case wanted && !slices.Contains(u.Role.Scopes(), s):
			return nil, rein.Errorf(rein.CodeInvalid, "%s is %s, which the scope %q is too much for: choose of %s", u.Name, u.Role, s, join(u.Role.Scopes()))
		case wanted, len(r.Scopes) == 0 && slices.Contains(u.Role.Scopes(), s):
			good = append(good, s)
		}
	}
	return good, within(by, good)
}

// makeRoom refuses a user who has too many tokens, and forgets those that ended long ago.
func (p *People) makeRoom(ctx context.Context, tx rein.Tx, u rein.UserInfo, now time.Time) error {
	long := micros(now.Add(-keepEnded))
	_, err := tokenRecords.remove(ctx, tx, p.chain(), ownedBy(u, "(expires <= ? OR revoked > 0 AND revoked <= ?)", long, long))
	if err != nil {
		return err
	}
	good, err := list(ctx, tx, scanToken, tokenColumns+` AND user_name = ? AND revoked = 0 AND expires > ?`, u.Household, u.Name, micros(now))
	if err == nil && len(good) >= maxTokens {
		err = rein.Errorf(rein.CodeLimit, "%s has %d tokens, and may have no more: revoke one first", u.Name, len(good))
	}
	return err
}

const tokenColumns = `SELECT id, user_name, label, scopes, created, expires, revoked, last_used FROM tokens WHERE household = ?`

func scanToken(rows *sql.Rows) (t rein.Token, err error) {
	var scopes string
	var created, expires, revoked, used int64
	err = rows.Scan(&t.ID, &t.User, &t.Label, &scopes, &created, &expires, &revoked, &used)
	for _, s := range strings.Fields(scopes) {
		t.Scopes = append(t.Scopes, rein.Scope(s))
	}
	t.Created, t.Expires, t.Revoked, t.LastUsed = timeOf(created), timeOf(expires), timeOf(revoked), timeOf(used)
	return t, err
}

func isAdmin(by rein.Identity) int {
	if by.May(rein.ScopeAdmin) {
		return 1
	}
	return 0
}

func join(scopes []rein.Scope) string {
	words := make([]string, len(scopes))
	for i, s := range scopes {
		words[i] = string(s)
	}
	return strings.Join(words, " ")
}

// activeUser returns a user of a household who is not disabled.
func activeUser(ctx context.Context, q store.Query, household, name string) (rein.UserInfo, error) {
	u, err := user(ctx, q, household, name)
	if err == nil && !u.Disabled.IsZero() {
		err = rein.Errorf(rein.CodeConflict, "user %s is disabled: enable them first", name)
	}
	return u, err
}
