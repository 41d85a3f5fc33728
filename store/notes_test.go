package store_test

import (
	"slices"
	"testing"

	"rein"
	"rein/store"
)

// recent is a watcher whose commits are made by the test.
type recent struct{ tell func([]store.Mark) }

func (r *recent) Watch(f func([]store.Mark)) (stop func()) {
	r.tell = f
	return func() { r.tell = func([]store.Mark) {} }
}

// A writer never waits for the reader of its notes, and the reader gets everything once.
func TestNotes(t *testing.T) {
	var from recent
	notes := store.NewNotes[[]rein.RunID]()
	stop := notes.Watch(&from, func(held *[]rein.RunID, marks []store.Mark) bool {
		for _, m := range marks {
			if m.Kind.Ends() {
				*held = append(*held, m.Run)
			}
		}
		return len(*held) > 0
	})
	end := func(run rein.RunID) { from.tell([]store.Mark{{Run: run, Kind: rein.RunCompleted}}) }

	from.tell([]store.Mark{{Run: "r0", Kind: rein.RunStarted}})
	if len(notes.Some) != 0 {
		t.Error("there is a token for what nobody wants to know")
	}
	end("r1")
	end("r2") // nobody has read yet
	<-notes.Some
	if got := notes.Read(); !slices.Equal(got, []rein.RunID{"r1", "r2"}) {
		t.Errorf("read %v", got)
	}
	if got := notes.Read(); len(got) > 0 || len(notes.Some) > 0 {
		t.Errorf("read %v again", got)
	}
	stop()
	end("r3")
	if got := notes.Read(); len(got) > 0 {
		t.Errorf("read %v after the end", got)
	}
}
