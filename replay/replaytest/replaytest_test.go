package replaytest_test

import (
	"testing"

	"rein/flow"
	"rein/replay/replaytest"
)

// A run that somebody saved is a test.
func TestSavedRuns(t *testing.T) {
	replaytest.Files(t, "../testdata/*.txtar", flow.All())
}
