// Package people knows who may do what: households, users and roles, tokens, and logged-in
// browsers. It has the rules and the SQL for types of the root package; a store brings the
// transactions. Secrets are stored as hashes only.
package people

import (
	"context"
	"database/sql"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/store"
)

// People are the users of all households and what they are recognised by. Every method that changes
// something takes who wants it, checks that they may, and notes it in the household's Changes in the
// same transaction. Nobody sees or changes anything of another household.
type People struct {
	Tables store.Tables
	Now    func() time.Time // nil means time.Now
	Roles  rein.Roles       // nil means rein.DefaultRoles

	known  known[credential]
	judged known[rein.Rights] // by household and user
	tries  tries

	mu       sync.Mutex
	noted    map[string]time.Time // when the use of a credential was last written, by its ID
	watchers map[int]func(household, user string)
	watched  int
}

// What there is at most.
const (
	maxUsers  = 500 // of a household
	maxTokens = 100 // of a user, that are good
	maxOpen   = 20  // browsers that a user is logged in with, and login links that wait for them
)

// Begin makes the household "home" with its user "owner" if there is nobody yet.
func (p *People) Begin(ctx context.Context) error {
	return p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		known, err := users(ctx, tx, rein.FirstHousehold)
		if err != nil || len(known) > 0 {
			return err
		}
		return p.insertUser(ctx, tx, rein.Host(), rein.UserInfo{Household: rein.FirstHousehold, Name: rein.FirstUser, Role: rein.Owner, Created: p.now()})
	})
}

// Watch calls f after each change that may end what someone is recognised by, with whose it is, until
// stop is called. f is called by who makes the change: it must be quick, and must not change people.
func (p *People) Watch(f func(household, user string)) (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.watchers == nil {
		p.watchers = map[int]func(string, string){}
	}
	p.watched++
	n := p.watched
	p.watchers[n] = f
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.watchers, n)
	}
}

// tellWatchers says that the credentials of a user may no longer be good.
func (p *People) tellWatchers(household, user string) {
	p.mu.Lock()
	var all []func(string, string)
	for _, f := range p.watchers {
		all = append(all, f)
	}
	p.mu.Unlock()
	for _, f := range all {
		f(household, user)
	}
}

func (p *People) now() time.Time {
	now := time.Now
	if p.Now != nil {
		now = p.Now
	}
	return now().UTC().Truncate(time.Microsecond) // as it is kept
}

// patience is how long a change of people may take. It goes on when who asked for it hangs up.
const patience = 10 * time.Second

func (p *People) write(ctx context.Context, do func(context.Context, rein.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	return p.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := p.chain().begin(ctx, tx); err != nil {
			return err
		}
		return do(ctx, tx)
	})
}

func (p *People) chain() chain { return chain{p.now()} }

// mayAdmin refuses who may not change the people of their household.
func mayAdmin(by rein.Identity) error {
	if by.Household == "" || !by.May(rein.ScopeAdmin) {
		return rein.Errorf(rein.CodeForbidden, "this needs an owner of the household, with the scope %q", rein.ScopeAdmin)
	}
	return nil
}

// mayHost refuses who cannot open the data folder itself.
func mayHost(by rein.Identity) error {
	if by.Via != rein.Host().Via || !by.May(rein.ScopeAdmin) {
		return rein.Errorf(rein.CodeForbidden, "only who can open the data folder looks after households: run rein household on the machine of the server")
	}
	return nil
}

// mayEnd refuses to let a token that is good for looking only end other credentials of its user: one
// that leaked must not lock them out. It may end itself.
func mayEnd(by rein.Identity, token string) error {
	if !strings.HasPrefix(by.Via, "token:") || by.Via == "token:"+token || by.May(rein.ScopeAct) || by.May(rein.ScopeAdmin) {
		return nil
	}
	return rein.Errorf(rein.CodeForbidden, "this token ends no other credential than itself: that needs the scope %q, or a browser that is logged in", rein.ScopeAct)
}

// within refuses scopes that the asker does not have: nobody hands out more than their own credential
// is good for.
func within(by rein.Identity, scopes []rein.Scope) error {
	for _, s := range scopes {
		if !by.May(s) {
			return rein.Errorf(rein.CodeForbidden, "the scope %q is more than your own credential is good for", s)
		}
	}
	return nil
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

func exec(ctx context.Context, tx rein.Tx, query string, args ...any) error {
	_, err := tx.ExecContext(ctx, query, args...)
	return err
}

// list reads the rows of a query.
func list[T any](ctx context.Context, q store.Query, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []T{}
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, rows.Err()
}

// isName reports whether a text can name a household or a user: letters, digits and . _ - in lower
// case, so that no two names look the same.
func isName(s string) bool {
	if s == "" || len(s) > 64 || strings.ContainsAny(s[:1], "._-") {
		return false
	}
	return !strings.ContainsFunc(s, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("._-", c)
	})
}

func checkName(what, name string) error {
	if !isName(name) {
		return rein.Errorf(rein.CodeInvalid, "%s %.80q is not a name: use 1 to 64 of a-z, 0-9, dot, dash and underscore, with a letter or digit first", what, name)
	}
	if what == "user" && name == "system" {
		return rein.Errorf(rein.CodeInvalid, "no user can be called %q: so the log calls what rein does by itself. Choose another name", name)
	}
	return nil
}

// checkRole returns the role that is meant.
func checkRole(r rein.UserRole) (rein.UserRole, error) { return rein.RoleNamed(string(r)) }
