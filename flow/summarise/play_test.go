package summarise_test

import (
	"testing"

	"rein/internal/flowtest"
)

// Covers: NEU-11
func TestSummarise(t *testing.T) { flowtest.Files(t, "testdata/*.txtar") }
