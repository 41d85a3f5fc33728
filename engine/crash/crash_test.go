package crash

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein/internal/labs"
)

var update = flag.Bool("update", false, "write testdata")

// full says that every kill point is tried.
var full = os.Getenv("REIN_CRASH") == "full"

// TestCrashMatrix kills a process at chosen points of every scenario and wants what comes of it to be
// what testdata has for the scenario: how each run ends, and each effect once. It prints its table.
//
// Covers: LAW-3 LAW-4 LAW-8 LAW-10 ENG-1 ENG-15 ENG-24 ENG-28 ENG-30 ENG-32 ENG-44 ENG-49 ENG-65
func TestCrashMatrix(t *testing.T) {
	labs.Only(t)
	began := time.Now()
	var sums table
	t.Run("scenarios", func(t *testing.T) {
		for i, s := range scenarios() {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				sum := row{name: s.name}
				defer func() { sums.put(sum) }()
				try(t, &sum, s, i)
			})
		}
	})
	t.Logf("killed with SIGKILL and started again (%s):\n%s", time.Since(began).Round(time.Second), &sums)
}

// try runs the trials of a scenario.
func try(t *testing.T, sum *row, s scenario, shift int) {
	undisturbed := trial{scenario: s}.run(t)
	sum.appends, sum.effects = undisturbed.tally[afterCommit], undisturbed.tally[afterEffect]
	want := golden(t, undisturbed)
	judge(t, sum, undisturbed, want)
	if undisturbed.unknown > 0 || undisturbed.killed > 0 || t.Failed() {
		t.Fatalf("the undisturbed trial was not: %s", undisturbed.logs)
	}
	if !full {
		for _, tr := range sample(s, undisturbed.tally, shift) {
			judge(t, sum, tr.run(t), want)
		}
		return
	}
	for _, noGrace := range []bool{false, true} {
		calm := trial{scenario: s, noGrace: noGrace}.run(t)
		judge(t, sum, calm, want)
		for _, tr := range everyPoint(s, noGrace, calm.tally) {
			judge(t, sum, tr.run(t), want)
		}
		tryBeyond(t, sum, s, noGrace, calm.tally, want)
	}
}

// tryBeyond goes on where the undisturbed trial ended, for as long as there are commits: group commit
// and timers make their number vary.
func tryBeyond(t *testing.T, sum *row, s scenario, noGrace bool, n tally, want string) {
	const most = 50
	for k := range int64(most) {
		got := trial{scenario: s, noGrace: noGrace, kills: []kill{{afterCommit, n[afterCommit] + 1 + k}}}.run(t)
		judge(t, sum, got, want)
		if got.killed == 0 {
			return
		}
	}
}

// enough is how many bad trials of a scenario are worth seeing.
const enough = 3

// judge counts a result and reports what is wrong with it.
func judge(t *testing.T, sum *row, got *result, want string) {
	t.Helper()
	got.compare(want)
	sum.add(got)
	if wrong := got.wrong(); len(wrong) > 0 {
		t.Errorf("%s:\n\t%s\nlogs:\n%soutput:\n%s", got.trial, strings.Join(wrong, "\n\t"), got.logs, got.output)
		if sum.bad++; sum.bad >= enough || len(got.lost) > 0 { // a lost run takes all our patience
			t.FailNow()
		}
	}
}

// golden returns what every trial of the scenario must come to.
func golden(t *testing.T, undisturbed *result) string {
	t.Helper()
	file := filepath.Join("testdata", strings.ReplaceAll(undisturbed.trial.scenario.name, " ", "-")+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(undisturbed.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
