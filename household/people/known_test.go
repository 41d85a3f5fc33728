package people_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/household/people"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A counted store counts what is read from its tables.
type counted struct {
	*sqlite.Store
	reads  atomic.Int64
	during func() // called in the middle of a read, if it is not nil
}

func (c *counted) Read(ctx context.Context, do func(context.Context, store.Query) error) error {
	c.reads.Add(1)
	err := c.Store.Read(ctx, do)
	if during := c.during; during != nil {
		c.during = nil
		during()
	}
	return err
}

// countReads makes the rig's people read through a counted store.
func countReads(r *rig) *counted {
	c := &counted{Store: r.store}
	r.People = &people.People{Tables: c, Now: r.clock}
	return c
}

// TestCredentialsAreRemembered looks at how often the store is read: once for many requests, and again after
// anything was written to any table, or after a while.
func TestCredentialsAreRemembered(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Member)
	text, _ := r.token("ann")
	cookie, _ := r.browser("ann")
	c := countReads(r)
	wantReads := func(what string, want int64) {
		t.Helper()
		c.reads.Store(0)
		for range 10 {
			_, err := r.Identify(t.Context(), text)
			check(t, err)
			_, err = r.IdentifyBrowser(t.Context(), cookie)
			check(t, err)
		}
		if got := c.reads.Load(); got != want {
			t.Errorf("%s: %d reads, want %d", what, got, want)
		}
	}
	for range 3 { // their first uses are noted, which is a write
		_, err := r.Identify(t.Context(), text)
		check(t, err)
		_, err = r.IdentifyBrowser(t.Context(), cookie)
		check(t, err)
	}
	wantReads("known", 0)
	r.pass(59 * time.Second)
	wantReads("within a minute", 0)
	check(t, r.store.Write(t.Context(), func(context.Context, rein.Tx) error { return nil }))
	wantReads("after a write", 2)
	wantReads("known again", 0)
	for range 2 {
		if _, err := r.Identify(t.Context(), text[:len(text)-1]+"a"); err == nil {
			t.Error("a guess is let in")
		}
	}
	if c.reads.Load() != 2 {
		t.Errorf("%d reads for two guesses: they are not remembered", c.reads.Load())
	}
}

// TestChangesHoldAtOnce makes every change that ends or alters a credential that was just used, through these
// people, through others over the same store, and by plain SQL. The next request heeds each.
//
// Attack: 11
func TestChangesHoldAtOnce(t *testing.T) {
	ctx, host := t.Context(), rein.Host()
	for name, change := range map[string]func(p *people.People, s *sqlite.Store, id string) error{
		"revoked":  func(p *people.People, _ *sqlite.Store, id string) error { return p.RevokeToken(ctx, host, id) },
		"disabled": func(p *people.People, _ *sqlite.Store, _ string) error { return p.DisableUser(ctx, host, "ann") },
		"erased": func(p *people.People, s *sqlite.Store, _ string) error {
			return s.Erase(ctx, func(ctx context.Context, m store.Moment) ([]rein.RunID, error) {
				return nil, p.EraseUser(ctx, m, host, "ann")
			})
		},
		"by SQL": func(_ *people.People, s *sqlite.Store, id string) error {
			return s.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
				_, err := tx.ExecContext(ctx, "UPDATE tokens SET revoked = 1 WHERE id = ?", id)
				return err
			})
		},
	} {
		for _, others := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				r := newRig(t)
				r.add("ann", rein.Member)
				text, id := r.token("ann")
				for range 3 {
					_, err := r.Identify(ctx, text)
					check(t, err)
				}
				by := r.People
				if others {
					by = &people.People{Tables: r.store, Now: r.clock}
				}
				check(t, change(by, r.store, id))
				_, err := r.Identify(ctx, text)
				refused(t, err, rein.CodeUnauthenticated)
			})
		}
	}
}

// TestRememberedExpires lets a credential end that nobody writes about.
func TestRememberedExpires(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Member)
	short, _, err := r.NewToken(t.Context(), rein.Host(), people.TokenRequest{User: "ann", Label: "x", Life: time.Minute})
	check(t, err)
	c := countReads(r)
	for range 3 {
		_, err = r.Identify(t.Context(), short)
		check(t, err)
	}
	r.pass(30 * time.Second)
	_, err = r.Identify(t.Context(), short)
	check(t, err)
	c.reads.Store(0)
	r.pass(30 * time.Second)
	_, err = r.Identify(t.Context(), short)
	refused(t, err, rein.CodeUnauthenticated, "expired")
}

// TestLateReadIsNotRemembered revokes a token while a request has read it and not yet been let in. That
// request may pass; what it read must not count for the next.
//
// Attack: 11
func TestLateReadIsNotRemembered(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Member)
	text, id := r.token("ann")
	c := countReads(r)
	other := &people.People{Tables: r.store, Now: r.clock}
	_, err := other.Identify(t.Context(), text) // its use is noted here, not by the request that reads
	check(t, err)
	c.during = func() { check(t, other.RevokeToken(t.Context(), rein.Host(), id)) }
	_, _ = r.Identify(t.Context(), text)
	_, err = r.Identify(t.Context(), text)
	refused(t, err, rein.CodeUnauthenticated, "ended")
}

// plain hides that a store is Versioned.
type plain struct{ store.Tables }

// TestUnversionedStoresAreRead holds of stores that others may write: each request reads.
func TestUnversionedStoresAreRead(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Member)
	text, id := r.token("ann")
	p := &people.People{Tables: plain{r.store}, Now: r.clock}
	_, err := p.Identify(t.Context(), text)
	check(t, err)
	check(t, r.RevokeToken(t.Context(), rein.Host(), id))
	_, err = p.Identify(t.Context(), text)
	refused(t, err, rein.CodeUnauthenticated)

	path := filepath.Join(t.TempDir(), "rein.db")
	s, err := sqlitetest.Open(t, path, sqlite.Options{})
	check(t, err)
	check(t, s.Close())
	reader, err := sqlite.OpenReader(t.Context(), path)
	check(t, err)
	defer reader.Close()
	if _, ok := reader.TablesVersion(); ok {
		t.Error("a store that another process may own says that it knows of all writes")
	}
}
