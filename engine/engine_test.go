package engine_test

import (
	"path/filepath"
	"testing"
	"time"

	"rein"
	"rein/dispatch"
	"rein/dispatch/local"
	"rein/engine/enginetest"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// parts are SQLite and goroutines.
var parts = enginetest.Parts{
	Open: func(t *testing.T, dir string, onCommit func([]rein.Event)) (enginetest.Store, error) {
		return sqlitetest.Open(t, filepath.Join(dir, "rein.db"), sqlite.Options{OnCommit: onCommit})
	},
	// A sweep would hide that a wake was lost.
	Dispatcher: func(limit int) dispatch.Dispatcher { return &local.Dispatcher{Limit: limit, Sweep: time.Hour} },
}

// A tool is judged by what it is, however its name is written.
//
// Attack: 56
func TestContract(t *testing.T) { enginetest.Run(t, parts) }
