package replay_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"rein/flow"
	"rein/internal/labs"
	"rein/replay"
)

// A thousand recorded runs, of all flows, give the same logs when they are played again: times,
// epochs and the interleaving of branches aside.
//
// Covers: LAW-2
// Plain: TestScenes plays each of these scenes again under the race detector.
func TestThousandRuns(t *testing.T) {
	labs.Only(t)
	const runs, times = 1000, 11
	files := scenes(t)
	var played, different atomic.Int64
	t.Run("all", func(t *testing.T) {
		for _, file := range files {
			t.Run(file, func(t *testing.T) {
				t.Parallel()
				stage, err := replay.NewStage(context.Background(), replay.Options{Flows: flow.All(), Folder: t.TempDir()})
				if err != nil {
					t.Fatal(err)
				}
				defer stage.Close()
				for _, tape := range tapes(t, file, times) {
					d, err := stage.Play(context.Background(), tape)
					if err != nil {
						t.Fatal(err)
					}
					if d != nil {
						different.Add(1)
						t.Error(d)
					}
					played.Add(1)
				}
			})
		}
	})
	fmt.Printf("replay: %d recorded runs of %d scenes were played again, %d gave another log\n", played.Load(), len(files), different.Load())
	if played.Load() < runs {
		t.Errorf("only %d runs", played.Load())
	}
}
