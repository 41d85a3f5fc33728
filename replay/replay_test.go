package replay_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/flow"
	"rein/internal/flowtest"
	"rein/replay"
	"rein/replay/cassette"
)

func scenes(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*/testdata/*.txtar", "*/testdata/*/*.txtar", "testdata/scenes/*.txtar"} {
		found, err := filepath.Glob("../flow/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 100 {
		t.Fatalf("there are only %d scenes", len(files))
	}
	return slices.DeleteFunc(files, func(file string) bool {
		return strings.HasPrefix(file, "../flow/explore/testdata/") && filepath.Base(filepath.Dir(file)) != "late" // its people speak a language of their own
	})
}

// tapes plays a scene and returns a tape of each of its runs.
func tapes(t *testing.T, file string, times int) []*cassette.Tape {
	t.Helper()
	log, worker := flowtest.Record(t, file, times)
	var all []*cassette.Tape
	for _, e := range log {
		if e.Kind != rein.RunStarted || e.Run.Depth() > 0 {
			continue
		}
		tape, err := replay.TapeOf(log, e.Run, worker, rein.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tape)
	}
	return all
}

func play(t *testing.T, tape *cassette.Tape) *replay.Difference {
	t.Helper()
	d, err := replay.Play(context.Background(), tape, replay.Options{Flows: flow.All(), Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Every scene of every flow, recorded, written to a file, read and played again gives the same log.
//
// Covers: LAW-2 HUM-14
func TestScenes(t *testing.T) {
	for _, file := range scenes(t) {
		t.Run(strings.TrimSuffix(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			for _, tape := range tapes(t, file, 1) {
				data, err := cassette.Format(tape)
				if err != nil {
					t.Fatal(err)
				}
				again, err := cassette.Parse(data)
				if err != nil {
					t.Fatal(err)
				}
				if d := play(t, again); d != nil {
					t.Errorf("%s: %s", file, d)
				}
			}
		})
	}
}
