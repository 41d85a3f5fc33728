package explore_test

import (
	"path/filepath"
	"strings"
	"testing"

	"rein/internal/flowtest"
)

// Covers: TREE-30 TREE-31 TREE-32 TREE-33 TREE-34 TREE-35 TREE-36 TREE-36/seams TREE-37 TREE-70 TREE-71 TREE-72 TREE-93
func TestExplore(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { playTree(t, file) })
	}
}

// TestExploreUnanswered has nobody answer: the run goes on when the deadline has passed.
//
// Covers: TREE-51/seams
func TestExploreUnanswered(t *testing.T) { flowtest.Files(t, "testdata/late/*.txtar") }
