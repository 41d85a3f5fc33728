package scheduler_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/follow/scheduler"
	"rein/household/schedule"
	"rein/internal/labs"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A world is a real store with a clock of its own, and runs that take time and do nothing. Now and then it kills the one
// who does something, before or after it was done.
type world struct {
	*sqlite.Store
	mu     sync.Mutex
	now    time.Time
	random *rand.Rand
	began  map[rein.RunID]time.Time
	ends   map[rein.RunID]time.Time
	took   func(rein.RunID) time.Duration
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// mayDie ends the goroutine of the one who does something, as if their process was killed.
func (w *world) mayDie() {
	w.mu.Lock()
	dies := w.random.IntN(40) == 0
	w.mu.Unlock()
	if dies {
		runtime.Goexit()
	}
}

func (w *world) Write(ctx context.Context, do func(context.Context, rein.Tx) error) error {
	w.mayDie()
	defer w.mayDie()
	return w.Store.Write(ctx, do)
}

func (w *world) start(_ context.Context, id rein.RunID, _ rein.Task) (rein.RunInfo, error) {
	w.mayDie()
	defer w.mayDie()
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.began[id]; !known {
		w.began[id], w.ends[id] = w.now, w.now.Add(w.took(id))
	}
	return rein.RunInfo{ID: id}, nil
}

func (w *world) Run(_ context.Context, id rein.RunID) (rein.RunInfo, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ends, known := w.ends[id]
	if !known {
		return rein.RunInfo{}, rein.Errorf(rein.CodeNotFound, "there is no run %s", id)
	}
	info := rein.RunInfo{ID: id, Status: rein.StatusRunning}
	if !w.now.Before(ends) {
		info.Status, info.Outcome = rein.Status(rein.EndDone), &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: "done"}}
	}
	return info, nil
}

func (w *world) Ledger(context.Context, rein.RunID) (rein.Ledger, error) { return rein.Ledger{}, nil }

func (w *world) scheduler(t *testing.T) *scheduler.Scheduler {
	t.Helper()
	s, err := scheduler.New(scheduler.Scheduler{
		Store: w, Start: w.start, Now: w.clock,
		Session: func(context.Context, schedule.Job) (string, error) { return "chat-1", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tick has one scheduler, or two at once, look at the clock. One that dies is replaced.
func (w *world) tick(t *testing.T, schedulers int) {
	t.Helper()
	var all sync.WaitGroup
	for range schedulers {
		all.Go(func() {
			for alive := false; !alive; {
				var one sync.WaitGroup
				one.Go(func() {
					err := w.scheduler(t).Tick(t.Context())
					if alive = true; err != nil {
						t.Error(err)
					}
				})
				one.Wait()
			}
		})
	}
	all.Wait()
}

var policies = [][2]string{
	{"skip", "skip"}, {"skip", "queue"}, {"skip", "allow"}, {"once", "skip"}, {"once", "queue"}, {"once", "allow"}, {"all", "skip"}, {"all", "queue"}, {"all", "allow"},
}

// wanted are jobs of all kinds, some at times that changes of the clocks touch.
var wanted = []schedule.Want{
	{At: "2026-03-29T02:30"},
	{At: "2027-10-31T02:15"},
	{At: "2028-02-29T12:00:30"},
	{Every: "97h"},
	{Every: "219600"},
	{Cron: "30 2 * * sat-7"},
	{Cron: "*/30 1-3 * * sun"},
	{Cron: "0 9 13 * 5"},
}

// Over three years in Amsterdam, with restarts, deaths between any two steps, two schedulers at once, and clocks that jump
// both ways: what fires, and when, is what the rules say, once each, for every kind of job and all policies. The rules are
// stated a second time in oracle_test.go, by looking at the clock minute by minute.
//
// Covers: NEU-57
// Plain: it repeats one thing many times; other tests run the same code under the race detector.
func TestThreeYears(t *testing.T) {
	for i, p := range policies {
		if !labs.Cell(i, len(policies)) {
			continue
		}
		t.Run(p[0]+" "+p[1], func(t *testing.T) {
			t.Parallel()
			threeYears(t, uint64(i), p[0], p[1])
		})
	}
}

func threeYears(t *testing.T, seed uint64, catchUp, overlap string) {
	random := rand.New(rand.NewPCG(seed, 20))
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	check(t, err)
	defer s.Close()
	begin := time.Date(2026, 1, 1, 11, 7, 0, 0, time.UTC)
	w := &world{Store: s, now: begin, random: random, began: map[rein.RunID]time.Time{}, ends: map[rein.RunID]time.Time{}, took: takes}
	var all []*statement
	var moments []time.Time
	for i, want := range wanted {
		want.Text, want.CatchUp, want.Overlap = fmt.Sprint("job ", i), catchUp, overlap
		if i%3 == 0 {
			want.Target = "isolated"
		}
		j, err := schedule.Make(want, "Europe/Amsterdam", begin, schedule.DefaultRules())
		check(t, err)
		j.ID, j.Owner = fmt.Sprint("job", i), schedule.Owner{Household: "home", User: "ann"}
		check(t, s.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error { return schedule.Add(ctx, tx, j) }))
		st := state(j.ID, want, begin, begin.AddDate(3, 0, 40))
		all, moments = append(all, st), append(moments, st.slots...)
	}
	slices.SortFunc(moments, time.Time.Compare)
	for !w.now.After(begin.AddDate(3, 0, 0)) {
		now := w.clock()
		w.tick(t, 1+random.IntN(6)/5)
		for _, st := range all {
			st.tick(now)
		}
		w.mu.Lock()
		w.now = jump(random, now, moments)
		w.mu.Unlock()
	}
	for _, st := range all {
		st.compare(t, w)
	}
	w.delivered(t)
}

// delivered compares the messages with the runs: one of each that has ended, and no other.
func (w *world) delivered(t *testing.T) {
	t.Helper()
	w.tick(t, 1)
	for id, ends := range w.ends {
		if w.now.Before(ends) || strings.HasPrefix(string(id), "jn-") {
			delete(w.ends, id)
		}
	}
	err := w.Read(t.Context(), func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT run FROM messages`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var run rein.RunID
			if err := rows.Scan(&run); err != nil {
				return err
			}
			if _, ended := w.ends[run]; !ended {
				t.Errorf("there is a message of run %s, or two", run)
			}
			delete(w.ends, run)
		}
		return rows.Err()
	})
	check(t, err)
	if len(w.ends) > 0 {
		t.Errorf("there are no messages of %v", w.ends)
	}
}

// takes is how long a run takes: nothing, some hours, or days, as if it waited for a person.
func takes(id rein.RunID) time.Duration {
	h := fnv.New32a()
	h.Write([]byte(id))
	switch n := h.Sum32() % 20; {
	case n < 13 || id[:3] == "jn-":
		return 0
	case n < 17:
		return 3 * time.Hour
	case n < 19:
		return 30 * time.Hour
	}
	return 100 * time.Hour
}

// jump returns what the clock shows next: mostly the next time at which something is due, a little later; sometimes rein
// does not run for a while, or the clock is set.
func jump(random *rand.Rand, now time.Time, moments []time.Time) time.Time {
	day := func(n int) time.Duration { return time.Duration(random.Int64N(int64(n) * int64(24*time.Hour))) }
	switch random.IntN(60) {
	case 0:
		return now.Add(day(9))
	case 1, 2:
		return now.Add(day(2))
	case 3:
		return now.Add(-day(4)).Truncate(time.Microsecond)
	case 4:
		return now.Add(-time.Duration(random.IntN(90)) * time.Second)
	case 5:
		return now.Add(time.Duration(random.IntN(200)) * time.Second)
	}
	i, _ := slices.BinarySearchFunc(moments, now.Add(1), time.Time.Compare)
	if i == len(moments) {
		return now.Add(24 * time.Hour)
	}
	return moments[i].Add(time.Duration(random.IntN(70_000)) * time.Millisecond)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var _ store.Tables = (*world)(nil)
