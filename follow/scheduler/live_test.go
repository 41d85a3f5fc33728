package scheduler_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/follow/scheduler"
	"rein/household/schedule"
	"rein/model/script"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A house is a store with an engine and a scheduler that serve it. It is made inside of a bubble, whose clock only goes on
// when everyone waits.
type house struct {
	*testing.T
	store  *sqlite.Store
	engine *engine.Engine
	fires  *scheduler.Scheduler
	rules  schedule.Rules
	active bool
	stop   func()
}

const talk = `
price in=1.00 out=1.00

when user~"fail"
fail invalid

when
say The weather is fine.
`

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{T: t, rules: schedule.DefaultRules(), active: true}
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	check(t, err)
	model, err := script.Parse("talk", []byte(talk))
	check(t, err)
	flows := flow.All()
	flows["wonder"] = rein.Flow{Do: func(run rein.Run, _ rein.Task) (rein.Outcome, error) {
		answer, err := run.AskUser(rein.Question{Text: "Why?"})
		return rein.Outcome{End: rein.EndDone, Text: answer.Text}, err
	}}
	h.store = s
	h.engine, err = engine.New(engine.Options{Store: s, Flows: flows, Dispatch: &local.Dispatcher{}, Worker: &work.Worker{Models: map[string]rein.Model{"": model}}})
	check(t, err)
	h.fires, err = scheduler.New(scheduler.Scheduler{
		Store: s, Start: h.engine.Start, Rules: func() schedule.Rules { return h.rules },
		Session: func(context.Context, schedule.Job) (string, error) { return "chat-ann", nil },
		Complete: func(_ context.Context, task rein.Task) (rein.Task, error) {
			if task.Flow == "" {
				task.Flow = "chat"
			}
			if task.Budget == nil {
				budget := rein.DefaultBudget()
				task.Budget = &budget
			}
			return task, nil
		},
		Active: func(context.Context, string, string) (bool, error) { return h.active, nil },
	})
	check(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	for _, serve := range []func(context.Context) error{h.engine.Serve, h.fires.Serve} {
		go func() { ended <- serve(ctx) }()
	}
	h.stop = func() {
		cancel()
		check(t, <-ended)
		check(t, <-ended)
		check(t, s.Close())
	}
	synctest.Wait()
	return h
}

// add makes a job of ann's.
func (h *house) add(id string, w schedule.Want) schedule.Job {
	h.Helper()
	desk := schedule.Desk{Tables: h.store, Poke: h.fires.Poke, Zone: func() string { return "Europe/Amsterdam" }, Language: func() string { return "nl" }}
	j, err := desk.Add(h.Context(), schedule.Owner{Household: "home", User: "ann"}, id, w)
	check(h.T, err)
	return j
}

// after lets time pass.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// lines reads rows, a line each.
func (h *house) lines(query string) string {
	h.Helper()
	var all []string
	check(h.T, h.store.Read(h.Context(), func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, query)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var line sql.NullString
			if err := rows.Scan(&line); err != nil {
				return err
			}
			all = append(all, line.String)
		}
		return rows.Err()
	}))
	return strings.Join(all, "\n")
}

func (h *house) want(what, query, want string) {
	h.Helper()
	if diff := cmp.Diff(want, h.lines(query)); diff != "" {
		h.Errorf("%s:\n%s", what, diff)
	}
}

const (
	messages = `SELECT kind || ': ' || text FROM messages ORDER BY created, id`
	states   = `SELECT state FROM schedule_slots ORDER BY instant`
	disabled = `SELECT why FROM schedule_jobs WHERE disabled <> 0`
)

// said lists how the runs of a session ended, a line each.
func (h *house) said(session string) string {
	h.Helper()
	var all []string
	for info, err := range h.store.Runs(h.Context(), store.Filter{Session: session, Roots: true}) {
		check(h.T, err)
		all = append(all, fmt.Sprintf("%s %s: %s", info.Flow, info.Status, info.End().Text))
	}
	return strings.Join(all, "\n")
}

// A reminder is a message in the session of its user, once, at its time.
//
// Covers: NEU-57
func TestReminder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		h.add("j1", schedule.Want{At: time.Now().Add(time.Hour).UTC().Format(time.RFC3339), Text: "tandarts"})
		after(time.Hour - time.Second)
		h.want("too early", messages, "")
		after(time.Second)
		h.want("messages", messages, "reminder: Herinnering: tandarts")
		after(48 * time.Hour)
		h.want("messages later", messages, "reminder: Herinnering: tandarts")
		h.want("slots", states, "done")
		if got := h.said("chat-ann"); got != "notice done: Herinnering: tandarts" {
			t.Error(got)
		}
	})
}

// An isolated run works in a session of its own; its result is delivered, and shown in the session of its user.
//
// Covers: NEU-57
func TestIsolatedRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		h.add("j1", schedule.Want{Every: "1h", Target: "isolated", Text: "How is the weather?", Label: "weer"})
		after(2*time.Hour + time.Second)
		const result = "weer\n\nThe weather is fine."
		h.want("messages", messages, "result: "+result+"\nresult: "+result)
		if got := h.said("job-j1"); got != "chat done: The weather is fine.\nchat done: The weather is fine." {
			t.Error(got)
		}
		if got := h.said("chat-ann"); got != "notice done: "+result+"\nnotice done: "+result {
			t.Error(got)
		}
	})
}

// A job whose run fails again and again is disabled, and its user gets to know it. A success in between counts.
//
// Covers: NEU-57
func TestFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		h.rules.Failures = 3
		h.add("j1", schedule.Want{Every: "1h", Target: "isolated", Text: "fail", Label: "weer"})
		after(12 * time.Hour)
		h.want("slots", states, "failed\nfailed\nfailed")
		h.want("why", disabled, "hij mislukte 3 keer achter elkaar")
		if got := h.lines(`SELECT text FROM messages WHERE kind = 'notice'`); !strings.HasPrefix(got, "Ik heb de taak ‘weer’ uitgezet: hij mislukte 3 keer achter elkaar.") {
			t.Error(got)
		}
		if got := h.lines(`SELECT text FROM messages WHERE kind = 'result' LIMIT 1`); !strings.HasPrefix(got, "weer is niet gelukt: ") {
			t.Error(got)
		}
	})
}

// Runs may cost so much and no more: the job that spends the last of it is disabled.
//
// Covers: NEU-57
func TestSpendLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		h.add("j1", schedule.Want{Every: "1h", Target: "isolated", Text: "How is the weather?", Label: "weer", Spend: 1})
		after(4 * time.Hour)
		h.want("why", disabled, "de taak heeft gekost wat hij in 30 dagen mag kosten")
		h.rules.Money = 1
		h.add("j2", schedule.Want{Every: "1h", Target: "isolated", Text: "How is the weather?"})
		after(4 * time.Hour)
		h.want("why", `SELECT why FROM schedule_jobs WHERE id = 'j2'`, "je taken hebben samen gekost wat ze in 30 dagen mogen kosten")
	})
}

// A run that waits for a person holds up those that come after it as the job says, and nothing is lost by an answer days
// later.
//
// Covers: NEU-57
func TestWaitsForAPerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		for _, overlap := range []string{"skip", "queue"} {
			h.add(overlap, schedule.Want{Every: "24h", Target: "isolated", Text: "x", Flow: "wonder", Overlap: overlap})
		}
		after(49 * time.Hour)
		h.want("skip", `SELECT state || ' ' || error FROM schedule_slots WHERE job = 'skip' ORDER BY instant`, "started \nskipped the run of an earlier slot had not ended")
		h.want("queue", `SELECT state FROM schedule_slots WHERE job = 'queue' ORDER BY instant`, "started\ndue")
		asks, err := h.store.Asks(t.Context(), store.AskFilter{Pending: true})
		check(t, err)
		if len(asks) != 2 {
			t.Fatalf("%d asks are open", len(asks))
		}
		for _, ask := range asks {
			_, err := h.engine.Command(t.Context(), rein.Command{Kind: rein.CommandAnswer, Run: ask.Run, Ask: ask.ID, By: "ann", Answer: rein.Answer{State: rein.AskAnswered, Text: "because", Shown: ask.Shown}})
			check(t, err)
		}
		after(time.Second)
		h.want("after the answers", `SELECT job || ' ' || state FROM schedule_slots ORDER BY job, instant`, "queue done\nqueue started\nskip done\nskip skipped")
	})
}

// The jobs of a user who is disabled do not fire.
func TestDisabledUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		h.active = false
		h.add("j1", schedule.Want{Every: "1h", Text: "x"})
		after(time.Hour + time.Minute)
		h.want("slots", `SELECT state || ' ' || error FROM schedule_slots`, "skipped user ann is disabled")
		h.want("messages", messages, "")
	})
}
