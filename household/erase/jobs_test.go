package erase_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"rein"
	"rein/household/erase"
	"rein/household/schedule"
)

// A job goes with the run that made it, with its session and with its user, and so do the runs that it started and what
// they told the session, wherever these are; another user's job stays.
func TestJobsGo(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]erase.Target{"run": {Run: "r1"}, "session": {Session: "s1"}, "user": {User: "ann"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.eraser.Background = func(flow string) bool { return flow == "notice" }
			h.eraser.Aside = h.eraser.Background
			h.said("r1", "ann", "s1", "Said.")
			h.said("r2", "bob", "s2", "Said.")
			ann, bob := schedule.Owner{Household: "home", User: "ann"}, schedule.Owner{Household: "home", User: "bob"}
			j, err := schedule.Make(schedule.Want{Every: "1h", Text: "PLANTED text", Label: "PLANTED label", Target: "isolated"}, "UTC", h.clock, schedule.DefaultRules())
			h.check(err)
			j.ID, j.Owner, j.Run, j.Session = "j1", ann, "r1", "s1"
			k := j
			k.ID, k.Owner, k.Run, k.Session, k.Label, k.Payload.Text = "j2", bob, "r2", "s2", "KEPT job", "KEPT text"
			h.check(h.store.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
				for _, add := range []schedule.Job{j, k} {
					if err := schedule.Add(ctx, tx, add); err != nil {
						return err
					}
				}
				_, err := schedule.Claim(ctx, tx, j.Next)
				return err
			}))
			marked, err := j.Marked(task("PLANTED text"))
			h.check(err)
			run := schedule.RunOf("j1", j.Next)
			h.start(run, "ann", "job-j1", marked)
			h.end(run, "PLANTED result")
			h.start("jn-1", "ann", "s3", rein.Task{Flow: "notice", Settings: h.json(map[string]string{"text": "PLANTED result", "run": string(run)})})
			h.end("jn-1", "PLANTED result")
			h.said("r3", "ann", "s3", "PLANTED quote of the result")
			h.check(h.store.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
				p := schedule.Pending{Job: j, Slot: schedule.Slot{Job: "j1", Instant: j.Next, Run: run}}
				return schedule.Finish(ctx, tx, p, schedule.End{Failed: true, Error: "PLANTED error"}, time.Now(), schedule.DefaultRules())
			}))
			if len(h.everywhere("PLANTED")) == 0 {
				t.Fatal("it is not found before either")
			}
			gone := names(h.erases(owner, target))
			for _, want := range []string{"job j1", string(run), "jn-1"} {
				if !slices.ContainsFunc(gone, func(s string) bool { return s == want || s == "run "+want }) {
					t.Errorf("%s stays; erased: %q", want, gone)
				}
			}
			if got := h.everywhere("PLANTED"); len(got) > 0 {
				t.Errorf("%q hold it", got)
			}
			if got := h.everywhere("KEPT text"); len(got) == 0 {
				t.Error("bob's job went too")
			}
		})
	}
}
