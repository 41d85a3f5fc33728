package assist_test

import (
	"testing"

	"rein/internal/flowtest"
)

// Covers: NEU-10 NEU-20 NEU-21 NEU-22 NEU-23 NEU-62
func TestAssist(t *testing.T) {
	flowtest.Files(t, "testdata/*.txtar")
}

// Nobody answers what a flow of the household asks: the run does not wait for ever.
//
// Covers: TREE-51/seams
func TestHouseholdUnanswered(t *testing.T) {
	flowtest.Files(t, "testdata/late/*.txtar")
}
