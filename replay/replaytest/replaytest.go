// Package replaytest turns recorded runs into tests: it plays what `rein replay --save DIR RUN`
// wrote, and the log must be the same.
package replaytest

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/replay"
	"rein/replay/cassette"
)

// Files plays every cassette that the pattern names, with the flows of the program under test.
func Files(t *testing.T, pattern string, flows map[string]rein.Flow) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no cassettes (%v)", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			tape, err := cassette.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d, err := replay.Play(context.Background(), tape, replay.Options{Flows: flows, Folder: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			if d != nil {
				t.Errorf("%s: %s", file, d)
			}
		})
	}
}
