package crash

import (
	"strings"
	"testing"
	"time"

	"rein/internal/labs"
)

// TestCrashLabSees plants a fault of each sort and wants the lab to find it: a table of zeros says
// nothing if it could not be anything else.
//
// Covers: ENG-65
func TestCrashLabSees(t *testing.T) {
	labs.Only(t)
	for _, c := range []struct {
		what  string
		trial trial
		found func(*result) []string
		want  string
	}{
		{
			"an unsafe tool that is declared pure",
			trial{scenario: planted, kills: []kill{{afterEffect, 1}}},
			func(r *result) []string { return r.doubled }, "liar r1:2 happened 2 times",
		},
		{
			"a run that nobody takes up",
			trial{scenario: planted, kills: []kill{{beforeEffect, 1}}, plant: idle, patience: 3 * time.Second},
			func(r *result) []string { return r.lost }, "run r1",
		},
		{
			"a recorded model call that is repeated",
			trial{scenario: sound, kills: []kill{{beforeEffect, 1}}, plant: forgetful},
			func(r *result) []string { return r.repeated }, "r1 step 1",
		},
		{
			"a step that goes on after its end",
			trial{scenario: sound, kills: []kill{{beforeEffect, 1}}, plant: forgetful},
			func(r *result) []string { return r.broken }, "comes after the end of step 1",
		},
		{
			"another outcome",
			trial{scenario: sound, kills: []kill{{beforeEffect, 1}}, plant: fickle},
			func(r *result) []string { return r.different }, "only here: run r1: done I think otherwise",
		},
		{
			"a title that is not what the log says",
			trial{scenario: sound, kills: []kill{{beforeEffect, 1}}, plant: bent},
			func(r *result) []string { return r.broken }, `audit after process 2: run "r1": title is`,
		},
		{
			"a checkpoint that is gone",
			trial{scenario: sound, kills: []kill{{beforeEffect, 1}}, plant: thin},
			func(r *result) []string { return r.broken }, "checkpoints 1 to 1 are missing",
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			got := c.trial.run(t)
			tool := map[string]string{planted.name: "liar", sound.name: "add"}[c.trial.scenario.name]
			got.compare("effect " + tool + " r1:2\nrun r1: done over\n")
			if found := c.found(got); got.killed != 1 || len(found) == 0 || !strings.Contains(found[0], c.want) {
				t.Errorf("killed %d processes and found %q, want %q; all that was found: %q\n%s", got.killed, found, c.want, got.wrong(), got.logs)
			}
		})
	}
}
