package terminal

import (
	"fmt"
	"strings"

	"rein"
)

// maxTodo is how many things to do are shown at once: a longer list is shown without what is done.
const maxTodo = 10

// todoWords says how far a list of things to do is.
func todoWords(list rein.Todo) string {
	done := 0
	for _, it := range list.Items {
		if it.State == rein.TodoDone {
			done++
		}
	}
	return fmt.Sprintf("%d of %d done", done, len(list.Items))
}

// todoLines is a list of things to do, one item a line.
func todoLines(list rein.Todo) string {
	var lines []string
	left := 0
	for _, it := range list.Items {
		sign := map[rein.TodoState]string{rein.TodoDone: "[x] ", rein.TodoDoing: "[>] "}[it.State]
		switch {
		case len(list.Items) > maxTodo && it.State == rein.TodoDone:
		case len(lines) == maxTodo:
			left++
		case sign == "":
			lines = append(lines, "[ ] "+short(it.Text, 70))
		default:
			lines = append(lines, sign+short(it.Text, 70))
		}
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", left))
	}
	return strings.Join(lines, "\n")
}
