package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
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

// TestAuditProvesWhatPeopleSee changes the data of a service behind its back, in every way that an audit
// of the logs alone would miss.
//
// Attack: 70
// Covers: LAW-1 ENG-56
func TestAuditProvesWhatPeopleSee(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	s := h.serve().withToken()
	s.peopled()
	line := s.ok("audit", "head")
	head, _, _ := strings.Cut(line, " ")
	if out := s.ok("audit", "verify", "--head", line); !strings.Contains(out, "nothing is wrong") || !strings.Contains(out, "all is there that it covers") {
		t.Error(out)
	}
	s.finished(s.start("Hello again.").ID)
	s.ok("audit", "verify", "--head", head)
	if out := s.ok("doctor"); !strings.Contains(out, "checkpoint   the last was made") {
		t.Error(out)
	}
	if _, says, code := s.rein("audit", "verify", "--head", strings.Repeat("ab", 32)); code != exitWrong || !strings.Contains(says, "no checkpoint with the head") {
		t.Errorf("exit %d: %s", code, says)
	}
	s.refuses(exitUsage, "64 hex digits", "audit", "verify", "--head", "abc")
	s.end(syscall.SIGTERM)

	for _, c := range []struct{ name, sql, says string }{
		{"a title", `UPDATE runs SET title = 'another'`, "title is"},
		{"an outcome", `UPDATE runs SET outcome = CAST('{"end":"done","text":"a lie"}' AS BLOB)`, "outcome is"},
		{"a status", `UPDATE runs SET status = 'failed'`, "status is"},
		{"whose a session is", `UPDATE sessions SET user = 'bob'`, "user is"},
		{"a session", `DELETE FROM sessions WHERE n = 1`, "session"},
		{"a ledger", `UPDATE ledgers SET depth = 7`, "ledger"},
		{"an account", `UPDATE accounts SET tokens = 0, micros = 0, bytes = 0`, "account of"},
		{"a role", `UPDATE users SET role = 'owner' WHERE name = 'ann'`, "users/home/ann was changed by hand"},
		{"a token", `INSERT INTO tokens SELECT 'aaaaaaaaaaaa', hash, household, user_name, label, scopes, created, expires, 0, 0 FROM tokens LIMIT 1`, "tokens/aaaaaaaaaaaa was added by hand"},
		{"a revocation", `UPDATE tokens SET revoked = 0`, "was changed by hand"},
		{"the record of a revocation", `DELETE FROM people_changes WHERE what = 'token revoked'`, "was removed by hand"},
		{"a user", `DELETE FROM users WHERE name = 'bob'`, "users/home/bob was removed by hand"},
		{"a run", `DELETE FROM events WHERE run_n = 1; DELETE FROM ledgers WHERE run_n = 1; DELETE FROM runs WHERE n = 1`, "is gone"},
		{"all runs but one", `DELETE FROM events WHERE run_n > 1; DELETE FROM ledgers WHERE run_n > 1; DELETE FROM sessions WHERE n > 1; DELETE FROM runs WHERE n > 1`, "is gone"},
		{"all people and their chain", `DELETE FROM users; DELETE FROM tokens; DELETE FROM people_changes; DELETE FROM people_chain; DELETE FROM people_chained; DELETE FROM browsers; DELETE FROM login_links`, "entry"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := h.copyData(t)
			db, err := sql.Open("sqlite", filepath.Join(folder, "rein.db"))
			if err == nil {
				_, err = db.Exec(c.sql)
			}
			if err != nil {
				t.Fatal(err)
			}
			db.Close()
			out, _, code := h.rein("audit", "verify", "--head", head, "--data", folder)
			if code != exitWrong || !strings.Contains(out, c.says) {
				t.Errorf("exit %d, want %q:\n%s", code, c.says, out)
			}
		})
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
		heads = append(heads, strings.Fields(s.ok("audit", "head"))[0])
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
