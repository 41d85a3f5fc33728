package task_test

import (
	"testing"

	"rein/internal/flowtest"
)

// Covers: NEU-40 NEU-41 NEU-42 NEU-43 NEU-44 NEU-45 NEU-46 NEU-47 NEU-48 NEU-49
func TestTask(t *testing.T) {
	flowtest.Files(t, "testdata/*.txtar")
}
