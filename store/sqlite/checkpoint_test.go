package sqlite

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/store/storetest"
)

func checkpointed(t testing.TB, s *Store) rein.Checkpoint {
	t.Helper()
	c, err := s.Checkpoint(t.Context(), time.Now())
	must(t, func() error { return err })
	return c
}

func wantHead(t testing.TB, s *Store, head rein.Hash) {
	t.Helper()
	_, wrong, err := s.VerifyHead(context.Background(), head)
	if err != nil || len(wrong) > 0 {
		t.Errorf("head %s: %q, %v", head, wrong, err)
	}
}

// TestCheckpoint checks that a head holds while the store goes on: runs grow, begin and are erased.
//
// Covers: LAW-1 ENG-36
func TestCheckpoint(t *testing.T) {
	t.Parallel()
	s := openTest(t, newPath(t), Options{})
	none, err := s.LastCheckpoint(t.Context())
	if err != nil || none != (rein.Checkpoint{}) {
		t.Errorf("%+v, %v", none, err)
	}
	empty := checkpointed(t, s)
	story(t, s)
	first := checkpointed(t, s)
	if first.N != 2 || first.Runs != 6 {
		t.Errorf("%+v", first)
	}
	drive(t, s, "more")
	must(t, func() error { return noteAs(s, "last", 1, "it goes on") })
	_, err = s.Command(t.Context(), rein.Command{Kind: rein.CommandAnswer, Run: "waits", Ask: "waits:1.ask", By: "ann", Answer: rein.Answer{State: rein.AskApproved, Shown: "v2-abc"}}, at.Add(time.Minute))
	must(t, func() error { return err })
	second := checkpointed(t, s)
	must(t, func() error { return s.Erase(t.Context(), storetest.These("r")) })
	third := checkpointed(t, s)
	for _, c := range []rein.Checkpoint{empty, first, second, third} {
		wantHead(t, s, c.Head)
	}
	if last, err := s.LastCheckpoint(t.Context()); err != nil || last != third {
		t.Errorf("the last is %+v, want %+v (%v)", last, third, err)
	}
	_, _, err = s.VerifyHead(t.Context(), rein.Hash{1})
	wantCode(t, err, rein.CodeNotFound, "0100", "restore")
	if found := faults(t, s); len(found) > 0 {
		t.Errorf("%q", found)
	}
}

// TestCheckpointCutOff checks that what a checkpoint left that was cut off does not count.
func TestCheckpointCutOff(t *testing.T) {
	t.Parallel()
	s := openTest(t, newPath(t), Options{})
	story(t, s)
	must(t, func() error {
		return s.writeRows(t.Context(), `INSERT INTO checkpoint_runs VALUES (?, 1, 1, x'00')`, [][]any{{"r"}, {"never"}})
	})
	wantHead(t, s, checkpointed(t, s).Head)
}

// TestTamperedSinceHead takes away what an audit of the rest alone cannot miss. A head that was kept
// elsewhere proves it.
//
// Attack: 70
// Covers: LAW-1
func TestTamperedSinceHead(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := openTest(t, path, Options{})
	earlier := checkpointed(t, s)
	story(t, s)
	must(t, func() error {
		return s.writeRows(t.Context(), `INSERT INTO people_chain VALUES (?, 0, 'set', 0, ?, x'00', zeroblob(32), zeroblob(32))`, [][]any{{1, "users/home/a"}, {2, "users/home/b"}})
	})
	kept := checkpointed(t, s)
	drive(t, s, "later")
	checkpointed(t, s)
	s.Close()
	const last = `(SELECT n FROM runs WHERE id = 'last')`
	for _, c := range []struct{ name, sql, says string }{
		{"the newest run, without a trace", `DELETE FROM runs WHERE id = 'later'; DELETE FROM runs WHERE n = ` + last, "run last is gone"},
		{"a tree", `DELETE FROM runs WHERE id = 'r' OR id LIKE 'r.%'`, "run r.1 is gone"},
		{"a log that is shorter", `DELETE FROM events WHERE run_n = (SELECT n FROM runs WHERE id = 'waits') AND seq = 3; UPDATE runs SET seq = 2 WHERE id = 'waits'`, "run waits had 3 events"},
		{"a log that is another", `UPDATE events SET hash = zeroblob(32) WHERE run_n = ` + last, "run last was written again"},
		{"another name", `UPDATE runs SET id = 'first' WHERE id = 'last'`, "run last is gone"},
		{"people", `DELETE FROM people_chain WHERE n = 2`, "entry 2 is gone"},
		{"people who are others", `UPDATE people_chain SET hash = x'01' WHERE n = 2`, "people: the chain of their records was written again"},
		{"the checkpoint", `DELETE FROM checkpoints WHERE n >= 2`, "no checkpoint"},
		{"the checkpoint before", `DELETE FROM checkpoints WHERE n = 1`, "checkpoints 1 to 1 are missing"},
		{"what the checkpoint before says", `UPDATE checkpoints SET made = made + 1 WHERE n = 1`, "checkpoint 1"},
		{"a run and that it was there", `DELETE FROM runs WHERE n = ` + last + `; DELETE FROM checkpoint_runs WHERE run = 'last'`, "says of its runs was changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := newPath(t)
			copyFiles(t, path, file)
			db := connect(file, 1)
			_, err := db.Exec(c.sql)
			must(t, func() error { return err })
			db.Close()
			s, err := OpenReader(t.Context(), file)
			must(t, func() error { return err })
			defer s.Close()
			_, found, err := s.VerifyHead(t.Context(), kept.Head)
			if err != nil {
				found = append(found, err.Error())
			}
			t.Logf("%q", found)
			if !slices.ContainsFunc(found, func(f string) bool { return strings.Contains(f, c.says) }) {
				t.Errorf("the head finds %q, want something about %q", found, c.says)
			}
		})
	}
	if earlier.Head == kept.Head {
		t.Error("two checkpoints have one head")
	}
}
