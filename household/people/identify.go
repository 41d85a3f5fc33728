package people

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// Identify says whose token it is. One that is not known, expired or revoked, or whose user is
// disabled, is CodeUnauthenticated; why is told only to who has the secret.
func (p *People) Identify(ctx context.Context, token string) (rein.Identity, error) {
	c, err := p.recognise(ctx, tokenKind, token, `SELECT t.hash, t.household, t.user_name, t.scopes, t.expires, t.revoked, t.last_used, u.role, u.disabled
		FROM tokens t JOIN users u ON u.household = t.household AND u.name = t.user_name WHERE t.id = ?`)
	if err != nil {
		return rein.Identity{}, err
	}
	who := rein.Identity{Household: c.household, User: c.user, Role: c.role, Via: "token:" + c.id, Scopes: []rein.Scope{}}
	for _, s := range c.role.Scopes() {
		if slices.Contains(strings.Fields(c.scopes), string(s)) {
			who.Scopes = append(who.Scopes, s)
		}
	}
	p.noteUse(ctx, c, `UPDATE tokens SET last_used = ? WHERE id = ? AND last_used < ?`)
	return who, nil
}

// IdentifyBrowser says whose browser the cookie is of. What is refused is CodeUnauthenticated.
func (p *People) IdentifyBrowser(ctx context.Context, cookie string) (rein.Identity, error) {
	c, err := p.recognise(ctx, browserKind, cookie, `SELECT b.hash, b.household, b.user_name, '', b.expires, b.revoked, b.last_seen, u.role, u.disabled
		FROM browsers b JOIN users u ON u.household = b.household AND u.name = b.user_name WHERE b.id = ?`)
	if err != nil {
		return rein.Identity{}, err
	}
	switch {
	case c.role == rein.Service:
		return rein.Identity{}, ended("a service is recognised by tokens only")
	case !p.now().Before(c.used.Add(browserIdle)):
		return rein.Identity{}, ended("you were logged out, since this browser was not used for %d days: log in with a new link", browserIdle/(24*time.Hour))
	}
	p.noteUse(ctx, c, `UPDATE browsers SET last_seen = ? WHERE id = ? AND last_seen < ?`)
	return rein.Identity{Household: c.household, User: c.user, Role: c.role, Via: "browser:" + c.id, Scopes: c.role.Scopes()}, nil
}

func unknown(format string, args ...any) error {
	return rein.Errorf(rein.CodeUnauthenticated, format, args...)
}

// ErrEnded is wrapped by the refusal of a credential that was good once: who sends it is late, and
// does not guess.
var ErrEnded = errors.New("the credential has ended")

func ended(format string, args ...any) error {
	err := rein.Errorf(rein.CodeUnauthenticated, format, args...)
	err.Err = ErrEnded
	return err
}

// A credential is what someone is recognised by, as it is kept.
type credential struct {
	id                     string
	hash                   []byte
	household, user        string
	scopes                 string
	expires, revoked, used time.Time
	role                   rein.UserRole
	disabled               time.Time
}

func scanCredential(rows *sql.Rows) (c credential, err error) {
	var expires, revoked, used, disabled int64
	err = rows.Scan(&c.hash, &c.household, &c.user, &c.scopes, &expires, &revoked, &used, &c.role, &disabled)
	c.expires, c.revoked, c.used, c.disabled = timeOf(expires), timeOf(revoked), timeOf(used), timeOf(disabled)
	return c, err
}

// words are what people call a kind of credential.
var words = map[kind]string{tokenKind: "token", linkKind: "login link", browserKind: "login of this browser"}

// recognise finds a credential and checks that it is good now.
func (p *People) recognise(ctx context.Context, k kind, text, query string) (credential, error) {
	id := idOf(k, text)
	if id == "" {
		return credential{}, unknown("this is not a %s of this server", words[k])
	}
	c, err := p.known.find(p, text, func() (credential, error) { return p.look(ctx, k, id, text, query) })
	if err != nil {
		return credential{}, err
	}
	switch now := p.now(); {
	case !c.disabled.IsZero():
		return c, ended("user %s is disabled: ask an owner of the household", c.user)
	case !c.revoked.IsZero() && k == linkKind:
		return c, ended("the login link was used before, and is good once: ask for a new one")
	case !c.revoked.IsZero():
		return c, ended("the %s was ended at %s", words[k], c.revoked.Format(time.RFC3339))
	case !now.Before(c.expires):
		return c, ended("the %s expired at %s", words[k], c.expires.Format(time.RFC3339))
	}
	return c, nil
}

// look reads a credential.
func (p *People) look(ctx context.Context, k kind, id, text, query string) (credential, error) {
	var found []credential
	err := p.Tables.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		found, err = list(ctx, q, scanCredential, query, id)
		return err
	})
	if err != nil {
		return credential{}, err
	}
	if len(found) == 0 || !same(found[0].hash, hashOf(text)) {
		return credential{}, unknown("the %s is not known", words[k])
	}
	found[0].id = id
	return found[0], nil
}

// How exactly it is known when a credential was last used.
const useGrain = time.Minute

// noteUse writes that a credential was used, at most once a minute. It is for people to look at, so
// nobody is refused because it could not be written: a disk that is full can still be read.
func (p *People) noteUse(ctx context.Context, c credential, update string) {
	now := p.now()
	if now.Sub(c.used) < useGrain || !p.turn(c.id, now) {
		return
	}
	_ = p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		return exec(ctx, tx, update, micros(now), c.id, micros(now.Add(-useGrain))+1)
	})
}

// maxNoted bounds what is remembered of uses; all of it may be forgotten.
const maxNoted = 10_000

// turn reports whether it is this request that writes the use of a credential, and not one beside it.
func (p *People) turn(id string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last, ok := p.noted[id]; ok && now.Sub(last) < useGrain {
		return false
	}
	if p.noted == nil || len(p.noted) >= maxNoted {
		p.noted = map[string]time.Time{}
	}
	p.noted[id] = now
	return true
}

// Reached is who a user is when they say something in a channel of theirs, such as a chat: themselves, without what an admin
// may do. A user who is disabled is nobody.
func (p *People) Reached(ctx context.Context, household, name, channel string) (who rein.Identity, err error) {
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		u, err := activeUser(ctx, q, household, name)
		who = rein.Identity{Household: u.Household, User: u.Name, Role: u.Role, Scopes: []rein.Scope{rein.ScopeRead, rein.ScopeAct, rein.ScopeAnswer}, Via: "channel:" + channel}
		return err
	})
	if err != nil {
		return rein.Identity{}, err
	}
	return who, nil
}
