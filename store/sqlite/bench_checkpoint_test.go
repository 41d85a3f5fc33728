package sqlite

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/store"
)

// BenchmarkCheckpoint makes checkpoints of 10,000 runs while another goroutine appends without a pause,
// and tells what the appends wait: with a checkpoint beside them, and without one.
func BenchmarkCheckpoint(b *testing.B) {
	const runs = 10_000
	s, err := Open(b.Context(), filepath.Join(b.TempDir(), "rein.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	startMany(b, s, runs)
	for _, c := range []struct {
		name string
		make func() error
	}{
		{"none", func() error { time.Sleep(200 * time.Millisecond); return nil }},
		{"first", func() error {
			err := s.writeRows(b.Context(), `DELETE FROM checkpoints`, [][]any{nil})
			if err == nil {
				_, err = s.Checkpoint(b.Context(), time.Now())
			}
			return err
		}},
		{"next", func() error { _, err := s.Checkpoint(b.Context(), time.Now()); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			stop := appendSteadily(b, s)
			for b.Loop() {
				if err := c.make(); err != nil {
					b.Fatal(err)
				}
			}
			waits := stop()
			slices.Sort(waits)
			b.ReportMetric(waits[len(waits)/2].Seconds()*1000, "ms/append")
			b.ReportMetric(waits[len(waits)-1].Seconds()*1000, "ms/slowest-append")
		})
	}
}

func startMany(b *testing.B, s *Store, runs int) {
	const writers = 50
	budget := rein.MaxBudget()
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			for i := w; i < runs; i += writers {
				id := rein.RunID(fmt.Sprintf("r%d", i))
				if _, _, err := s.Start(b.Context(), store.Start{Run: id, At: time.Now(), Start: rein.RunStart{Task: rein.Task{Budget: &budget}}}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if _, _, err := s.Claim(b.Context(), "r0", time.Now()); err != nil {
		b.Fatal(err)
	}
}

// appendSteadily appends until stop is called, which returns how long each append took.
func appendSteadily(b *testing.B, s *Store) (stop func() []time.Duration) {
	over := make(chan struct{})
	var waits []time.Duration
	var wait sync.WaitGroup
	info, err := s.Run(b.Context(), "r0")
	if err != nil {
		b.Fatal(err)
	}
	wait.Go(func() {
		for {
			began := time.Now()
			_, err := s.Append(b.Context(), store.Batch{Run: "r0", Epoch: info.Epoch, Drafts: []store.Draft{{Kind: rein.StepDone, Step: "1", At: began, Data: &benchData}}})
			if err != nil {
				b.Error(err)
				return
			}
			waits = append(waits, time.Since(began))
			select {
			case <-over:
				return
			default:
			}
		}
	})
	return func() []time.Duration {
		close(over)
		wait.Wait()
		return waits
	}
}
