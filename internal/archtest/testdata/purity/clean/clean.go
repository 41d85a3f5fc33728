// Package clean does everything that a flow may do.
package clean

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"rein"
)

var (
	word  = regexp.MustCompile(`\w+`)
	table = map[string]int{"a": 1, "b": 2}
	order = []string{"a", "b"}
)

type box struct{ n int }

func (b *box) add() { b.n++ }

func Flow(run rein.Run, task rein.Task) (rein.Outcome, error) {
	b := &box{}
	defer b.add()
	defer func() { b.n = len(strings.TrimSpace("x")) }()
	local := map[string]int{}
	local["x"]++
	delete(local, "x")
	for _, name := range slices.Sorted(maps.Keys(table)) {
		b.n += table[name]
	}
	for _, name := range order {
		b.n += len(word.FindString(name))
	}
	texts := make([]string, 2)
	err := run.Parallel(
		func(r rein.Run) error { return ask(r, &texts[0]) },
		func(r rein.Run) error { return ask(r, &texts[1]) },
	)
	if errors.Is(err, rein.ErrBudget) {
		return rein.Outcome{End: rein.EndLimit}, nil
	}
	late := task.Start.Add(time.Hour).After(task.Start)
	return rein.Outcome{End: rein.EndDone, Text: fmt.Sprint(texts, late)}, err
}

func ask(r rein.Run, text *string) error {
	answer, err := r.AskUser(rein.Question{Text: "?", Timeout: time.Minute})
	*text = answer.Text
	return err
}
