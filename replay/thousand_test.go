package replay_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// A thousand recorded runs, of all flows, give the same logs when they are played again: times,
// epochs and the interleaving of branches aside.
//
// Covers: LAW-2
func TestThousandRuns(t *testing.T) {
	const runs = 1000
	files := scenes(t)
	var played, different atomic.Int64
	var all sync.WaitGroup
	slots := make(chan struct{}, 4*runtime.GOMAXPROCS(0)) // they mostly wait for the disk
	for i := 0; i < runs; i++ {
		slots <- struct{}{}
		if played.Load() >= runs {
			break
		}
		all.Go(func() {
			defer func() { <-slots }()
			file := files[i%len(files)]
			for _, tape := range tapes(t, file) {
				if d := play(t, tape); d != nil {
					different.Add(1)
					t.Errorf("%s: %s", file, d)
				}
				played.Add(1)
			}
		})
	}
	all.Wait()
	fmt.Printf("replay: %d recorded runs of %d scenes were played again, %d gave another log\n", played.Load(), len(files), different.Load())
	if played.Load() < runs {
		t.Errorf("only %d runs", played.Load())
	}
}
