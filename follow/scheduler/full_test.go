package scheduler_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"rein"
	"rein/follow/scheduler"
	"rein/household/schedule"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// Slots that a limit of their user holds up, however many, hold up nobody else; and the limit is asked once for all of them.
//
// Covers: NEU-57
func TestFullUser(t *testing.T) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	job := func(user, at string, payload schedule.PayloadKind) schedule.Job {
		j, err := schedule.Make(schedule.Want{At: at, Text: "x", Payload: string(payload), Overlap: "allow"}, "UTC", now, schedule.DefaultRules())
		if err != nil {
			t.Fatal(err)
		}
		j.ID, j.Owner = user, schedule.Owner{Household: "home", User: user}
		return j
	}
	err = s.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
		many := job("ann", "2026-11-21T12:00", schedule.AgentTurn)
		for _, j := range []schedule.Job{many, job("bob", "2026-11-20T12:01", schedule.SystemEvent)} {
			if err := schedule.Add(ctx, tx, j); err != nil {
				return err
			}
		}
		for i := range 600 {
			if _, err := schedule.FireNow(ctx, tx, many, now.Add(time.Duration(i)*time.Millisecond)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]int{}
	fires, err := scheduler.New(scheduler.Scheduler{
		Store: s, Now: func() time.Time { return now.Add(2 * time.Minute) },
		Session: func(context.Context, schedule.Job) (string, error) { return "chat-1", nil },
		Start: func(_ context.Context, id rein.RunID, task rein.Task) (rein.RunInfo, error) {
			if asked[task.User]++; task.User == "ann" {
				return rein.RunInfo{}, rein.Errorf(rein.CodeQuota, "ann has spent what she may spend today")
			}
			return rein.RunInfo{ID: id}, nil
		},
	})
	if err == nil {
		err = fires.Tick(t.Context())
	}
	if err != nil || asked["bob"] != 1 || asked["ann"] > 2 {
		t.Errorf("%v %v", asked, err)
	}
}
