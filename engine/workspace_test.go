package engine_test

import (
	"encoding/json"
	"testing"
	"time"

	"rein"
	"rein/engine/enginetest"
	"rein/engine/enginetest/flows"
)

// A child works where its parent does, under the same rules, whatever its flow asks for.
//
// Covers: LAW-7
func TestWorkspaceIsInherited(t *testing.T) {
	t.Parallel()
	w := enginetest.Prepare(t, parts, time.Minute, "when\nsay hello")
	w.Begin()
	away := rtask("once", "a")
	away.Workspace, away.Rules = "elsewhere", "others"
	settings, err := json.Marshal(flows.Settings{Children: []rein.Task{away, rtask("once", "b")}})
	if err != nil {
		t.Fatal(err)
	}
	task := rtask("family", "hi")
	task.Settings, task.Workspace, task.Rules = settings, "garden", "hash"
	w.Start("r1", task)
	w.WantEnd("r1", rein.EndDone, "done hello,done hello")
	for _, id := range []rein.RunID{"r1", "r1.1", "r1.2"} {
		for e, err := range w.Store.Events(t.Context(), id, 0) {
			var start rein.RunStart
			if err == nil {
				start, err = rein.Payload[rein.RunStart](e)
			}
			if err != nil || start.Task.Workspace != "garden" || start.Task.Rules != "hash" {
				t.Errorf("run %s works in %q under %q (%v)", id, start.Task.Workspace, start.Task.Rules, err)
			}
			break
		}
	}
}
