package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"rein"
	"rein/store"
)

// told notes what a watcher is told.
type told struct {
	*fixture
	mu    sync.Mutex
	marks map[rein.RunID][]store.Mark
}

func (f *fixture) watch() (*told, func()) {
	w := &told{fixture: f, marks: map[rein.RunID][]store.Mark{}}
	return w, f.store.Watch(w.note)
}

func (w *told) note(marks []store.Mark) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range marks {
		w.marks[m.Run] = append(w.marks[m.Run], m)
	}
}

// last returns the newest event that was told of a run.
func (w *told) last(run rein.RunID) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	marks := w.marks[run]
	if len(marks) == 0 {
		return 0
	}
	return marks[len(marks)-1].Seq
}

// complete checks that exactly the events of the logs were told, each in its order.
func (w *told) complete() {
	w.Helper()
	for info, err := range w.store.Runs(w.ctx, store.Filter{}) {
		if err != nil {
			w.Fatal(err)
		}
		var got, want []string
		for _, e := range w.events(info.ID) {
			want = append(want, fmt.Sprint(e.Run, e.Seq, e.Kind, e.Step, whole(e)))
		}
		for i, m := range w.marks[info.ID] {
			read := w.events(info.ID)[i]
			if m.Read != nil {
				read = m.Read()
				equal(w.fixture, "how long the payload is", m.Size, len(read.Data))
			}
			got = append(got, fmt.Sprint(m.Run, m.Seq, m.Kind, m.Step, whole(read)))
		}
		equal(w.fixture, "what was told of "+string(info.ID), strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// whole is an event as its reader sees it.
func whole(e rein.Event) string {
	data, err := json.Marshal(e)
	return fmt.Sprint(string(data), string(e.Data), err)
}

// Covers: LAW-1
var watchTests = []test{
	{"every event is told once, in order, before its writer knows", func(f *fixture) {
		w, stop := f.watch()
		defer stop()
		together(writers, func(i int) {
			id := rein.RunID(fmt.Sprintf("r%d", i))
			if _, _, err := f.store.Start(f.ctx, f.root(id)); err != nil {
				f.Error(err)
				return
			}
			equal(f, "told of the start", w.last(id), 1)
			info, _, err := f.store.Claim(f.ctx, id, f.now)
			if err != nil {
				f.Error(err)
			}
			for n := range 10 {
				b := store.Batch{Run: id, Epoch: info.Epoch, Drafts: []store.Draft{note(fmt.Sprint(n)), note("again")}}
				if n%3 == 0 { // refused: nothing is written, nothing is told
					b.Epoch++
				}
				if events, err := f.store.Append(f.ctx, b); err == nil {
					equal(f, "told of "+string(id), w.last(id), events[1].Seq)
				}
			}
			if _, err := f.store.Command(f.ctx, rein.Command{Kind: rein.CommandMessage, Run: id, Text: "hello"}, f.now); err != nil {
				f.Error(err)
			}
			equal(f, "told of the message", w.last(id), 14)
		})
		w.complete()
	}},
	{"what is told can be read", func(f *fixture) {
		grown := make(chan store.Mark, 100)
		defer f.store.Watch(func(marks []store.Mark) {
			for _, m := range marks {
				grown <- m
			}
		})()
		d := f.drive("r")
		for range 20 {
			d.append(note("x"))
		}
		for seq := int64(1); seq <= 21; seq++ {
			m := <-grown
			equal(f, "told", m.Seq, seq)
			for e, err := range f.store.Events(f.ctx, m.Run, m.Seq-1) {
				if err != nil || e.Seq != m.Seq || e.Kind != m.Kind {
					f.Fatalf("%v was told and %v is read: %v", m, e, err)
				}
				break
			}
		}
	}},
	{"a stop tells the whole tree, a child its parent", func(f *fixture) {
		w, stop := f.watch()
		defer stop()
		f.drive("r")
		child := f.drive("r.1")
		f.send(rein.Command{Kind: rein.CommandStop, Run: "r"})
		child.see().finish(rein.EndStopped)
		f.driver("r").finish(rein.EndStopped)
		w.complete()
	}},
	{"several watch, and who stopped is told no more", func(f *fixture) {
		first, stopFirst := f.watch()
		second, stopSecond := f.watch()
		defer stopSecond()
		d := f.drive("r")
		stopFirst()
		stopFirst()
		d.append(note("x"))
		equal(f, "told the first", first.last("r"), 1)
		equal(f, "told the second", second.last("r"), 2)
	}},
}
