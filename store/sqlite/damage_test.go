package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein"
)

// TestTampering changes the file behind the store's back. Whatever is changed, Verify says so, and
// Events does not hand it out.
//
// Plain: it opens hundreds of damaged files, one after the other; TestContract reads and writes under the race detector.
//
// Attack: 69
// Covers: LAW-1 ENG-36
func TestTampering(t *testing.T) {
	long := strings.Repeat("a long text ", 50)
	tests := []struct {
		name, sql string
		unread    bool // Events cannot see it
	}{
		{"a payload", `UPDATE events SET data = CAST('{"partial":"lie"}' AS BLOB) WHERE seq = 2`, false},
		{"a swapped payload", `UPDATE events SET (salt, data) = (SELECT salt, data FROM events e WHERE e.seq = 2 AND e.run_n = events.run_n) WHERE seq = 3`, false},
		{"a text", `UPDATE texts SET data = CAST('lie' AS BLOB)`, false},
		{"a missing text", `DELETE FROM text_refs; DELETE FROM texts`, false},
		{"a kind", `UPDATE events SET kind = 'step.started' WHERE seq = 3`, false},
		{"a time", `UPDATE events SET at = at + 1 WHERE seq = 3`, false},
		{"a sender", `UPDATE events SET by = 'ann' WHERE seq = 3`, false},
		{"a step", `UPDATE events SET step = '7' WHERE seq = 3`, false},
		{"what an event spent", `UPDATE events SET spend = x'0108' WHERE seq = 3`, false},
		{"an amount that is none", `UPDATE events SET spend = x'ffff' WHERE seq = 3`, false},
		{"a hash", `UPDATE events SET hash = zeroblob(32) WHERE seq = 3`, false},
		{"a short hash", `UPDATE events SET hash = x'00' WHERE seq = 3`, false},
		{"a missing event", `DELETE FROM events WHERE seq = 3`, false},
		{"a missing first event", `DELETE FROM events WHERE seq = 1`, false},
		{"a cut tail", `DELETE FROM events WHERE seq = 5`, false},
		{"a payload that is gone", `UPDATE events SET salt = NULL, data = NULL WHERE seq = 3`, false},
		{"a payload erased on the quiet", `UPDATE events SET salt = NULL, data = NULL, digest = zeroblob(32) WHERE seq = 3`, false},
		{"the end of the log", `UPDATE runs SET hash = zeroblob(32)`, true},
		{"the ledger", `UPDATE runs SET used = x'0102'`, true},
		{"a ledger that is none", `UPDATE runs SET used = x'ff'`, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := newPath(t)
			s := openTest(t, path, Options{})
			drive(t, s, "r")
			for _, text := range []string{"one", "two", long, "three"} {
				must(t, func() error { return note(s, "r", text) })
			}
			wantSound(t, s, "r")
			s.Close()
			db := connect(path, 1)
			if _, err := db.Exec(test.sql); err != nil {
				t.Fatal(err)
			}
			db.Close()
			s = openTest(t, path, Options{})
			verdict, err := s.Verify(t.Context(), "r")
			if len(verdict.Wrong) == 0 && rein.CodeOf(err) != rein.CodeDamaged {
				t.Errorf("Verify finds nothing wrong: %+v, %v", verdict, err)
			}
			t.Log(verdict.Wrong, err)
			var code rein.Code
			for _, err := range s.Events(t.Context(), "r", 0) {
				code = rein.CodeOf(err)
			}
			if want := rein.CodeDamaged; !test.unread && code != want {
				t.Errorf("Events ends with %q, want %q", code, want)
			}
			if !test.unread && !slices.ContainsFunc([]int64{1, 2, 3, 4, 5}, func(seq int64) bool {
				_, err := s.Event(t.Context(), "r", seq)
				return rein.CodeOf(err) == rein.CodeDamaged
			}) {
				t.Error("Event hands everything out")
			}
		})
	}
}

// TestQuietErasure takes a payload away as Erase would, without saying so.
//
// Attack: 69
func TestQuietErasure(t *testing.T) {
	path := newPath(t)
	s := openTest(t, path, Options{})
	drive(t, s, "r")
	must(t, func() error { return note(s, "r", "one") })
	s.Close()
	db := connect(path, 1)
	defer db.Close()
	var salt, data []byte
	must(t, func() error { return db.QueryRow(`SELECT salt, data FROM events WHERE seq = 2`).Scan(&salt, &data) })
	digest := rein.PayloadDigest(salt, data)
	must(t, func() error {
		_, err := db.Exec(`UPDATE events SET salt = NULL, data = NULL, digest = ? WHERE seq = 2`, digest[:])
		return err
	})
	s = openTest(t, path, Options{})
	verdict, err := s.Verify(t.Context(), "r")
	if err != nil || len(verdict.Wrong) != 1 || verdict.Erased != 1 {
		t.Errorf("verdict is %+v, %v", verdict, err)
	}
}

// TestInterruptedRead checks that a reader who leaves is not told of damage.
func TestInterruptedRead(t *testing.T) {
	s := openTest(t, newPath(t), Options{})
	drive(t, s, "r")
	for i := range 100 {
		must(t, func() error { return note(s, "r", strings.Repeat(fmt.Sprint(i), 500)) })
	}
	for range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		verdict, err := s.Verify(ctx, "r")
		if rein.CodeOf(err) == rein.CodeDamaged || len(verdict.Wrong) > 0 {
			t.Fatalf("a reader who leaves is told %v, %v", verdict.Wrong, err)
		}
	}
}

// copyFiles copies a store that may be open, with its write-ahead log.
func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	must(t, func() error { return os.MkdirAll(filepath.Dir(to), 0o700) })
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(to + suffix)
		data, err := os.ReadFile(from + suffix)
		if err == nil && suffix != "-shm" {
			must(t, func() error { return os.WriteFile(to+suffix, data, 0o600) })
		}
	}
}

// wantPrefix opens what was cut: it is damaged, or it has a beginning of what was written.
func wantPrefix(t *testing.T, path string, full []rein.Event) (damaged bool) {
	t.Helper()
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		wantCode(t, err, rein.CodeDamaged, path)
		return true
	}
	defer s.Close()
	n := 0
	for e, err := range s.Events(context.Background(), "r", 0) {
		if err != nil {
			if n == 0 && rein.CodeOf(err) == rein.CodeNotFound {
				return false // a beginning of length zero
			}
			wantCode(t, err, rein.CodeDamaged)
			return true
		}
		if e.Hash != full[n].Hash {
			t.Errorf("event %d is another one", e.Seq)
		}
		n++
	}
	wantSound(t, s, "r")
	return false
}

func eventsOf(t *testing.T, s *Store, id rein.RunID) (events []rein.Event) {
	t.Helper()
	for e, err := range s.Events(t.Context(), id, 0) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// Plain: it opens hundreds of damaged files, one after the other; TestContract reads and writes under the race detector.
//
// Covers: ENG-64
func TestTruncatedFiles(t *testing.T) {
	path := newPath(t)
	s := openTest(t, path, Options{})
	drive(t, s, "r")
	for i := range 40 {
		must(t, func() error { return note(s, "r", strings.Repeat(fmt.Sprint(i), 400)) })
	}
	full := eventsOf(t, s, "r")
	cut := filepath.Join(t.TempDir(), "cut", "rein.db")
	offsets := func(size int64) []int64 {
		list := []int64{0, 1, 16, 31, 32, 99, 100, size - 1}
		for at := int64(0); at < size; at += max(4096, size/16) {
			list = append(list, at, at+24, at+rand.Int64N(4096))
		}
		return list
	}
	t.Run("log", func(t *testing.T) {
		info, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range offsets(info.Size()) {
			copyFiles(t, path, cut)
			must(t, func() error { return os.Truncate(cut+"-wal", min(at, info.Size())) })
			wantPrefix(t, cut, full)
		}
	})
	t.Run("log with a flipped byte", func(t *testing.T) {
		for range 20 {
			copyFiles(t, path, cut)
			flip(t, cut+"-wal")
			wantPrefix(t, cut, full)
		}
	})
	s.Close()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("file", func(t *testing.T) {
		damaged := 0
		for _, at := range offsets(info.Size()) {
			copyFiles(t, path, cut)
			must(t, func() error { return os.Truncate(cut, min(at, info.Size())) })
			if wantPrefix(t, cut, full) {
				damaged++
			}
		}
		if damaged == 0 {
			t.Error("no cut was noticed")
		}
	})
	t.Run("file with a flipped byte", func(t *testing.T) {
		for range 20 {
			copyFiles(t, path, cut)
			flip(t, cut)
			s, err := Open(t.Context(), cut, Options{})
			if err != nil {
				if code := rein.CodeOf(err); code != rein.CodeDamaged && code != rein.CodeNewer {
					t.Errorf("opening gives %v", err)
				}
				continue
			}
			s.Verify(t.Context(), "r") // whatever it says, it must not panic
			for range s.Events(t.Context(), "r", 0) {
			}
			s.Close()
		}
	})
}

func flip(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[rand.IntN(len(data))] ^= 1 << rand.IntN(8)
	must(t, func() error { return os.WriteFile(path, data, 0o600) })
}

func TestEmptyFileWithALog(t *testing.T) {
	path := newPath(t)
	s := openTest(t, path, Options{})
	drive(t, s, "r")
	cut := filepath.Join(t.TempDir(), "rein.db")
	copyFiles(t, path, cut)
	must(t, func() error { return os.Truncate(cut, 0) })
	_, err := Open(t.Context(), cut, Options{})
	wantCode(t, err, rein.CodeDamaged, cut, "backup")
}

// Covers: ENG-47
func TestFilesOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.db")
	must(t, func() error { return os.WriteFile(path, []byte(strings.Repeat("Dear diary, ", 1000)), 0o600) })
	_, err := Open(t.Context(), path, Options{})
	wantCode(t, err, rein.CodeDamaged, path, "backup")
	_, err = OpenReader(t.Context(), path)
	wantCode(t, err, rein.CodeDamaged, path, "backup")

	path = filepath.Join(t.TempDir(), "other.db")
	db := connect(path, 1)
	if _, err := db.Exec(`CREATE TABLE theirs (n INTEGER)`); err != nil {
		t.Fatal(err)
	}
	db.Close()
	_, err = Open(t.Context(), path, Options{})
	wantCode(t, err, rein.CodeDamaged, path, "not a store of rein")
	_, err = OpenReader(t.Context(), path)
	wantCode(t, err, rein.CodeDamaged, path, "not a store of rein")
	_, err = Open(t.Context(), t.TempDir(), Options{})
	if err == nil {
		t.Error("a folder was opened")
	}
}

// Covers: ENG-47
func TestNewerSchema(t *testing.T) {
	path := newPath(t)
	s := openTest(t, path, Options{})
	s.Close()
	db := connect(path, 1)
	if _, err := db.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`); err != nil {
		t.Fatal(err)
	}
	db.Close()
	_, err := Open(t.Context(), path, Options{})
	wantCode(t, err, rein.CodeNewer, path, "99", "1", "upgrade rein")
	_, err = OpenReader(t.Context(), path)
	wantCode(t, err, rein.CodeNewer, path, "99", "1", "upgrade rein")
}
