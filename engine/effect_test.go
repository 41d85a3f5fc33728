package engine_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// No engine starts with a tool that does not say what it does to the world: it would be taken for
// one that may run twice.
//
// Covers: LAW-3
func TestToolWithoutEffectIsRefused(t *testing.T) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	send := rein.Tool{Name: "send", Do: func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{}, nil }}
	_, err = engine.New(engine.Options{
		Store: s, Flows: flow.All(), Dispatch: &local.Dispatcher{},
		Worker: &work.Worker{Models: map[string]rein.Model{"": chance{}}, Tools: map[string]rein.Tool{"send": send}},
	})
	if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), `tool "send": no Effect is stated`) {
		t.Errorf("got %v", err)
	}
}
