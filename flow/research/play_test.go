package research_test

import (
	"testing"

	"rein/internal/flowtest"
)

// Covers: NEU-22 NEU-30 NEU-31 NEU-32 NEU-33 NEU-34 NEU-35 NEU-36 NEU-37 NEU-38 NEU-39 NEU-50 NEU-54 NEU-55 NEU-60
func TestResearch(t *testing.T) {
	flowtest.Files(t, "testdata/*.txtar")
}
