package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/store"
)

// A crowd is a store with runs of several people, in every state.
type crowd struct {
	*Store
	t    testing.TB
	runs int
}

func (c *crowd) add(some int) {
	for range some {
		c.runs++
		n := c.runs
		household, user := []string{"home", "away"}[n%5/4], []string{"ann", "bob", "cy"}[n%3]
		id := rein.RunID(fmt.Sprintf("r%d", n))
		budget := rein.DefaultBudget()
		task := rein.Task{Flow: []string{"answer", "chat"}[n%2], Household: household, User: user, Session: fmt.Sprintf("s-%s-%s-%d", household, user, n%40/10), Budget: &budget}
		task.Workspace, task.Messages = []string{"", "garden", "shed"}[n%3], []rein.Message{{Role: rein.User, Text: fmt.Sprintf("Begin W%d.", n)}}
		at := time.Date(2026, 1, 1+n%9, n%24, 7*n%60, 0, 0, time.UTC)
		start := store.Start{Run: id, Digest: rein.Hash{1}, At: at, Claim: true, Start: rein.RunStart{Task: task}}
		must(c.t, func() error { _, _, err := c.Start(context.Background(), start); return err })
		if n%4 == 0 {
			child := store.Start{Run: id.Child("1"), Digest: rein.Hash{1}, At: at, Claim: true, Start: rein.RunStart{Task: rein.Task{Flow: "chat"}}}
			must(c.t, func() error { _, _, err := c.Start(context.Background(), child); return err })
			if n%8 == 0 {
				c.end(child.Run, rein.EndDone, at)
			}
		}
		switch n % 6 {
		case 0, 1:
			c.end(id, []rein.End{rein.EndDone, rein.EndFailed, rein.EndDone, rein.EndStopped}[n%4], at)
		case 2:
			c.ask(id, at, []string{"", "ann", "bob"}[n%3])
		case 3:
			c.say(id, "first")
		}
	}
}

func (c *crowd) append(id rein.RunID, d store.Draft) {
	must(c.t, func() error {
		_, err := c.Append(context.Background(), store.Batch{Run: id, Epoch: 1, Seen: 1 << 40, Drafts: []store.Draft{d}})
		return err
	})
}

func (c *crowd) end(id rein.RunID, end rein.End, at time.Time) {
	for info, err := range c.Runs(c.t.Context(), store.Filter{Tree: id, Unfinished: true, Newest: true}) {
		must(c.t, func() error { return err })
		c.append(info.ID, store.Draft{
			Kind: end.EndKind(), At: at, Status: rein.Status(end), Spend: rein.Amount{Tokens: 7, Micros: 3, Rounds: 1}, Outcome: &rein.RunEnd{Outcome: rein.Outcome{End: end}},
		})
	}
}

func (c *crowd) ask(id rein.RunID, at time.Time, who string) {
	ask := rein.Ask{ID: rein.NewAskID(id, "2"), Run: id, Step: "2", Kind: rein.AskQuestion, For: who, Text: "which?"}
	c.append(id, store.Draft{Kind: rein.AskOpened, Step: "2", At: at, Opens: &ask})
}

// say sends a message that names its run.
func (c *crowd) say(id rein.RunID, word string) {
	must(c.t, func() error {
		_, err := c.Command(context.Background(), rein.Command{Kind: rein.CommandMessage, Run: id, Text: word + " TO " + string(id) + "."}, time.Now())
		return err
	})
}

// finish ends some of the runs that are open, however long the mark has passed them, and says something in others.
func (c *crowd) finish() {
	var open []rein.RunInfo
	for info, err := range c.Runs(c.t.Context(), store.Filter{Unfinished: true, Roots: true}) {
		must(c.t, func() error { return err })
		open = append(open, info)
	}
	for i, info := range open {
		if i%3 == 0 {
			c.end(info.ID, []rein.End{rein.EndDone, rein.EndFailed}[i%2], info.Started.Add(time.Hour))
		} else {
			c.say(info.ID, "again")
		}
	}
}

// TestViewsAreWhatRunsMakeOfThem compares the lists and sums with those that go through all runs, with the
// mark at the beginning, in the middle and at the end, and with runs that ended after it had passed.
//
// Covers: LAW-1
func TestViewsAreWhatRunsMakeOfThem(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	c := &crowd{Store: openTest(t, path, Options{}), t: t}
	for _, step := range []func(){
		func() { c.add(90) },
		func() { c.foldAll() },
		c.finish,
		func() { c.add(70) },
		c.finish,
		func() { c.foldAll() },
		func() { c.add(9) },
		func() { // an older file, which has no lists yet
			c.Close()
			c.exec(path, `DELETE FROM view_runs; DELETE FROM view_ends; DELETE FROM view_sessions; DELETE FROM view_asks; DELETE FROM view_usage;
				UPDATE view_mark SET run_n = 0, session_n = 0, filled = 0, typed_n = 0; DELETE FROM view_typed; UPDATE runs SET workspace = NULL`)
			c.Store = openTest(t, path, Options{})
		},
		func() { c.foldAll() },
		func() { // counted again
			c.Close()
			c.Store = openTest(t, path, Options{Recount: true})
		},
		c.finish,
	} {
		step()
		c.compare()
		wrong, err := c.VerifyAccounts(t.Context())
		if len(wrong) > 0 || err != nil {
			t.Errorf("the audit says %q, %v", wrong, err)
		}
	}
}

func (c *crowd) exec(path, statements string) {
	db := connect(path, 1)
	defer db.Close()
	must(c.t, func() error { _, err := db.Exec(statements); return err })
}

// foldAll moves the mark to the end.
func (c *crowd) foldAll() {
	for {
		folded, err := c.fold(c.t.Context(), 0)
		must(c.t, func() error { return err })
		typed, err := c.foldTyped(c.t.Context(), 0)
		must(c.t, func() error { return err })
		if !folded && !typed {
			break
		}
	}
	for info, err := range c.Runs(c.t.Context(), store.Filter{Roots: true}) {
		must(c.t, func() error { return err })
		var n int
		fmt.Sscanf(string(info.ID), "r%d", &n)
		if want := []string{"", "garden", "shed"}[n%3]; info.Workspace != want {
			c.t.Errorf("run %s is in %q, want %q", info.ID, info.Workspace, want)
		}
	}
}

// typedIn returns what was typed in a session, in lower case, as its logs have it.
func (c *crowd) typedIn(session string) (text string) {
	for info, err := range c.Runs(c.t.Context(), store.Filter{Session: session, Roots: true}) {
		must(c.t, func() error { return err })
		for e, err := range c.Events(c.t.Context(), info.ID, 0) {
			must(c.t, func() error { return err })
			text += string(e.Data)
		}
	}
	return strings.ToLower(text)
}

func (c *crowd) compareSessions() {
	c.t.Helper()
	var all []rein.SessionInfo
	typed, newest := map[string]string{}, map[string]int{}
	roots := 0
	for info, err := range c.Runs(c.t.Context(), store.Filter{Roots: true}) {
		must(c.t, func() error { return err })
		roots++
		newest[info.Session] = roots
	}
	for s, err := range c.Sessions(c.t.Context(), store.SessionFilter{}) {
		must(c.t, func() error { return err })
		all, typed[s.ID] = append(all, s), c.typedIn(s.ID)
	}
	for _, user := range []string{"", "ann", "cy", "nobody"} {
		for i, text := range []string{"", "w1", "TO r3", "again to r", fmt.Sprintf("begin w%d.", c.runs), "none"} {
			f := store.SessionFilter{Household: []string{"home", "away"}[i%2], User: user, Text: text, Recent: i%3 > 0, Limit: 2}
			var want, got []string
			for _, s := range all {
				if s.Household == f.Household && (user == "" || s.User == user) && strings.Contains(typed[s.ID], strings.ToLower(text)) {
					want = append(want, s.ID)
				}
			}
			if f.Recent {
				slices.SortFunc(want, func(a, b string) int { return newest[b] - newest[a] })
			}
			for more := true; more; {
				more = false
				for s, err := range c.Sessions(c.t.Context(), f) {
					must(c.t, func() error { return err })
					got, f.After, more = append(got, s.ID), s.ID, true
				}
			}
			if !slices.Equal(got, want) {
				c.t.Errorf("%+v: sessions %v, want %v", f, got, want)
			}
		}
	}
}

func (c *crowd) compare() {
	c.t.Helper()
	var all []rein.RunInfo
	for info, err := range c.Runs(c.t.Context(), store.Filter{}) {
		must(c.t, func() error { return err })
		all = append(all, info)
	}
	for _, f := range c.filters() {
		c.compareRuns(f, all)
	}
	c.compareSearches(all)
	c.compareUsage(all)
	c.compareAsks()
	c.compareSessions()
}

// filters are all that lists can be asked for.
func (c *crowd) filters() (all []store.Filter) {
	for _, status := range []rein.Status{"", "done", "failed", "stopped", "running", "waiting"} {
		for _, user := range []string{"", "ann", "cy", "nobody"} {
			for bits := range 4 {
				f := store.Filter{Household: []string{"home", "away", "none"}[len(all)%3], User: user, Status: status, Roots: bits&1 > 0, Newest: bits&2 > 0}
				all = append(all, f)
			}
		}
	}
	for _, user := range []string{"", "bob"} {
		all = append(all,
			store.Filter{Household: "home", User: user, Unfinished: true}, store.Filter{Household: "home", User: user, Unfinished: true, Newest: true, Roots: true},
			store.Filter{Household: "home", User: user, Session: "s-home-bob-1"}, store.Filter{Household: "home", User: user, Tree: "r4"},
			store.Filter{Household: "home", User: user, Paused: true}, store.Filter{User: user, Status: "failed"})
	}
	return all
}

func fits(f store.Filter, i rein.RunInfo) bool {
	switch {
	case f.Household != "" && f.Household != i.Household, f.User != "" && f.User != i.User, f.Session != "" && f.Session != i.Session,
		f.Status != "" && f.Status != i.Status, f.Unfinished && i.Status.Ended(), f.Paused && !i.Paused, f.Roots && i.ID.Depth() > 0,
		f.Flow != "" && f.Flow != i.Flow, f.Workspace != "" && f.Workspace != i.Workspace, i.Started.Before(f.Since), i.Used.Micros < f.MinMicros,
		f.Tree != "" && i.ID != f.Tree && !strings.HasPrefix(string(i.ID), string(f.Tree)+"."):
		return false
	}
	return true
}

func (c *crowd) compareRuns(f store.Filter, all []rein.RunInfo) {
	c.t.Helper()
	var want []rein.RunID
	for _, info := range all {
		if fits(f, info) {
			want = append(want, info.ID)
		}
	}
	if f.Newest {
		slices.Reverse(want)
	}
	for _, limit := range []int{0, 1 + rand.IntN(9)} {
		f.After, f.Limit = "", limit
		var got []rein.RunID
		for more := true; more; {
			more = false
			for info, err := range c.Runs(c.t.Context(), f) {
				must(c.t, func() error { return err })
				got, f.After, more = append(got, info.ID), info.ID, limit > 0
			}
		}
		if !slices.Equal(got, want) {
			c.t.Errorf("%+v: runs %v, want %v", f, got, want)
		}
	}
}

// compareSearches finds runs by what they are, in pages that look at few runs at a time.
func (c *crowd) compareSearches(all []rein.RunInfo) {
	c.t.Helper()
	typed, asks := map[rein.RunID]string{}, map[rein.RunID]int64{}
	for i, info := range all {
		typed[info.ID] = strings.ToLower(info.Title)
		if info.ID.Depth() == 0 {
			for e, err := range c.Events(c.t.Context(), info.ID, 0) {
				must(c.t, func() error { return err })
				typed[info.ID] += strings.ToLower(string(e.Data))
			}
		}
		open, err := c.Asks(c.t.Context(), store.AskFilter{Tree: info.ID, Pending: true})
		must(c.t, func() error { return err })
		asks[info.ID] = int64(len(open))
		if info.Status.Ended() != !info.Ended.IsZero() || info.Status.Ended() && !info.Ended.Equal(info.Changed) {
			c.t.Errorf("run %s is %s and ended at %s", all[i].ID, info.Status, info.Ended)
		}
	}
	day := time.Date(2026, 1, 6, 0, 0, 0, 0, time.UTC)
	for i, f := range []store.Filter{
		{},
		{Text: "W1"},
		{Text: fmt.Sprintf("begin w%d.", c.runs)},
		{Text: "again TO r"},
		{Text: "none"},
		{Flow: "chat"},
		{Flow: "nothing"},
		{Workspace: "garden"},
		{Since: day},
		{Since: day.AddDate(1, 0, 0)},
		{MinMicros: 1},
		{MinMicros: 9},
		{Since: day, Flow: "answer", MinMicros: 3},
		{Text: "w", Workspace: "shed", Status: "failed"},
		{Flow: "chat", Unfinished: true},
		{Session: "s-home-bob-1", Flow: "answer"},
		{Tree: "r4", Flow: "chat"},
		{Status: "done", Since: day, Roots: true},
	} {
		for _, user := range []string{"", "ann"} {
			f.Household, f.User, f.Newest, f.Limit, f.After = "home", user, (i+len(user))%2 > 0, 3, ""
			var want, got []rein.RunID
			for _, info := range all {
				if fits(f, info) && strings.Contains(typed[info.ID], strings.ToLower(f.Text)) {
					want = append(want, info.ID)
				}
			}
			if f.Newest {
				slices.Reverse(want)
			}
			pages := 0
			for more := true; more; pages++ {
				q := newRunsQuery(f)
				q.stretch = 5
				found, next, err := c.find(c.t.Context(), q, 10)
				must(c.t, func() error { return err })
				for _, info := range found {
					if got = append(got, info.ID); info.Asks != asks[info.ID] {
						c.t.Errorf("run %s has %d open asks, want %d", info.ID, info.Asks, asks[info.ID])
					}
				}
				f.After, more = next, next != ""
			}
			if !slices.Equal(got, want) {
				c.t.Errorf("%+v: found %v, want %v", f, got, want)
			}
			if f.Text == "none" && pages < 3 && c.runs > 100 {
				var mark int64
				must(c.t, func() error { return c.read.QueryRow(`SELECT run_n FROM view_mark`).Scan(&mark) })
				if mark > 100 {
					c.t.Errorf("%+v: %d pages looked at %d runs", f, pages, len(all))
				}
			}
		}
	}
}

func (c *crowd) compareUsage(all []rein.RunInfo) {
	c.t.Helper()
	zone, err := time.LoadLocation("Asia/Kathmandu") // + 5:45
	must(c.t, func() error { return err })
	for _, by := range []string{store.ByDay, store.ByUser, store.ByFlow, store.BySession} {
		for _, f := range []store.UsageFilter{{Household: "home"}, {Household: "home", User: "ann"}, {Household: "away", Zone: zone}, {Household: "home", User: "bob", Zone: zone}} {
			f.By = by
			want := map[string]string{}
			sums := map[string]rein.UsageSum{}
			for _, info := range all {
				if info.ID.Depth() > 0 || !info.Status.Ended() || !fits(store.Filter{Household: f.Household, User: f.User}, info) {
					continue
				}
				at := info.Started
				if f.Zone != nil {
					at = at.In(f.Zone)
				}
				what := map[string]string{store.ByDay: at.Format(time.DateOnly), store.ByUser: info.User, store.ByFlow: info.Flow, store.BySession: info.Session}[by]
				ledger, err := c.Ledger(c.t.Context(), info.ID)
				must(c.t, func() error { return err })
				sum := sums[what]
				sums[what] = rein.UsageSum{Runs: sum.Runs + 1, Used: sum.Used.Plus(ledger.Used)}
				want[what] = fmt.Sprint(sums[what].Runs, sums[what].Used)
			}
			got := map[string]string{}
			open := 0
			f.Limit = map[bool]int{true: 2}[by == store.BySession]
			for more := true; more; {
				u, err := c.Usage(c.t.Context(), f)
				must(c.t, func() error { return err })
				for _, sum := range u.Sums {
					if sum.Runs > 0 {
						got[sum.What] = fmt.Sprint(sum.Runs, sum.Used)
					}
				}
				open += len(u.Open)
				f.After, more = u.Next, u.Next != ""
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				c.t.Errorf("%+v: usage %v, want %v", f, got, want)
			}
			unfinished := 0
			for _, info := range all {
				if !info.Status.Ended() && info.ID.Depth() == 0 && fits(store.Filter{Household: f.Household, User: f.User}, info) {
					unfinished++
				}
			}
			if open != unfinished {
				c.t.Errorf("%+v: %d open trees, want %d", f, open, unfinished)
			}
		}
	}
}

func (c *crowd) compareAsks() {
	c.t.Helper()
	all, err := c.Asks(c.t.Context(), store.AskFilter{})
	must(c.t, func() error { return err })
	for _, state := range []rein.AskState{"", rein.AskPending, rein.AskWithdrawn} {
		for _, user := range []string{"", "ann", "bob"} {
			f := store.AskFilter{Household: "home", User: user, State: state, For: []string{"", "ann"}[len(user)%2]}
			var want, got []rein.AskID
			for _, ask := range all {
				run, err := c.Run(c.t.Context(), ask.Run)
				must(c.t, func() error { return err })
				if run.Household == "home" && (user == "" || run.User == user || ask.For == user) && (state == "" || ask.State == state) && (f.For == "" || ask.For == "" || ask.For == f.For) {
					want = append(want, ask.ID)
				}
			}
			f.Limit = 3
			for more := true; more; {
				asks, err := c.Asks(c.t.Context(), f)
				must(c.t, func() error { return err })
				for _, ask := range asks {
					got, f.After = append(got, ask.ID), ask.ID
				}
				more = len(asks) == f.Limit
			}
			if !slices.Equal(got, want) {
				c.t.Errorf("%+v: asks %v, want %v", f, got, want)
			}
		}
	}
}

// TestNoQueryGoesThroughAllRuns holds how SQLite answers what people ask often, in a file of plans. UPDATE=1
// writes it again.
func TestNoQueryGoesThroughAllRuns(t *testing.T) {
	t.Parallel()
	c := &crowd{Store: openTest(t, newPath(t), Options{}), t: t}
	c.add(30)
	c.foldAll()
	var b strings.Builder
	args := []any{"r1", 0, "s", 10, "home", "ann", 5, "failed", 0, 0, "w", "[]", "chat", "garden", 0}
	plan := func(name, query string) {
		fmt.Fprintf(&b, "%s\n", name)
		rows, err := c.read.Query(`EXPLAIN QUERY PLAN `+query, args...)
		must(t, func() error { return err })
		defer rows.Close()
		for rows.Next() {
			var id, parent, unused int
			var detail string
			must(t, func() error { return rows.Scan(&id, &parent, &unused, &detail) })
			fmt.Fprintf(&b, "\t%s\n", detail)
			if strings.Contains(detail, "AUTOMATIC") {
				t.Errorf("%s: %s", name, detail)
			}
			for _, table := range []string{"r", "c", "s", "a", "e", "l", "runs", "sessions", "asks", "events", "ledgers"} {
				if detail == "SCAN "+table {
					t.Errorf("%s: %s", name, detail)
				}
			}
		}
	}
	for _, f := range []store.Filter{
		{Household: "home"},
		{Household: "home", User: "ann", Newest: true},
		{Household: "home", User: "ann", Roots: true},
		{Household: "home", Status: "failed"},
		{Household: "home", Status: "done", Newest: true},
		{Household: "home", Status: "waiting"},
		{Household: "home", User: "ann", Unfinished: true},
		{Household: "home", Session: "s", Roots: true},
		{Household: "home", Tree: "r1"},
		{Unfinished: true},
		{Household: "home", User: "ann", Text: "w", Newest: true},
		{Household: "home", Flow: "chat", Workspace: "garden"},
		{Household: "home", Status: "failed", Since: time.Unix(1, 0).UTC(), Newest: true},
	} {
		q := newRunsQuery(f)
		if q.lists {
			plan(fmt.Sprintf("runs %+v, listed", f), q.sql(q.listed(), ` AND r.n <= ?7`))
			plan(fmt.Sprintf("runs %+v, newer", f), q.sql(fromRuns, ` AND r.n > ?7`))
		} else {
			plan(fmt.Sprintf("runs %+v", f), q.sql(q.from(), ""))
		}
	}
	for _, f := range []store.AskFilter{
		{Household: "home"},
		{Household: "home", User: "ann"},
		{Household: "home", State: rein.AskWithdrawn},
		{Household: "home", State: rein.AskPending},
		{Household: "home", User: "ann", State: rein.AskPending},
		{Household: "home", Tree: "r1", State: rein.AskPending},
		{State: rein.AskPending},
	} {
		query, _ := asksQuery(f, true)
		plan(fmt.Sprintf("asks %+v", f), `SELECT a.data`+query)
	}
	for _, q := range [][2]string{
		{"usage by day", selectDays},
		{"usage by day of a user", selectDays + ` AND user = ?2`},
		{"usage newer than the mark", selectNewer},
		{"usage of open trees", selectOpen},
		{"usage of open trees, below", selectOpenBelow},
		{"usage by session", selectSessionPage},
		{"usage of newer sessions", selectNewSessions + ` ORDER BY s.n LIMIT ?5`},
		{"usage of a session", selectSessionUse},
		{"opening the file", `UPDATE runs SET driven = 0 WHERE driven <> 0 AND n IN (` + unfinishedRuns + `)`},
		{"a page of a log", selectEvents},
		{"when runs began", selectSince},
	} {
		plan(q[0], q[1])
	}
	args = []any{"home", "ann", "[]", "w", "[]", "[]", 0, 10, 5}
	for _, f := range []store.SessionFilter{
		{Household: "home"},
		{Household: "home", User: "ann", Recent: true},
		{Household: "home", User: "ann", Recent: true, Text: "w"},
		{Household: "home", IDs: []string{"s"}, Recent: true},
	} {
		for i, part := range newSessionsQuery(f).parts() {
			plan(fmt.Sprintf("sessions %+v, part %d", f, i), part)
		}
	}
	const file = "testdata/plans.txt"
	if os.Getenv("UPDATE") != "" {
		must(t, func() error { return os.MkdirAll("testdata", 0o755) })
		must(t, func() error { return os.WriteFile(file, []byte(b.String()), 0o644) })
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != b.String() {
		t.Errorf("the plans are not those of %s (%v):\n%s", file, err, b.String())
	}
}
