package flowtest

import (
	"path/filepath"
	"testing"
	"time"

	"rein"
	"rein/dispatch"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/flow"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// World is an engine with rein's flows, a real store and a scripted model. Begin starts it.
func World(t *testing.T, grace time.Duration, play string) *enginetest.World {
	t.Helper()
	w := enginetest.Prepare(t, enginetest.Parts{
		Open: func(t *testing.T, dir string, onCommit func([]rein.Event)) (enginetest.Store, error) {
			return sqlitetest.Open(t, filepath.Join(dir, "rein.db"), sqlite.Options{OnCommit: onCommit})
		},
		Dispatcher: func(limit int) dispatch.Dispatcher { return &local.Dispatcher{Limit: limit, Sweep: time.Hour} },
	}, grace, play)
	w.Tweak = func(o *engine.Options) { o.Flows = flow.All() }
	return w
}
