package dashboard_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/household/people"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/dashboard"
)

// A member gets a link as a message: it logs a browser of theirs in once, within a minute. The model and the log never see it,
// and somebody who manages the household gets the plain address.
//
// Covers: NEU-56/memory
func TestLink(t *testing.T) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	now := time.Now()
	all := &people.People{Tables: s, Now: func() time.Time { return now }}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(all.Begin(t.Context()))
	_, err = all.AddUser(t.Context(), rein.Host(), "ann", rein.Member)
	check(err)
	budget := rein.DefaultBudget()
	_, _, err = s.Start(t.Context(), store.Start{Run: "r1", At: now, Claim: true, Start: rein.RunStart{Task: rein.Task{Flow: "f", Budget: &budget}}})
	check(err)
	made, err := dashboard.Tool(dashboard.Options{People: all, URL: func() string { return "https://rein.example" }, Path: func(link string) string { return "/login?link=" + link }})
	check(err)
	steps := 0
	call := func(user, language string) rein.Done {
		t.Helper()
		steps++
		inv := rein.Invocation{Run: "r1", Step: rein.StepKey(rune('0' + steps)), Task: &rein.Task{Household: "home", User: user, Language: language}}
		done, err := made.Do(t.Context(), inv)
		check(err)
		if done.Commit != nil {
			_, err = s.Append(t.Context(), store.Batch{Run: "r1", Epoch: 1, Drafts: []store.Draft{{Kind: rein.StepDone, Step: inv.Step, At: now, Data: rein.StepEnd{}, Commit: done.Commit}}})
			check(err)
		}
		return done
	}
	messages := func() (found []string) {
		t.Helper()
		check(s.Read(t.Context(), func(ctx context.Context, q store.Query) error {
			rows, err := q.QueryContext(ctx, `SELECT text FROM messages WHERE user_name = 'ann' AND session = '' ORDER BY created, id`)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				var text sql.NullString
				if err := rows.Scan(&text); err != nil {
					return err
				}
				found = append(found, regexp.MustCompile(`reinlink_[a-z0-9_]+`).FindString(text.String))
			}
			return rows.Err()
		}))
		return found
	}
	done := call("ann", "nl")
	if !made.Approval || done.Text != "Ik heb je een link naar je dashboard gestuurd. Hij werkt één keer, binnen een minuut." || strings.Contains(done.Text+string(done.Data), "reinlink") {
		t.Errorf("%+v", done)
	}
	links := messages()
	if len(links) != 1 || links[0] == "" {
		t.Fatalf("ann has the messages %q", links)
	}
	_, who, err := all.UseLoginLink(t.Context(), links[0], "")
	if err != nil || who.User != "ann" || who.Role != rein.Member {
		t.Errorf("%+v, %v", who, err)
	}
	if _, _, err := all.UseLoginLink(t.Context(), links[0], ""); rein.CodeOf(err) != rein.CodeUnauthenticated {
		t.Errorf("the link works twice: %v", err)
	}
	call("ann", "en")
	now = now.Add(people.OwnLinkLife + time.Second)
	for _, link := range messages() {
		if _, _, err := all.UseLoginLink(t.Context(), link, ""); rein.CodeOf(err) != rein.CodeUnauthenticated {
			t.Errorf("a link works after its minute: %v", err)
		}
	}
	if done := call(rein.FirstUser, "en"); done.Commit != nil || !strings.HasPrefix(done.Text, "Your dashboard is at https://rein.example. Log in there as usual") {
		t.Errorf("an owner gets %+v", done)
	}
}
