package app

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// faulty makes no checkpoints while it is broken.
type faulty struct {
	store.Checkpoints
	broken atomic.Bool
}

func (f *faulty) Checkpoint(ctx context.Context, at time.Time) (rein.Checkpoint, error) {
	if f.broken.Load() {
		return rein.Checkpoint{}, errors.New("the disk is full")
	}
	return f.Checkpoints.Checkpoint(ctx, at)
}

// TestHeadsEveryDay lets days go by: a service makes one checkpoint when it starts, and one every day,
// also if it is restarted in between. One that fails is tried again within the hour.
//
// Covers: ENG-56
func TestHeadsEveryDay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var log bytes.Buffer
		disk := &faulty{Checkpoints: s}
		wants := func(when string, n int64) {
			t.Helper()
			synctest.Wait()
			if last, err := s.LastCheckpoint(t.Context()); err != nil || last.N != n {
				t.Errorf("%s there are %d checkpoints, want %d (%v)", when, last.N, n, err)
			}
		}
		serve := func() (stop func()) {
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- checkpoints{disk, slog.New(slog.NewTextHandler(&log, nil))}.serve(ctx) }()
			return func() {
				cancel()
				if err := <-ended; err != nil {
					t.Error(err)
				}
			}
		}

		stop := serve()
		wants("at the start", 1)
		time.Sleep(headEvery - time.Minute)
		wants("before a day is over", 1)
		time.Sleep(time.Minute)
		wants("after a day", 2)
		time.Sleep(3 * headEvery)
		wants("after three more", 5)

		time.Sleep(20 * time.Hour)
		stop()
		stop = serve()
		wants("after a restart", 5)
		time.Sleep(4 * time.Hour)
		wants("a day after the last one", 6)

		disk.broken.Store(true)
		time.Sleep(headEvery)
		wants("when the disk is full", 6)
		disk.broken.Store(false)
		time.Sleep(headAgain)
		wants("an hour later", 7)
		stop()
		if says := log.String(); strings.Count(says, "could not make a checkpoint") != 1 || strings.Count(says, "made a checkpoint") != 7 {
			t.Error(says)
		}
	})
}
