package keeper_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
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
	"rein/follow/keeper"
	"rein/household/memory"
	"rein/model/script"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	toolmemory "rein/tool/memory"
	"rein/tool/session"
)

// talk is what the model says in these tests. It is a dear one.
const talk = `
max_output 64000
price in=15.00 out=75.00

when phase=remember user~"I like tea"
say {"memories": [{"text": "Likes tea.", "kind": "preference"}], "snapshots": []}

when phase=remember
say {"memories": [], "snapshots": []}

when phase=summarise user~"About tea"
say {"summary": "A day of tea."}

when phase=summarise
say {"summary": "About tea."}

when
say Fine.
`

// A house is a store with an engine that serves it. It is made inside of a bubble, whose clock only
// goes on when everyone waits.
type house struct {
	t      *testing.T
	store  *sqlite.Store
	engine *engine.Engine
	stop   func()
}

func newHouse(t *testing.T) *house {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	check(t, err)
	model, err := script.Parse("talk", []byte(talk))
	check(t, err)
	tools := map[string]rein.Tool{}
	for _, tool := range slices.Concat(session.Tools(s), toolmemory.Tools(s, nil)) {
		tools[tool.Name] = tool
	}
	flows := flow.All()
	flows["wonder"] = rein.Flow{Do: wonder}
	e, err := engine.New(engine.Options{
		Store: s, Flows: flows, Dispatch: &local.Dispatcher{},
		Worker: &work.Worker{Models: map[string]rein.Model{"": model, "small": model}, Tools: tools},
	})
	check(t, err)
	h := &house{t: t, store: s, engine: e}
	stop := h.serve(e.Serve)
	h.stop = func() {
		stop()
		check(t, s.Close())
	}
	return h
}

// wonder has a child, and then a question.
func wonder(run rein.Run, task rein.Task) (rein.Outcome, error) {
	child, err := run.Spawn(rein.Task{Flow: "chat", Messages: task.Messages})
	if err == nil {
		_, err = run.Wait(child)
	}
	if err == nil {
		_, err = run.AskUser(rein.Question{Text: "Why?"})
	}
	return rein.Outcome{Text: "I see."}, err
}

// serve runs something until the function that it returns is called.
func (h *house) serve(f func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f(ctx) }()
	return func() {
		h.t.Helper()
		cancel()
		check(h.t, <-done)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// say has a user say something in a session, and waits for the answer.
func (h *house) say(run rein.RunID, flow, user, session, text string) {
	h.t.Helper()
	_, err := h.engine.Start(context.Background(), run, rein.Task{
		Flow: flow, User: user, Session: session, Language: "nl", Zone: "Europe/Amsterdam",
		Messages: []rein.Message{{Role: rein.User, Text: text}},
	})
	check(h.t, err)
	_, err = h.engine.Wait(context.Background(), run)
	check(h.t, err)
	synctest.Wait()
}

// background lists the background runs, a line each: who, what, with which settings, how it ended.
func (h *house) background() string {
	h.t.Helper()
	var lines []string
	for info, err := range h.store.Runs(context.Background(), store.Filter{}) {
		check(h.t, err)
		if !strings.HasPrefix(info.Session, "background-") {
			continue
		}
		for ev, err := range h.store.Events(context.Background(), info.ID, 0) {
			check(h.t, err)
			lines = append(lines, fmt.Sprintf("%s %s %s", info.User, ev.Data[bytes.Index(ev.Data, []byte(`"flow"`)):bytes.Index(ev.Data, []byte(`,"budget"`))], info.Status))
			break
		}
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), `"model":"small",`, "")
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s:\n%s", what, diff)
	}
}

const (
	rememberR1 = `ann "flow":"remember","revision":1,"settings":{"run":"r1"} done`
	rememberR2 = `ann "flow":"remember","revision":1,"settings":{"run":"r2"} done`
	summaryR1  = `ann "flow":"summarise","settings":{"after":"r1","session":"s1"} done`
	summaryR2  = `ann "flow":"summarise","settings":{"after":"r2","session":"s1"} done`
	summaryDay = `ann "flow":"summarise","settings":{"day":"2000-01-01"} done`
)

func lines(all ...string) string { return strings.Join(all, "\n") }

// After a run of a person comes one that remembers; when the session has been silent for a quarter of
// an hour it is summed up, again when it goes on and falls silent again; and when the day is over where
// the user lives, so is the day. All of it in a session of its own, and once.
//
// Covers: NEU-11
func TestKeeper(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it is midnight, UTC, of 1 January 2000
		h := newHouse(t)
		defer h.stop()
		k := &keeper.Keeper{Store: h.store, Start: h.engine.Start, Log: loud(t), Flows: []string{"assist"}}
		defer h.serve(k.Serve)()
		h.say("r1", "assist", "ann", "s1", "I like tea.")
		same(t, "after the run", h.background(), rememberR1)
		time.Sleep(14 * time.Minute)
		synctest.Wait()
		same(t, "14 minutes later", h.background(), rememberR1)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		same(t, "16 minutes later", h.background(), lines(rememberR1, summaryR1))
		h.say("r2", "assist", "ann", "s1", "And cake.")
		time.Sleep(22 * time.Hour)
		synctest.Wait()
		same(t, "in the evening", h.background(), lines(rememberR1, summaryR1, rememberR2, summaryR2))
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		same(t, "the next day", h.background(), lines(rememberR1, summaryR1, rememberR2, summaryR2, summaryDay))
		time.Sleep(40 * time.Hour) // sweeps find nothing more
		synctest.Wait()
		same(t, "two days later", h.background(), lines(rememberR1, summaryR1, rememberR2, summaryR2, summaryDay))

		var kept []string
		check(t, h.store.Read(context.Background(), func(ctx context.Context, q store.Query) error {
			owner := memory.Owner{Household: "home", User: "ann"}
			memories, err := memory.Memories(ctx, q, owner)
			for _, m := range memories {
				kept = append(kept, "memory: "+m.Text+" "+string(m.Source))
			}
			summaries, err2 := memory.Summaries(ctx, q, owner, nil)
			for _, s := range summaries {
				kept = append(kept, string(s.Kind)+" "+s.About+": "+s.Text)
			}
			return errors.Join(err, err2)
		}))
		same(t, "kept", lines(kept...), lines("memory: Likes tea. r1", "session s1: About tea.", "day 2000-01-01: A day of tea."))
	})
}

// loud fails the test if a keeper complains.
func loud(t *testing.T) *slog.Logger { return slog.New(slog.NewTextHandler(complaints{t}, nil)) }

type complaints struct{ t *testing.T }

func (c complaints) Write(line []byte) (int, error) {
	c.t.Errorf("the keeper says: %s", line)
	return len(line), nil
}

// What ended while nobody watched is found when a keeper begins, as far back as it looks; two keepers
// start nothing twice, whatever their settings.
func TestSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		h.say("old", "assist", "ann", "s0", "long ago")
		h.say("older", "assist", "ann", "s1", "long ago, in a session that went on")
		time.Sleep(50 * time.Hour)
		h.say("r1", "assist", "ann", "s1", "tea")
		time.Sleep(time.Hour)
		for i := range 2 {
			k := &keeper.Keeper{Store: h.store, Start: h.engine.Start, Log: loud(t), Flows: []string{"assist"}, Model: []string{"", "small"}[i]}
			defer h.serve(k.Serve)()
		}
		synctest.Wait()
		same(t, "after a sweep", h.background(), lines(rememberR1, summaryR1))
		h.say("r2", "assist", "ann", "s1", "tea")
		time.Sleep(time.Hour)
		synctest.Wait()
		same(t, "with two keepers", h.background(), lines(rememberR1, summaryR1, rememberR2, summaryR2))
	})
}

// Only runs of the flows that were named are kept, only those that people began, and what was not
// completed is not remembered. A session in which a question is open is not over.
//
// Covers: NEU-11
func TestWhatIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		k := &keeper.Keeper{Store: h.store, Start: h.engine.Start, Log: loud(t), Flows: []string{"wonder", "chat", "remember", "summarise"}, Silence: time.Minute}
		defer h.serve(k.Serve)()
		wait := func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait()
		}
		h.say("a1", "assist", "ann", "s0", "another flow")
		wait(time.Hour)
		same(t, "another flow", h.background(), "")

		h.say("r0", "chat", "ann", "s1", "Hello.")
		rememberR0 := strings.ReplaceAll(rememberR1, "r1", "r0")
		for _, run := range []rein.RunID{"r1", "x1"} {
			_, err := h.engine.Start(context.Background(), run, rein.Task{
				Flow: "wonder", User: "ann", Session: strings.Replace(string(run), "r", "s", 1), Model: "small", Messages: []rein.Message{{Role: rein.User, Text: "tea"}},
			})
			check(t, err)
		}
		wait(10 * time.Hour)
		same(t, "while questions are open", h.background(), rememberR0)
		_, err := h.engine.Command(context.Background(), rein.Command{Kind: rein.CommandStop, Run: "x1", By: "ann"})
		check(t, err)
		ask, err := h.store.Ask(context.Background(), rein.NewAskID("r1", "3.ask"))
		check(t, err)
		_, err = h.engine.Command(context.Background(), ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "so", By: "ann"}))
		check(t, err)
		wait(time.Hour)
		got := strings.Split(h.background(), "\n")
		slices.Sort(got)
		same(t, "kept", lines(got...), lines(rememberR0, rememberR1, summaryR1, strings.NewReplacer("r1", "x1", "s1", "x1").Replace(summaryR1)))
	})
}

// A run that cannot be started is logged and tried again with the next sweep; nothing else is held up.
func TestStartFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		var log bytes.Buffer
		failures := 1
		k := &keeper.Keeper{
			Store: h.store, Log: slog.New(slog.NewTextHandler(&log, nil)), Silence: 3 * time.Hour, Flows: []string{"assist"},
			Start: func(ctx context.Context, id rein.RunID, task rein.Task) (rein.RunInfo, error) {
				if failures > 0 {
					failures--
					return rein.RunInfo{}, errors.New("the disk said no")
				}
				return h.engine.Start(ctx, id, task)
			},
		}
		defer h.serve(k.Serve)()
		h.say("r1", "assist", "ann", "s1", "tea")
		same(t, "at first", h.background(), "")
		if !strings.Contains(log.String(), "the disk said no") || !strings.Contains(log.String(), "m-r1") {
			t.Errorf("the log says %q", log.String())
		}
		time.Sleep(time.Hour + time.Minute)
		synctest.Wait()
		same(t, "after the next sweep", h.background(), rememberR1)
	})
}

func TestNeedsAStore(t *testing.T) {
	if err := (&keeper.Keeper{}).Serve(t.Context()); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
}
