package steps_test

import (
	"testing"

	"rein"
	"rein/api/client"
	"rein/journal/feed"
	"rein/journal/timeline"
	"rein/server"
	"rein/store/sqlite"
	"rein/terminal/tui/logtest"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A house is a store of recorded logs behind the API.
type house struct {
	*testing.T
	*client.Client
	store *sqlite.Store
}

func open(t *testing.T, file string) *house {
	t.Helper()
	s := logtest.Store(t, file)
	f := feed.New(s)
	t.Cleanup(f.Close)
	return &house{t, client.Handler(server.New(server.Options{Store: s, Feed: f, Who: server.Host})), s}
}

// timeline folds the logs of a tree.
func (h *house) timeline(root rein.RunID) *timeline.Timeline {
	h.Helper()
	of := timeline.New(root)
	for _, e := range logtest.Events(h, h.store, root) {
		of.Event(e)
	}
	return of
}
