package keeper_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/follow/keeper"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A background run is of the same user, speaks their language and has a budget of its own.
func TestTaskOfBackgroundRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		budget := rein.Budget{Amount: rein.Amount{Rounds: 2, ToolCalls: 1, Tokens: 90_000, Micros: 900_000, DrivenMS: 190_000, Runs: 1}}
		k := &keeper.Keeper{Store: h.store, Start: h.engine.Start, Log: loud(t), Flows: []string{"assist"}, Budget: &budget, Model: "small"}
		defer h.serve(k.Serve)()
		long := rein.RunID(strings.Repeat("x", 64))
		h.say(long, "assist", "ann", "s1", "tea")
		for info, err := range h.store.Runs(context.Background(), store.Filter{}) {
			check(t, err)
			if info.Flow != "remember" {
				continue
			}
			for ev, err := range h.store.Events(context.Background(), info.ID, 0) {
				check(t, err)
				start, err := rein.Payload[rein.RunStart](ev)
				check(t, err)
				task := start.Task
				if task.User != "ann" || task.Household != "home" || task.Language != "nl" || task.Zone != "Europe/Amsterdam" ||
					task.Model != "small" || *task.Budget != budget || len(task.Tools) != 0 || info.Status != "done" {
					t.Errorf("%+v", task)
				}
				return
			}
		}
		t.Error("there is no such run")
	})
}

// The default budget is enough for as much as a background run reads, also with a dear model.
func TestDefaultBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		for i := range 20 {
			h.say(rein.RunID(fmt.Sprint("c", i)), "chat", "ann", "s1", strings.Repeat("tea ", 2000))
		}
		h.say("r1", "chat", "ann", "s1", strings.Repeat("tea ", 2000))
		k := &keeper.Keeper{Store: h.store, Start: h.engine.Start, Log: loud(t), Flows: []string{"chat"}}
		defer h.serve(k.Serve)()
		time.Sleep(time.Hour)
		synctest.Wait()
		got := h.background()
		if strings.Count(got, " done") != 22 || !strings.HasSuffix(got, summaryR1) {
			t.Error(got)
		}
	})
}

// A user talks on in one session until they have been silent for a quarter of an hour, unless a
// question is open in it. Everyone has sessions of their own.
//
// Covers: NEU-11
func TestSessionFor(t *testing.T) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	check(t, err)
	defer s.Close()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	chats := keeper.NewNames()
	session := func(household, user string) string {
		t.Helper()
		id, err := chats.SessionFor(t.Context(), s, household, user, now, 0)
		check(t, err)
		return id
	}
	budget := rein.DefaultBudget()
	start := func(run rein.RunID, household, user, session string) {
		t.Helper()
		_, _, err := s.Start(t.Context(), store.Start{Run: run, At: now, Claim: true, Start: rein.RunStart{Task: rein.Task{
			Flow: "f", Household: household, User: user, Session: session, Budget: &budget,
		}}})
		check(t, err)
	}
	write := func(run rein.RunID, d store.Draft) {
		t.Helper()
		d.At = now
		_, err := s.Append(t.Context(), store.Batch{Run: run, Epoch: 1, Drafts: []store.Draft{d}})
		check(t, err)
	}
	end := func(run rein.RunID) {
		t.Helper()
		outcome := &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}}
		write(run, store.Draft{Kind: rein.RunCompleted, Data: outcome, Outcome: outcome, Status: "done"})
	}

	first := session("home", "ann")
	if again := session("home", "ann"); again != first || !strings.HasPrefix(first, "chat-") {
		t.Errorf("before anything was said: %s, then %s", first, again)
	}
	if bob, other := session("home", "bob"), session("elsewhere", "ann"); bob == first || other == first || bob == other {
		t.Error("two users have one session")
	}
	start("r1", "home", "ann", first)
	end("r1")
	start("own", "home", "ann", "a session of her own")
	end("own")
	start("b1", "home", "bob", session("home", "bob"))

	now = now.Add(15*time.Minute - 1)
	if got := session("home", "ann"); got != first {
		t.Errorf("after less than 15 minutes the session is %s", got)
	}
	now = now.Add(1)
	second := session("home", "ann")
	if second == first || second != session("home", "ann") {
		t.Error("after 15 minutes the session is the same, or differs each time")
	}
	start("r2", "home", "ann", second)
	end("r2")
	now = now.Add(time.Hour)
	third := session("home", "ann")
	if third == first || third == second {
		t.Error("an old session came back")
	}
	start("r3", "home", "ann", third)
	now = now.Add(48 * time.Hour)
	if got := session("home", "ann"); got != third {
		t.Errorf("while a run is under way the session is %s", got)
	}
	ask := rein.Ask{ID: "r3:1.ask", Run: "r3", Step: "1", Kind: rein.AskQuestion, Text: "When?", State: rein.AskPending, Opened: now}
	write("r3", store.Draft{Kind: rein.AskOpened, Step: "1.ask", Data: ask, Opens: &ask})
	write("r3", store.Draft{Kind: rein.RunBlocked, Data: rein.Blocked{}, Status: rein.StatusBlocked})
	if got := session("home", "ann"); got != third {
		t.Errorf("while a question is open the session is %s", got)
	}
	_, err = s.Command(t.Context(), rein.Command{Kind: rein.CommandModify, Run: "r3", By: "ann", Text: "x"}, now)
	check(t, err)
	now = now.Add(time.Hour)
	info, err := s.Run(t.Context(), "r3")
	check(t, err)
	if got := session("home", "ann"); got == third {
		t.Errorf("a run that is %s, and asks nothing, keeps its session", info.Status)
	}
	if id, err := chats.SessionFor(t.Context(), s, "home", "bob", now, 100*time.Hour); err != nil || id != session("home", "bob") {
		t.Error("a run under way, and a longer silence:", id, err)
	}
}
