package cli

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein"

	"rein/household/people"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/storetest"
)

// copyData copies the data folder of a home, without its socket and locks.
func (h *home) copyData(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range []string{"rein.db", "rein.db-wal"} {
		content, err := os.ReadFile(filepath.Join(h.dir, ".local", "share", "rein", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), content, 0o600)
		}
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return folder
}

// peopled makes users, tokens that are good and revoked, and runs that ended, wait and were deleted.
func (s *house) peopled() {
	s.Helper()
	s.ok("users", "add", "ann", "member")
	s.ok("users", "add", "bob", "member")
	s.ok("tokens", "new", "phone", "--user", "ann")
	revoked := s.ok("tokens", "new", "lost", "--user", "bob")
	s.ok("tokens", "revoke", strings.Split(revoked, "_")[1])
	for range 2 {
		s.finished(s.start("Hello.").ID)
	}
}

// headed makes a service with people and runs, takes a head, lets more happen and ends it. There are
// checkpoints before and after that of the head.
func headed(t *testing.T) (h *home, head string) {
	t.Helper()
	h = newHome(t, "")
	s := h.serve().withToken()
	s.logs("made a checkpoint")
	s.peopled()
	head = s.ok("audit", "head")
	s.finished(s.start("Hello again.").ID)
	s.ok("users", "add", "cid", "member")
	s.ok("audit", "head")
	s.finished(s.start("Hello once more.").ID)
	if out := s.ok("audit", "verify", "--head", head); !strings.Contains(out, ": all is there") || !strings.HasSuffix(out, "nothing is wrong") {
		t.Error(out)
	}
	if out := s.ok("doctor"); !strings.Contains(out, "checkpoint   the last one was made") {
		t.Error(out)
	}
	s.end(syscall.SIGTERM)
	return h, head
}

// tamper does something to a store behind the program's back.
func tamper(t *testing.T, folder, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(folder, "rein.db"))
	if err == nil {
		_, err = db.Exec(statements)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// swap exchanges two rows of a table.
func swap(table, column string, one, other int) string {
	move := `UPDATE %s SET %s = %d WHERE %s = %d;`
	return fmt.Sprintf(move+move+move, table, column, 1000000, column, one, table, column, one, column, other, table, column, other, column, 1000000)
}

// TestAuditProvesWhatPeopleSee changes the data of a service behind its back, in every way that an audit
// of the logs alone would miss.
//
// Attack: 70
// Covers: LAW-1 ENG-56
func TestAuditProvesWhatPeopleSee(t *testing.T) {
	t.Parallel()
	h, head := headed(t)
	const people = `DELETE FROM users; DELETE FROM tokens; DELETE FROM people_changes; DELETE FROM browsers; DELETE FROM login_links;`
	const chain = `DELETE FROM people_chain; DELETE FROM people_chained;`
	for _, c := range []struct{ name, sql, says string }{
		{"a title", `UPDATE runs SET title = 'another'`, "title is"},
		{"an outcome", `UPDATE runs SET outcome = CAST('{"end":"done","text":"a lie"}' AS BLOB)`, "outcome is"},
		{"a status", `UPDATE runs SET status = 'failed'`, "status is"},
		{"whose a session is", `UPDATE sessions SET user = 'bob'`, "user is"},
		{"a session", `DELETE FROM sessions WHERE n = 1`, "session"},
		{"a ledger", `UPDATE runs SET cap_depth = 7`, "ledger"},
		{"an account", `UPDATE accounts SET tokens = 0, micros = 0, bytes = 0`, "account of"},
		{"a role", `UPDATE users SET role = 'owner' WHERE name = 'ann'`, "users/home/ann was changed by hand"},
		{"a token", `INSERT INTO tokens SELECT 'aaaaaaaaaaaa', hash, household, user_name, label, scopes, created, expires, 0, 0 FROM tokens LIMIT 1`, "tokens/aaaaaaaaaaaa was added by hand"},
		{"a revocation", `UPDATE tokens SET revoked = 0`, "was changed by hand"},
		{"the record of a revocation", `DELETE FROM people_changes WHERE what = 'token revoked'`, "was removed by hand"},
		{"a user", `DELETE FROM users WHERE name = 'bob'`, "users/home/bob was removed by hand"},
		{"a run", `DELETE FROM events WHERE run_n = 1; DELETE FROM runs WHERE n = 1`, "is gone; it had"},
		{"all runs but one", `DELETE FROM events WHERE run_n > 1; DELETE FROM sessions WHERE n > 1; DELETE FROM runs WHERE n > 1`, "is gone; it had"},
		{"the end of a log", `DELETE FROM events WHERE run_n = 2 AND seq = (SELECT seq FROM runs WHERE n = 2); UPDATE runs SET seq = seq - 1, hash = (SELECT hash FROM events e WHERE e.run_n = 2 ORDER BY e.seq DESC LIMIT 1) WHERE n = 2`, "events; event"},
		{"the order of a log", swap("events", "seq", 2, 3), "event 2 is not what was written"},
		{"which log is whose", swap("runs", "n", 1, 2), "is not what was written"},
		{"the end of the chain of people", `DELETE FROM people_chain WHERE n > 3`, "entry"},
		{"the order of the chain of people", swap("people_chain", "n", 2, 3), "entry 2 is not what was written"},
		{"all people and their chain", people + chain, "entry"},
		{"a checkpoint before the head", `UPDATE checkpoints SET runs = 1 WHERE n = 1`, "checkpoint 1 of"},
		{"the checkpoint of the head", `UPDATE checkpoints SET made = made + 1 WHERE n = 2`, "checkpoint 2 of"},
		{"a checkpoint after the head", `UPDATE checkpoints SET people_n = 1 WHERE n = 3`, "checkpoint 3 of"},
		{"what a checkpoint covers", `UPDATE checkpoint_runs SET seq = seq - 1 WHERE run = (SELECT id FROM runs WHERE n = 1)`, "says of its runs was changed"},
		{"the order of checkpoints", swap("checkpoints", "n", 1, 2), "checkpoint 1 of"},
		{"a checkpoint that is gone", `DELETE FROM checkpoints WHERE n = 1`, "checkpoints 1 to 1 are missing"},
		{"all newer checkpoints", `DELETE FROM checkpoints WHERE n > 1`, "there is no checkpoint with this head"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := h.copyData(t)
			tamper(t, folder, c.sql)
			out, _, code := h.rein("audit", "verify", "--head", head, "--data", folder)
			if code != exitWrong || !strings.Contains(out, c.says) || strings.Contains(out, "nothing is wrong") {
				t.Errorf("exit %d, want %q:\n%s", code, c.says, out)
			}
		})
	}
	t.Run("everyone, and the program begins again", func(t *testing.T) {
		folder := h.copyData(t)
		tamper(t, folder, people+chain+`DELETE FROM checkpoints WHERE n > 2; DELETE FROM checkpoint_runs WHERE checkpoint_n > 2`)
		for i := range 10 {
			h.ok("users", "add", fmt.Sprintf("user%d", i), "member", "--data", folder)
		}
		out, _, code := h.rein("audit", "verify", "--head", head, "--data", folder)
		if code != exitWrong || !strings.Contains(out, "people: the chain of their records was written again") {
			t.Errorf("exit %d:\n%s", code, out)
		}
	})
	h.refuses(exitUsage, "64 hex digits", "audit", "verify", "--head", "abc")
	h.refuses(exitUsage, "leave out the runs", "audit", "verify", "r", "--head", head)
}

// TestErasingKeepsHeads erases a run and lets links, logins and tokens expire. An audit finds nothing
// wrong, and the head holds.
//
// Covers: LAW-1 ENG-36
func TestErasingKeepsHeads(t *testing.T) {
	t.Parallel()
	h, head := headed(t)
	s, err := sqlite.Open(t.Context(), filepath.Join(h.dir, ".local", "share", "rein", "rein.db"), sqlite.Options{})
	h.check(err)
	for run, err := range s.Runs(t.Context(), store.Filter{}) {
		h.check(err)
		h.check(s.Erase(t.Context(), storetest.These(run.ID)))
	}
	later := &people.People{Tables: s, Now: func() time.Time { return time.Now().AddDate(2, 0, 0) }}
	before, err := people.Verify(t.Context(), s)
	h.check(err)
	_, err = later.NewLoginLink(t.Context(), rein.Host(), "owner") // forgets what has expired
	h.check(err)
	after, err := people.Verify(t.Context(), s)
	h.check(err)
	h.check(s.Close())
	if after.Erased <= before.Erased {
		t.Errorf("nothing was erased: %+v", after)
	}
	out := h.ok("audit", "verify", "--head", head)
	if !strings.HasSuffix(out, "nothing is wrong") || strings.Contains(out, " 0 erased, head") {
		t.Error(out)
	}
}

// TestAuditAfterKills kills a service in the middle of its work, again and again, and looks at what it
// writes while it writes. An audit finds nothing wrong, and every head holds.
//
// Covers: LAW-1 LAW-10
func TestAuditAfterKills(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	var heads []string
	for range 3 {
		s := h.serve().withToken()
		for range 3 {
			s.start("Hello.")
		}
		heads = append(heads, s.ok("audit", "head"))
		if out := s.ok("audit", "verify"); !strings.Contains(out, "nothing is wrong") {
			t.Fatal(out)
		}
		s.start("Hello once more.")
		s.check(s.cmd.Process.Kill())
		_ = s.ended() // it was killed
		for _, head := range heads {
			h.ok("audit", "verify", "--head", head)
		}
	}
}

// TestServeMakesHead checks that rein serve makes a checkpoint by itself, and logs a head that is good.
func TestServeMakesHead(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	s := h.serve()
	head := regexp.MustCompile("[0-9a-f]{64}").FindString(s.logs("made a checkpoint"))
	s.end(syscall.SIGTERM)
	h.ok("audit", "verify", "--head", head)
}
