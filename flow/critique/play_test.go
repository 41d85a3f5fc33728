package critique_test

import (
	"testing"

	"rein/internal/flowtest"
)

// Covers: NEU-61
func TestCritique(t *testing.T) {
	flowtest.Files(t, "testdata/*.txtar")
}
