package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/store"
	"rein/store/storetest"
)

func wantAccounts(t testing.TB, s *Store) {
	t.Helper()
	wrong, err := s.VerifyAccounts(context.Background())
	if err != nil || len(wrong) > 0 {
		t.Errorf("accounts: %v\n%s", err, strings.Join(wrong, "\n"))
	}
}

func usedBy(t testing.TB, s *Store, user string, at time.Time) rein.Quota {
	t.Helper()
	accounts, err := s.Accounts(t.Context(), "home", "", at)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range accounts {
		if a.User == user {
			return a.Used
		}
	}
	return rein.Quota{}
}

// After SIGKILL the accounts are those of what is durable, and no run counts as driven that nobody drives.
func TestAccountsAfterKill(t *testing.T) {
	path := newDiskPath(t)
	for range 3 {
		cmd, out, _ := process(t, "write", path)
		for range 200 {
			if !out.Scan() {
				t.Fatal("the other process says nothing")
			}
		}
		must(t, func() error { return cmd.Process.Signal(syscall.SIGKILL) })
		_ = cmd.Wait()
		s := openTest(t, path, Options{Limits: store.Limits{User: rein.Quota{Driven: 8}}})
		used := usedBy(t, s, "owner", time.Now())
		if used.Driven != 0 || used.Tokens < 200 || used.Bytes < 200*300 {
			t.Errorf("after the kill: %+v", used)
		}
		wantAccounts(t, s)
		for w := range 8 { // whoever takes them up drives them
			must(t, func() error {
				_, _, err := s.Claim(t.Context(), rein.RunID(fmt.Sprintf("w%d", w)), never)
				return err
			})
		}
		if used := usedBy(t, s, "owner", time.Now()); used.Driven != 8 {
			t.Errorf("8 runs were claimed, and %d count", used.Driven)
		}
		budget := rein.DefaultBudget()
		_, _, err := s.Start(t.Context(), store.Start{Run: "more", At: time.Now(), Start: rein.RunStart{Task: rein.Task{Flow: "answer", Budget: &budget}}})
		wantCode(t, err, rein.CodeQuota)
		wantAccounts(t, s)
		must(t, s.Close)
	}
}

// rawly changes the file behind the store's back.
func rawly(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// busy makes a store in which something of everything was counted, on two days.
func busy(t *testing.T, path string) {
	t.Helper()
	s := openTest(t, path, Options{})
	day := time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC)
	budget := rein.DefaultBudget()
	append := func(run rein.RunID, d store.Draft) {
		t.Helper()
		d.At = day
		must(t, func() error {
			_, err := s.Append(t.Context(), store.Batch{Run: run, Epoch: 1, Drafts: []store.Draft{d}, Seen: 99})
			return err
		})
	}
	for i, user := range []string{"ann", "bob", "ann"} {
		id := rein.RunID(fmt.Sprintf("r%d", i))
		task := rein.Task{Flow: "answer", Budget: &budget, User: user, Messages: []rein.Message{{Role: rein.User, Text: strings.Repeat("a long text ", 50)}}}
		must(t, func() error {
			_, _, err := s.Start(t.Context(), store.Start{Run: id, At: day, Claim: true, Start: rein.RunStart{Task: task, Reserve: rein.Amount{Tokens: 100}}})
			return err
		})
		append(id, store.Draft{Kind: rein.StepStarted, Step: "1", Spend: rein.Amount{Tokens: 5000, Micros: 70}, Reserve: true})
		day = day.Add(time.Hour)
		append(id, store.Draft{Kind: rein.StepRenewed, Step: "1", Data: rein.Renewed{}, Spend: rein.Amount{DrivenMS: 120_000}, Reserve: true})
		append(id, store.Draft{Kind: rein.StepDone, Step: "1", Data: rein.StepEnd{Partial: strings.Repeat("what it said ", 60)}, Spend: rein.Amount{Tokens: -4000, Micros: -50}})
		must(t, func() error {
			_, err := s.Command(t.Context(), rein.Command{Kind: rein.CommandMessage, Run: id, By: "ann", Text: "hello"}, day)
			return err
		})
	}
	outcome := &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}}
	append("r1", store.Draft{Kind: rein.RunCompleted, Status: rein.Status(rein.EndDone), Outcome: outcome, Spend: rein.Amount{Tokens: -100}})
	must(t, func() error { return s.Erase(t.Context(), storetest.These("r1")) })
	must(t, func() error {
		return s.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
			for _, statement := range []string{
				`INSERT INTO session_files (household, user_name, session, name, media_type, readable, size, sha256, version, created, changed, run, step, content)
					VALUES ('home', 'ann', 's', 'a.txt', '', 1, 777, '', 1, 0, 0, '', '', 'c')`,
				`INSERT INTO staged_notes (household, user_name, session, path, base_hash, base, hash, content, run, step, changed)
					VALUES ('home', 'bob', 's', 'a.md', '', x'0102', '', x'010203', '', '', 0)`,
				`INSERT INTO note_commits (token, n, id, vault, household, user_name, session, undoes, undone_by, state, why, created, changed)
					VALUES ('t', 1, 'i', 'v', 'home', 'bob', 's', '', '', 'done', '', 0, 0)`,
				`INSERT INTO note_commit_files (token, slot, path, before_hash, before, after_hash, after, made) VALUES ('t', 0, 'a.md', '', x'01', '', x'0203', 0)`,
				`INSERT INTO kept_contents (household, user_name, sha256, data) VALUES ('home', 'bob', 'sum', x'01020304')`,
			} {
				if _, err := tx.ExecContext(ctx, statement); err != nil {
					return err
				}
			}
			return nil
		})
	})
	wantAccounts(t, s)
	must(t, s.Close)
}

// A file without accounts gets them from its logs.
func TestAccountsAreBuiltFromLogs(t *testing.T) {
	path := newPath(t)
	busy(t, path)
	at := time.Date(2026, 3, 2, 1, 30, 0, 0, time.UTC)
	s := openTest(t, path, Options{})
	before, err := s.Accounts(t.Context(), "home", "", at)
	if err != nil {
		t.Fatal(err)
	}
	must(t, s.Close)
	rawly(t, path, `DELETE FROM account_days`, `DELETE FROM accounts`, `DELETE FROM kept_bytes`, `DELETE FROM accounts_built`)
	s = openTest(t, path, Options{})
	wantAccounts(t, s)
	after, err := s.Accounts(t.Context(), "home", "", at)
	if err != nil || fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("they were\n%+v\nand are\n%+v, %v", before, after, err)
	}
	ann := after[1]
	if ann.User != "ann" || ann.Used.Tokens != 1100 || ann.Used.Micros != 20 || ann.Used.Frames != 1 || ann.Used.Bytes < 777 {
		t.Errorf("ann uses %+v", ann)
	}
}

// Whatever is changed behind the store's back, a recount says so.
func TestAccountTampering(t *testing.T) {
	for _, statement := range []string{
		`UPDATE accounts SET tokens = 0 WHERE user = 'ann'`,
		`UPDATE accounts SET micros = micros - 1 WHERE user = 'ann'`,
		`UPDATE accounts SET bytes = bytes - 1 WHERE user = 'bob'`,
		`UPDATE accounts SET frames = 0 WHERE user = 'ann'`,
		`UPDATE account_days SET tokens = 1`,
		`DELETE FROM account_days`,
		`INSERT INTO account_days SELECT n, 1, 1, 1 FROM accounts WHERE user = 'bob'`,
		`DELETE FROM account_days; DELETE FROM accounts WHERE user = 'ann'`,
		`UPDATE kept_bytes SET bytes = 1 WHERE user_name = 'bob'`,
		`DELETE FROM kept_bytes`,
	} {
		path := filepath.Join(t.TempDir(), "rein.db")
		busy(t, path)
		rawly(t, path, statement)
		s := openTest(t, path, Options{})
		if wrong, err := s.VerifyAccounts(t.Context()); err != nil || len(wrong) == 0 {
			t.Errorf("%s is not noticed: %v", statement, err)
		}
		must(t, s.Close)
	}
}

// A schema that is not what was written is damage, and is said to be.
func TestDamagedSchema(t *testing.T) {
	for _, table := range []string{"accounts", "accounts_built", "kept_bytes", "events", "commands"} {
		path := filepath.Join(t.TempDir(), "rein.db")
		must(t, openTest(t, path, Options{}).Close)
		rawly(t, path, `ALTER TABLE `+table+` RENAME TO lost`)
		_, err := Open(t.Context(), path, Options{})
		wantCode(t, err, rein.CodeDamaged, path)
	}
}
