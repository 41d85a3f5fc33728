package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"rein"
)

// fill writes until there is no room, from several writers, and returns how much it wrote.
func fill(t *testing.T, s *Store) (written int) {
	t.Helper()
	var mu sync.Mutex
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			for i := 0; ; i++ {
				err := note(s, "r", strings.Repeat(fmt.Sprintf("%d %d ", w, i), 2000))
				if err != nil {
					wantCode(t, err, rein.CodeDiskFull, s.path)
					return
				}
				mu.Lock()
				written++
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return written
}

// Covers: ENG-61
func TestFullFile(t *testing.T) {
	s := openTest(t, newPath(t), Options{maxPages: 200})
	drive(t, s, "r")
	written := fill(t, s)
	if verdict := wantSound(t, s, "r"); verdict.Events != int64(written+1) {
		t.Errorf("%d events are there, %d were written", verdict.Events, written+1)
	}
	must(t, func() error { // there is room again
		return s.submit(t.Context(), &request{do: func(w *writer) error { return limitPages(t.Context(), w.conn, 2000) }})
	})
	must(t, func() error { return note(s, "r", strings.Repeat("more ", 2000)) })
	wantSound(t, s, "r")
}

// TestFullDisk does the same on a file system of two megabytes, if one can be mounted.
//
// Covers: ENG-61
func TestFullDisk(t *testing.T) {
	folder := t.TempDir()
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(folder, unix.MNT_DETACH) })
	s := openTest(t, filepath.Join(folder, "rein.db"), Options{})
	drive(t, s, "r")
	ballast := filepath.Join(folder, "ballast")
	must(t, func() error { return os.WriteFile(ballast, make([]byte, 200<<10), 0o600) })
	written := fill(t, s)
	if verdict := wantSound(t, s, "r"); verdict.Events != int64(written+1) {
		t.Errorf("%d events are there, %d were written", verdict.Events, written+1)
	}
	must(t, func() error { return os.Remove(ballast) })
	must(t, func() error { return note(s, "r", strings.Repeat("more ", 2000)) })
	wantSound(t, s, "r")
	s.Close()
	s = openTest(t, filepath.Join(folder, "rein.db"), Options{})
	if verdict := wantSound(t, s, "r"); verdict.Events != int64(written+2) {
		t.Errorf("%d events are there, %d were written", verdict.Events, written+2)
	}
}

// Covers: ENG-48
func TestBackup(t *testing.T) {
	path := newPath(t)
	s := openTest(t, path, Options{})
	drive(t, s, "r")
	stop := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			if err := note(s, "r", strings.Repeat(fmt.Sprint(i), 300)); err != nil {
				t.Error(err)
				return
			}
		}
	})
	reader, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var last int64
	for i, from := range []*Store{s, reader, s, reader} {
		before, err := s.Run(t.Context(), "r")
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(t.TempDir(), "backups", fmt.Sprint(i), "copy.db")
		must(t, func() error { return from.Backup(context.Background(), target) })
		info, err := os.Stat(target)
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("backup has mode %v, %v", info.Mode(), err)
		}
		if files, _ := os.ReadDir(filepath.Dir(target)); len(files) != 1 {
			t.Errorf("beside the backup there is more: %v", files)
		}
		wantCode(t, from.Backup(context.Background(), target), rein.CodeConflict, target)
		copied := openTest(t, target, Options{}) // it can be used as it is
		verdict := wantSound(t, copied, "r")
		if verdict.Events < before.Seq || verdict.Events < last {
			t.Errorf("backup %d has %d events; there were %d", i, verdict.Events, before.Seq)
		}
		last = verdict.Events
		must(t, func() error { return note(copied, "r", "goes on") })
	}
	close(stop)
	wait.Wait()
	must(t, s.Close)
	err = s.Backup(context.Background(), filepath.Join(t.TempDir(), "late.db"))
	wantCode(t, err, rein.CodeUnavailable)
}
