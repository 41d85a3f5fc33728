package flow_test

import (
	"testing"

	"rein/internal/flowtest"
)

// Covers: NEU-10 NEU-20 NEU-21 NEU-22 NEU-23 NEU-62
func TestAssist(t *testing.T) {
	flowtest.Files(t, "testdata/assist/*.txtar")
}

// Covers: NEU-22 NEU-30 NEU-31 NEU-32 NEU-33 NEU-34 NEU-35 NEU-36 NEU-37 NEU-38 NEU-39 NEU-50 NEU-54 NEU-55 NEU-60
func TestResearch(t *testing.T) {
	flowtest.Files(t, "testdata/research/*.txtar")
}

// Covers: NEU-40 NEU-41 NEU-42 NEU-43 NEU-44 NEU-45 NEU-46 NEU-47 NEU-48 NEU-49
func TestTask(t *testing.T) {
	flowtest.Files(t, "testdata/task/*.txtar")
}

// Covers: NEU-61
func TestCritique(t *testing.T) {
	flowtest.Files(t, "testdata/critique/*.txtar")
}

// Nobody answers what a flow of the household asks: the run does not wait for ever.
//
// Covers: TREE-51/seams
func TestHouseholdUnanswered(t *testing.T) {
	flowtest.Files(t, "testdata/household_late/*.txtar")
}
