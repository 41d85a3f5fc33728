package flowtest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"rein"
)

// readTasks reads the tasks of a file: task, and task2, task3 and so on, which are further runs of
// the same session, each started when the one before has ended. They are named r1, r2, r3.
func readTasks(t *testing.T, parts map[string]string) []rein.Task {
	t.Helper()
	var tasks []rein.Task
	for name, more := "task", true; more; _, more = parts[name] {
		var task rein.Task
		if err := json.Unmarshal([]byte(parts[name]), &task); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tasks = append(tasks, task)
		name = fmt.Sprintf("task%d", len(tasks)+1)
	}
	for i := range tasks {
		if len(tasks) > 1 && tasks[i].Session == "" {
			tasks[i].Session = "s1"
		}
	}
	return tasks
}

// now is the clock of the engine. It goes on by itself, and jumps when nobody answers in time.
func (p *player) now() time.Time { return time.Now().Add(time.Duration(p.late.Load())) }
