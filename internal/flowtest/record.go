package flowtest

import (
	"maps"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"rein"
	"rein/engine/work"
	"rein/model/script"
)

// Record plays a file, so many times if it can be, and returns the logs of its runs, in the
// order in which they were written, and who took part.
func Record(t *testing.T, file string, times int) ([]rein.Event, *work.Worker) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	model, err := script.Parse("model", []byte(parts["model"]))
	if err != nil {
		t.Fatal(err)
	}
	tools, err := readTools(parts)
	if err != nil {
		t.Fatal(err)
	}
	tasks := readTasks(t, parts)
	if len(tasks) > 1 || len(lines(parts["during"])) > 0 {
		times = 1 // they are a conversation, or what is said must be said once
	}
	p := &player{model: model, people: slices.Repeat(lines(parts["people"]), times), events: make(chan rein.Event, 10_000), t: t}
	p.during.lines = lines(parts["during"])
	p.listen(tools)
	p.run(slices.Repeat(tasks, times), tools)
	return p.log, &work.Worker{Models: map[string]rein.Model{"": model}, Tools: maps.Clone(tools)}
}
