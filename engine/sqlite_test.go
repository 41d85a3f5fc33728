package engine_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/engine/work"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// serve runs an engine over a file until stop is called, with the scripted "ask" flow only.
func serve(t *testing.T, path string) (e *engine.Engine, s *sqlite.Store, stop func()) {
	t.Helper()
	s, err := sqlitetest.Open(t, path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err = engine.New(engine.Options{
		Store: s, Flows: flows.All(), Dispatch: &local.Dispatcher{}, Grace: engine.NoGrace,
		Worker: &work.Worker{Models: map[string]rein.Model{"": chance{}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()
	return e, s, func() {
		t.Helper()
		cancel()
		if err := errors.Join(<-served, s.Close()); err != nil {
			t.Error(err)
		}
	}
}

// until polls a run's row; a damaged run has no other sign of life.
func until(t *testing.T, s *sqlite.Store, run rein.RunID, is func(rein.RunInfo) bool) rein.RunInfo {
	t.Helper()
	deadline := time.NewTimer(30 * time.Second)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		info, err := s.Run(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		if is(info) {
			return info
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("run %s is still %+v", run, info)
		}
	}
}

func waiting(i rein.RunInfo) bool { return i.Status == rein.StatusWaiting }

// A log that is not what was written is an event on that run, and on no other: the run is blocked,
// can be deleted, and the audit says what is wrong.
//
// Covers: ENG-51
func TestDamagedLogBlocksOnlyItsRun(t *testing.T) {
	damages := map[string]string{
		"payload changed":  `UPDATE events SET data = CAST(replace(data, 'Which', 'What!') AS BLOB) WHERE kind = 'ask.opened' AND run_n = 1`,
		"payload not JSON": `UPDATE events SET data = x'7b7b' WHERE kind = 'step.started' AND run_n = 1`,
		"event missing":    `DELETE FROM events WHERE seq = 2 AND run_n = 1`,
		"kind changed":     `UPDATE events SET kind = 'step.dine' WHERE seq = 2 AND run_n = 1`,
		"log gone":         `DELETE FROM events WHERE run_n = 1 AND seq < 4`,
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "rein.db")
			e, s, stop := serve(t, path)
			for _, id := range []rein.RunID{"r1", "r2"} {
				if _, err := e.Start(t.Context(), id, rein.Task{Flow: "ask"}); err != nil {
					t.Fatal(err)
				}
				until(t, s, id, waiting)
			}
			stop()
			execRaw(t, path, damage)

			e, s, stop = serve(t, path)
			defer stop()
			for _, id := range []rein.RunID{"r1", "r2"} {
				ask, err := s.Ask(t.Context(), rein.NewAskID(id, "1.ask"))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := e.Command(t.Context(), ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "blue", By: "ann"})); err != nil {
					t.Fatal(err)
				}
			}
			until(t, s, "r2", func(i rein.RunInfo) bool { return i.Status == "done" })
			until(t, s, "r1", func(i rein.RunInfo) bool { return i.Status == rein.StatusBlocked })
			verdict, err := s.Verify(t.Context(), "r1")
			if err != nil || len(verdict.Wrong) == 0 {
				t.Errorf("the audit says %+v %v", verdict, err)
			}
			if _, err := e.Command(t.Context(), rein.Command{Kind: rein.CommandDelete, Run: "r1", By: "ann"}); err != nil {
				t.Fatal(err)
			}
			until(t, s, "r1", func(i rein.RunInfo) bool { return i.Status == "deleted" })
		})
	}
}

func execRaw(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	result, err := db.Exec(statement)
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := result.RowsAffected(); n == 0 {
		t.Fatalf("%s changed nothing", statement)
	}
}

// Covers: LAW-5
func TestThousandsOfWaitingRunsAreRows(t *testing.T) {
	const n = 500
	path := filepath.Join(t.TempDir(), "rein.db")
	e, s, stop := serve(t, path)
	defer stop()
	id := func(i int) rein.RunID {
		return rein.RunID("r" + strings.Repeat("i", i%10) + string(rune('a'+i/10%26)) + strings.Repeat("x", i/260))
	}
	for i := range n {
		if _, err := e.Start(t.Context(), id(i), rein.Task{Flow: "ask"}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		until(t, s, id(i), waiting)
	}
	deadline := time.NewTimer(30 * time.Second)
	for e.Live() > 0 {
		select {
		case <-deadline.C:
			t.Fatalf("%d runs are still held", e.Live())
		default:
		}
	}
	var parked rein.Parked
	for ev, err := range s.Events(t.Context(), id(7), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Kind == rein.RunParked {
			if parked, err = rein.Payload[rein.Parked](ev); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(parked.For) != 1 || !strings.Contains(parked.For[0], string(id(7))) {
		t.Errorf("it waits for %v", parked.For)
	}
}
