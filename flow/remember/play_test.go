package remember_test

import (
	"testing"

	"rein/internal/flowtest"
)

// Covers: NEU-11 ENG-13 LAW-9
func TestRemember(t *testing.T) { flowtest.Files(t, "testdata/*.txtar") }
