package people_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/household/people"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A rig is the people of a store, with a clock that stands still until it is told.
type rig struct {
	*testing.T
	*people.People
	path  string
	store *sqlite.Store

	mu  sync.Mutex
	now time.Time
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{T: t, path: filepath.Join(t.TempDir(), "rein.db"), now: noon}
	s, err := sqlitetest.Open(t, r.path, sqlite.Options{})
	check(t, err)
	t.Cleanup(func() { s.Close() })
	r.store = s
	r.People = &people.People{Tables: s, Now: r.clock}
	check(t, r.Begin(t.Context()))
	return r
}

func (r *rig) clock() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

func (r *rig) pass(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = r.now.Add(d)
}

// add makes a user and returns them as someone with all that their role may do, by a browser.
func (r *rig) add(name string, role rein.UserRole) rein.Identity {
	r.Helper()
	_, err := r.AddUser(r.Context(), rein.Host(), name, role)
	check(r, err)
	return rein.Identity{Household: "home", User: name, Role: role, Scopes: role.Scopes(), Via: "browser:x"}
}

// token makes a token as the host.
func (r *rig) token(user string, scopes ...rein.Scope) (text, id string) {
	r.Helper()
	text, t, err := r.NewToken(r.Context(), rein.Host(), people.TokenRequest{User: user, Label: "a test", Scopes: scopes})
	check(r, err)
	return text, t.ID
}

func (r *rig) link(user string) string {
	r.Helper()
	link, err := r.NewLoginLink(r.Context(), rein.Host(), user)
	check(r, err)
	return link
}

// browser logs a browser in.
func (r *rig) browser(user string) (cookie string, who rein.Identity) {
	r.Helper()
	cookie, who, err := r.UseLoginLink(r.Context(), r.link(user), "")
	check(r, err)
	return cookie, who
}

// exec changes the file behind the back of people.
func (r *rig) exec(query string, args ...any) {
	r.Helper()
	check(r, r.store.Write(r.Context(), func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	}))
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused wants an error with the code that says each of the words.
func refused(t testing.TB, err error, code rein.Code, words ...string) {
	t.Helper()
	if rein.CodeOf(err) != code {
		t.Errorf("error is %v (%s), want %s", err, rein.CodeOf(err), code)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
}
