package flowtest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"rein"
)

// inOrder returns the events with those of branches that ran side by side in the order of the
// branches: which of them was faster is chance.
func inOrder(log []rein.Event) []rein.Event {
	log = slices.Clone(log)
	for from := 0; from < len(log); from++ {
		fork, _ := branchOf(log[from])
		to := from + 1
		for fork != "" && to < len(log) && sameFork(log[to], fork) {
			to++
		}
		slices.SortStableFunc(log[from:to], func(a, b rein.Event) int {
			_, first := branchOf(a)
			_, second := branchOf(b)
			return cmp.Compare(first, second)
		})
		from = to - 1
	}
	return log
}

func sameFork(e rein.Event, fork string) bool {
	other, _ := branchOf(e)
	return other == fork
}

// branchOf names the Parallel that a step is part of, and the branch; "" if it is part of none.
func branchOf(e rein.Event) (fork string, branch int) {
	parts := strings.SplitN(string(e.Step), ".", 3)
	if len(parts) < 3 {
		return "", 0
	}
	branch, err := strconv.Atoi(parts[1])
	if err != nil {
		return "", 0
	}
	return string(e.Run) + ":" + parts[0], branch
}
