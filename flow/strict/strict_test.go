package strict_test

import (
	"testing"

	"rein/internal/flowtest"
)

// Covers: RAO-1 RAO-2 RAO-3 RAO-5/seams RAO-4 RAO-5 RAO-6 RAO-7 RAO-8 RAO-9 RAO-10 RAO-11 RAO-12 RAO-13 RAO-14 RAO-15 RAO-20 RAO-21 RAO-22 RAO-30 RAO-31 RAO-32 RAO-33 RAO-35 RAO-41 RAO-42 RAO-43 RAO-44 RAO-45 LAW-4
func TestStrict(t *testing.T) {
	flowtest.Files(t, "testdata/*.txtar")
}
