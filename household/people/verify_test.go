package people_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"

	"rein/household/people"
	"rein/store"
)

// house fills a store with people: users, tokens that are good and revoked, links and browsers.
func (r *rig) house() {
	r.Helper()
	r.add("ann", rein.Member)
	r.add("bob", rein.Member)
	_, revoked := r.token("ann")
	r.token("bob")
	check(r, r.RevokeToken(r.Context(), rein.Host(), revoked))
	_, who := r.browser("ann")
	r.browser("bob")
	r.link("ann")
	check(r, r.Logout(r.Context(), who))
	check(r, r.SetRole(r.Context(), rein.Host(), "bob", rein.Viewer))
	check(r, r.DisableUser(r.Context(), rein.Host(), "ann"))
}

func (r *rig) verdict() people.Verdict {
	r.Helper()
	v, err := people.Verify(r.Context(), r.store)
	check(r, err)
	return v
}

func (r *rig) sound() {
	r.Helper()
	if v := r.verdict(); len(v.Wrong) > 0 || v.Entries == 0 {
		r.Errorf("records that nobody changed: %+v", v)
	}
}

// TestTamperedPeople changes records behind the back of the program. Whatever is changed, an audit
// names it.
//
// Attack: 70
// Covers: LAW-1
func TestTamperedPeople(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, sql, says string }{
		{"a role", `UPDATE users SET role = 'owner' WHERE name = 'bob'`, "users/home/bob was changed"},
		{"a user who is let in again", `UPDATE users SET disabled = 0 WHERE name = 'ann'`, "users/home/ann was changed"},
		{"a user who is added", `INSERT INTO users VALUES ('home', 'eve', 'owner', 1, 0)`, "users/home/eve was added"},
		{"a user who is gone", `DELETE FROM users WHERE name = 'bob'`, "users/home/bob was removed"},
		{"a household", `UPDATE users SET household = 'other' WHERE name = 'bob'`, "users/home/bob was removed"},
		{"a token that is inserted", `INSERT INTO tokens SELECT 'aaaaaaaaaaaa', hash, household, user_name, label, scopes, created, expires, 0, 0 FROM tokens LIMIT 1`, "tokens/aaaaaaaaaaaa was added"},
		{"a token of another secret", `UPDATE tokens SET hash = zeroblob(32)`, "was changed"},
		{"the scopes of a token", `UPDATE tokens SET scopes = 'admin'`, "was changed"},
		{"the end of a token", `UPDATE tokens SET expires = expires + 1`, "was changed"},
		{"a revocation", `UPDATE tokens SET revoked = 0 WHERE user_name = 'ann'`, "was changed"},
		{"a revoked token that is gone", `DELETE FROM tokens WHERE revoked > 0`, "was removed"},
		{"what was told of a revocation", `DELETE FROM people_changes WHERE what = 'token revoked'`, "was removed"},
		{"who did it", `UPDATE people_changes SET by_user = 'bob' WHERE what = 'token revoked'`, "was changed"},
		{"a browser that is logged in", `INSERT INTO browsers SELECT 'bbbbbbbbbbbb', hash, household, user_name, created, expires, last_seen, 0 FROM browsers LIMIT 1`, "was added"},
		{"a browser that is logged in again", `UPDATE browsers SET revoked = 0`, "was changed"},
		{"a link that was used", `UPDATE login_links SET used = 0`, "was changed"},
		{"a record and its entry", `DELETE FROM tokens WHERE revoked > 0; UPDATE people_chain SET record = NULL, salt = NULL WHERE record LIKE 'tokens/%'`, "no later entry says so"},
		{"an entry", `DELETE FROM people_chain WHERE n = 3`, "missing"},
		{"an entry that is another", `UPDATE people_chain SET changed = changed + 1 WHERE n = 3`, "entry 3 is not what was written"},
		{"an entry that becomes an end", `UPDATE people_chain SET what = 'gone' WHERE record = 'users/home/bob'`, "is not what was written"},
		{"a digest", `UPDATE people_chain SET digest = x'00' WHERE n = 3`, "entry 3 is not what was written"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.house()
			r.sound()
			r.exec(c.sql)
			v := r.verdict()
			t.Logf("%q", v.Wrong)
			if !slices.ContainsFunc(v.Wrong, func(w string) bool { return strings.Contains(w, c.says) }) {
				t.Errorf("an audit finds %q, want something about %q", v.Wrong, c.says)
			}
		})
	}
}

// TestTamperedThenChanged checks that a change of the program does not cover up what was done by hand.
//
// Attack: 70
func TestTamperedThenChanged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, sql, says string
		change          func(*rig)
	}{
		{"a role, and then the user is disabled", `UPDATE users SET role = 'owner' WHERE name = 'bob'`, "users/home/bob had been changed by hand", func(r *rig) {
			check(r, r.DisableUser(r.Context(), rein.Host(), "bob"))
		}},
		{"a user, who is then added again", `DELETE FROM users WHERE name = 'bob'`, "users/home/bob had been removed by hand", func(r *rig) { r.add("bob", rein.Viewer) }},
		{"the newest change, whose number is then used again", `DELETE FROM people_changes WHERE n = (SELECT max(n) FROM people_changes)`, "people_changes/14 had been removed by hand", func(r *rig) { r.token("bob") }},
		{"a link, which then expires", `UPDATE login_links SET used = 0 WHERE used > 0`, "removed had been changed by hand", func(r *rig) {
			r.pass(48 * time.Hour)
			r.link("bob")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.house()
			r.exec(c.sql)
			c.change(r)
			if v := r.verdict(); !slices.ContainsFunc(v.Wrong, func(w string) bool { return strings.Contains(w, c.says) }) {
				t.Errorf("an audit finds %q, want something about %q", v.Wrong, c.says)
			}
		})
	}
}

// TestErasedPeople checks that records which go leave a chain that holds and from which nothing can be
// guessed, and that using a credential is no change.
func TestErasedPeople(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.house()
	token, _ := r.token("owner")
	r.pass(2 * time.Minute)
	_, err := r.Identify(t.Context(), token)
	check(t, err)
	r.sound()
	r.pass(400 * 24 * time.Hour)
	r.link("owner")  // forgets all links that have expired
	r.browser("bob") // and browsers
	r.token("owner") // and tokens of the owner
	r.sound()
	var named int
	check(t, r.store.Read(t.Context(), func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT count(*) FROM people_chain WHERE (salt IS NULL) <> (record IS NULL) OR record LIKE 'login_links/%' AND record NOT IN (SELECT 'login_links/' || id FROM login_links)`)
		check(t, err)
		defer rows.Close()
		rows.Next()
		return rows.Scan(&named)
	}))
	if v := r.verdict(); named > 0 || v.Erased == 0 {
		t.Errorf("of what is gone the chain has %d names: %+v", named, v)
	}
}

// TestChainBegins checks that what was there before the chain gets into it as it is, once.
func TestChainBegins(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.house()
	r.exec(`DELETE FROM people_chain`)
	r.exec(`DELETE FROM people_chained`)
	if v := r.verdict(); len(v.Wrong) > 0 || v.Entries > 0 {
		t.Errorf("a store without a chain: %+v", v)
	}
	check(t, r.Begin(t.Context()))
	r.sound()
	r.exec(`DELETE FROM people_chain`)
	check(t, r.Begin(t.Context()))
	if v := r.verdict(); len(v.Wrong) == 0 {
		t.Error("a chain that was taken away began again")
	}
}
