package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
)

// TestRunsAreFound narrows the list of runs by everything that a table of runs has, in pages, and shows in each run what
// such a table needs.
func TestRunsAreFound(t *testing.T) {
	r := newRig(t)
	begin := time.Now()
	for id, user := range map[rein.RunID]string{"a": "ann", "b": "bob"} {
		_, err := r.as(user).Start(t.Context(), id, task("chat", "Water the TULIPS of "+user))
		check(t, err)
		follow(t, r.as(user), id, followAll).wantEnd()
	}
	asks := task("ask", "")
	asks.Session = "s"
	_, err := r.as("ann").Start(t.Context(), "c", asks)
	check(t, err)
	follow(t, r.as("ann"), "c", followAll).untilKind("c", rein.RunParked)
	for _, c := range []struct {
		user  string
		query api.RunQuery
		want  string
	}{
		{"", api.RunQuery{}, "a b c"},
		{"", api.RunQuery{Text: "tulips"}, "a b"},
		{"", api.RunQuery{Text: "tulips OF bob"}, "b"},
		{"ann", api.RunQuery{Text: "tulips"}, "a"},
		{"ann", api.RunQuery{Text: "of bob"}, ""},
		{"", api.RunQuery{Flow: "ask"}, "c"},
		{"", api.RunQuery{User: "ann"}, "a c"},
		{"ann", api.RunQuery{User: "ann", Status: api.Unfinished}, "c"},
		{"", api.RunQuery{Workspace: "garden"}, ""},
		{"", api.RunQuery{Since: begin.Add(-time.Minute), Flow: "chat", Status: "done"}, "a b"},
		{"", api.RunQuery{Since: begin.Add(time.Hour)}, ""},
		{"", api.RunQuery{MinMicros: 1}, ""},
		{"", api.RunQuery{Session: "s", Flow: "chat"}, ""},
	} {
		who := r.Client
		if c.user != "" {
			who = r.as(c.user)
		}
		got := map[string]bool{}
		c.query.Newest, c.query.Limit = true, 1
		for more := true; more; {
			page, err := who.Runs(t.Context(), c.query)
			check(t, err)
			for _, run := range page.Runs {
				got[string(run.ID)] = true
			}
			c.query.After, more = page.Next, page.Next != ""
		}
		want := strings.Fields(c.want)
		for _, id := range want {
			if !got[id] {
				t.Errorf("%q asks %+v: %s is missing", c.user, c.query, id)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%q asks %+v and gets %v, want %v", c.user, c.query, got, want)
		}
	}
	_, err = r.as("ann").Runs(t.Context(), api.RunQuery{User: "bob"})
	wantCode(t, "the runs of another", err, rein.CodeForbidden, "bob")
	var shown api.ShownRun
	check(t, json.Unmarshal(r.get("/v1/runs/c"), &shown))
	page, err := r.as("ann").Runs(t.Context(), api.RunQuery{})
	check(t, err)
	for _, run := range append(page.Runs, shown.RunInfo) {
		waits := run.ID == "c"
		if run.Ended.IsZero() != waits || (run.Asks == 1) != waits || run.User != "ann" || run.Flow == "" || run.Started.IsZero() {
			t.Errorf("run %s is shown as %+v", run.ID, run)
		}
	}
	for _, query := range []string{"since=yesterday", "min_micros=-1", "min_micros=x", "since=2026-01-01T00:00:00Z&since=2026-01-01T00:00:00Z"} {
		if w := r.request("GET", "/v1/runs?"+query, "ann", nil); w.Code != 400 {
			t.Errorf("%s: %d %s", query, w.Code, fmt.Sprint(w.Body))
		}
	}
}
