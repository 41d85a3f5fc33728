package replay_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"rein"
	"rein/dispatch"
	"rein/dispatch/local"
	"rein/engine/enginetest"
	"rein/engine/enginetest/flows"
	"rein/engine/work"
	"rein/replay"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A run that a limit of its user ended, or kept from a child, is played to the same end, where nobody
// has limits.
func TestLimitsAreReplayed(t *testing.T) {
	child := rein.Task{Flow: "once", Messages: []rein.Message{{Role: rein.User, Text: "hi"}}}
	for name, c := range map[string]struct {
		most     rein.Quota
		flow     string
		settings flows.Settings
		end      rein.End
	}{
		"day_tokens": {rein.Quota{Tokens: 12_000}, "loop", flows.Settings{Rounds: 1000}, rein.EndLimit},
		"at once":    {rein.Quota{Tokens: 4100}, "loop", flows.Settings{Rounds: 1000}, rein.EndLimit},
		"driven":     {rein.Quota{Driven: 1}, "crowd", flows.Settings{Children: []rein.Task{child, child}}, rein.EndDone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parts := enginetest.Parts{
				Open: func(t *testing.T, dir string, onCommit func([]rein.Event)) (enginetest.Store, error) {
					return sqlitetest.Open(t, filepath.Join(dir, "rein.db"), sqlite.Options{OnCommit: onCommit, Limits: store.Limits{User: c.most}})
				},
				Dispatcher: func(limit int) dispatch.Dispatcher { return &local.Dispatcher{Limit: limit} },
			}
			w := enginetest.Prepare(t, parts, time.Minute, "when closing=yes\nsay That is all.\n\nwhen user=hi\nsay hello\n\nwhen\ncall echo {}\n")
			w.Begin()
			settings, err := json.Marshal(c.settings)
			if err != nil {
				t.Fatal(err)
			}
			w.Start("r1", rein.Task{Flow: c.flow, Tools: []string{"echo"}, Settings: settings, Messages: []rein.Message{{Role: rein.User, Text: "go"}}})
			if end := w.End("r1"); end.End != c.end {
				t.Fatalf("it ends as %+v %+v", end, end.Failure)
			}
			worker := &work.Worker{Models: map[string]rein.Model{"": w.Model}, Tools: w.Tools.All()}
			tape, err := replay.Record(t.Context(), w.Store, "r1", worker, rein.Policy{})
			if err != nil {
				t.Fatal(err)
			}
			d, err := replay.Play(context.Background(), tape, replay.Options{Flows: flows.All(), Folder: t.TempDir(), Patience: 5 * time.Second})
			if err != nil || d != nil {
				t.Errorf("it is played as %v, %v", d, err)
			}
		})
	}
}
