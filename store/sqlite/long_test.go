package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"rein"
	"rein/store"
)

// heap is how much is in use, after what is not has been collected.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// noise is a text that cannot be packed.
func noise(size int) string {
	b := make([]byte, size)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyz012345"[rand.IntN(32)]
	}
	return string(b)
}

// longLog appends events to a run, many at a time, and empties the queue's memory of them.
func longLog(t testing.TB, s *Store, id rein.RunID, events, size int) {
	drive(t, s, id)
	for done := 0; done < events; {
		batch := store.Batch{Run: id, Epoch: 1}
		for range min(256, events-done, max(1, (8<<20)/(size+1))) {
			step := rein.StepKey(strconv.Itoa(done + 1))
			batch.Drafts = append(batch.Drafts, store.Draft{Kind: rein.StepDone, Step: step, At: time.Now(), Data: rein.StepEnd{Partial: noise(size)}, Spend: rein.Amount{Tokens: 1}})
			done++
		}
		must(t, func() error { _, err := s.Append(context.Background(), batch); return err })
	}
}

// TestLongLogsTakeNoMemory reads and verifies logs of many events, and of large ones: what is held does not
// grow with them.
//
// Plain: it measures memory. TestContract reads logs under the race detector.
func TestLongLogsTakeNoMemory(t *testing.T) {
	for _, c := range []struct{ events, size int }{{30_000, 10}, {60, 1 << 20}} {
		t.Run(fmt.Sprintf("%d of %d bytes", c.events, c.size), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rein.db")
			s := openTest(t, path, Options{})
			longLog(t, s, "r", c.events, c.size)
			s.Close()
			s = openTest(t, path, Options{})
			before, most, n := heap(), int64(0), 0
			for _, err := range s.Events(t.Context(), "r", 0) {
				must(t, func() error { return err })
				if n++; n%(c.events/20) == 0 {
					most = max(most, heap()-before)
				}
			}
			if n != c.events+1 {
				t.Errorf("%d events were read", n)
			}
			if bound := int64(24 << 20); most > bound {
				t.Errorf("%d bytes are held while %d events are read", most, n)
			}
			verdict, err := s.Verify(t.Context(), "r")
			if err != nil || len(verdict.Wrong) > 0 {
				t.Errorf("verdict %+v, %v", verdict, err)
			}
			if held := heap() - before; held > 24<<20 {
				t.Errorf("%d bytes are held after the verification", held)
			}
		})
	}
}

// TestLargeEventsAreReadOneByOne holds how much a page of large events has.
func TestLargeEventsAreReadOneByOne(t *testing.T) {
	t.Parallel()
	s := openTest(t, newPath(t), Options{})
	drive(t, s, "r")
	for range 12 {
		var words []string // long texts are kept apart
		for range 40_000 {
			words = append(words, noise(60))
		}
		must(t, func() error {
			_, err := s.Append(context.Background(), store.Batch{Run: "r", Epoch: 1, Drafts: []store.Draft{
				{Kind: rein.StepDone, Step: "1", At: time.Now(), Data: map[string][]string{"words": words}},
			}})
			return err
		})
	}
	must(t, func() error {
		return s.view(t.Context(), func(v *snapshot) error {
			row, err := v.run("r")
			if err != nil {
				return err
			}
			for from := int64(1); ; {
				rows, cut, err := v.logRows(row, from, page)
				if err != nil {
					return err
				}
				size := 0
				for _, l := range rows {
					size += len(l.blob)
				}
				if size > maxPageBytes+4<<20 {
					t.Errorf("a page has %d bytes", size)
				}
				if !cut {
					return nil
				}
				from = rows[len(rows)-1].Seq + 1
			}
		})
	})
	if n := len(eventsOf(t, s, "r")); n != 13 {
		t.Errorf("%d events were read", n)
	}
}
