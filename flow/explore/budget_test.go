package explore_test

import (
	"fmt"
	"testing"

	"rein"
	"rein/engine"
	"rein/internal/flowtest"
)

// TestExploreBudget spends the budget of the tree at every place: the run ends with an answer all the
// same, and says that a limit was reached, as long as there was not enough.
//
// Covers: TREE-32 TREE-70 TREE-71
func TestExploreBudget(t *testing.T) {
	const play = `
when phase=split
say {"questions": ["Part one?", "Part two?"]}

when phase=act results=0
call echo {"n": 1}

when phase=act
say Found.

when phase=summary
say All.

when phase=closing
say What there is.
`
	ends := map[rein.End]int{} // the first budget is too small for one call, the last is enough for all
	for tokens := int64(5_000); tokens < 80_000; tokens += 3000 {
		t.Run(fmt.Sprint(tokens), func(t *testing.T) {
			w := flowtest.World(t, engine.NoGrace, play)
			w.Begin()
			task := exploreTask(`{"clarify": false, "questions": 0}`, "The whole of it?")
			budget := rein.DefaultBudget()
			budget.Tokens = tokens
			task.Budget, task.Tools = &budget, []string{"echo"}
			w.Start("r1", task)
			end := w.End("r1")
			if end.End != rein.EndDone && end.End != rein.EndLimit || end.Text == "" {
				t.Fatalf("it ended as %+v", end)
			}
			ends[end.End]++
			w.Verify()
		})
	}
	if ends[rein.EndLimit] == 0 || ends[rein.EndDone] == 0 {
		t.Errorf("the ends were %v: the budgets do not show both", ends)
	}
}
