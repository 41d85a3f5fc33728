package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"rein"
	"rein/api"
)

// A witness is what a client of one run has seen. It complains of everything that must not be.
type witness struct {
	name   string
	strict bool // the client promises that no piece of text comes twice

	mu         sync.Mutex
	changed    chan struct{} // closed when something came
	events     []rein.Event
	cursor     string
	writing    map[rein.StepKey]written // of the steps under way
	done       map[rein.StepKey]string  // the texts of steps
	over       bool
	pieces     int         // of text
	cuts, torn int         // connections that broke, and those that broke within a message
	told       []rein.Code // why the server ended a connection
	complaints []string
}

// written is how far a text has come.
type written struct {
	attempt int
	text    string
}

func newWitness(name string) *witness {
	return &witness{name: name, changed: make(chan struct{}), writing: map[rein.StepKey]written{}, done: map[rein.StepKey]string{}}
}

// take takes in one line of the feed.
func (w *witness) take(line api.Line) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case line.Resync != "":
		w.complain("it was told to begin again: %s", line.Resync)
	case line.Event != nil:
		w.cursor = line.Cursor
		w.takeEvent(*line.Event)
	case line.Delta != nil:
		w.takeDelta(*line.Delta)
	}
	w.notify()
}

// notify wakes those who wait for a change. It is called with mu held.
func (w *witness) notify() {
	close(w.changed)
	w.changed = make(chan struct{})
}

func (w *witness) complain(format string, args ...any) {
	w.complaints = append(w.complaints, w.name+": "+fmt.Sprintf(format, args...))
}

// garbled complains of a message that came whole and cannot be read.
func (w *witness) garbled(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.complain("%v", err)
}

func (w *witness) takeEvent(e rein.Event) {
	if want := int64(len(w.events) + 1); e.Seq != want {
		w.complain("event %d %s came and %d was to come", e.Seq, e.Kind, want)
	}
	w.events = append(w.events, e)
	switch e.Kind {
	case rein.StepAttempt:
		delete(w.writing, e.Step) // the text begins again
	case rein.StepDone:
		text, ok := saidIn(e)
		if has := w.writing[e.Step]; ok && !strings.HasPrefix(text, has.text) {
			w.complain("step %s said %q, and the pieces were %q", e.Step, text, has.text)
		}
		if ok {
			w.done[e.Step] = text
		}
		delete(w.writing, e.Step)
	}
}

// saidIn returns the text of a model call that went well.
func saidIn(e rein.Event) (string, bool) {
	var end rein.StepEnd
	if e.Kind != rein.StepDone || json.Unmarshal(e.Data, &end) != nil || end.Message == nil {
		return "", false
	}
	return end.Message.Text, true
}

func (w *witness) takeDelta(d rein.Delta) {
	w.pieces++
	has := w.writing[d.Step]
	if _, ok := w.done[d.Step]; ok {
		w.complain("a piece of step %s came after its end", d.Step)
	}
	switch {
	case d.Attempt < has.attempt:
		w.complain("a piece of attempt %d came in attempt %d of step %s", d.Attempt, has.attempt, d.Step)
		return
	case d.Attempt > has.attempt:
		has = written{attempt: d.Attempt}
	}
	switch again := len(has.text) - d.Offset; {
	case again < 0:
		w.complain("%d bytes of step %s are missing before %q", -again, d.Step, d.Text)
	case again > 0 && w.strict:
		w.complain("%d bytes of step %s came twice", again, d.Step)
	case !strings.HasPrefix(has.text[d.Offset:], d.Text) && !strings.HasPrefix(d.Text, has.text[d.Offset:]):
		w.complain("step %s has %q at %d, and then came %q", d.Step, has.text, d.Offset, d.Text)
	case len(d.Text) > again:
		has.text += d.Text[again:]
	}
	w.writing[d.Step] = has
}

// again says that the client begins to follow anew from its cursor: texts under way come whole.
func (w *witness) again() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.writing)
}

// broke notes the end of a connection; torn says that it was within a message.
func (w *witness) broke(torn bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cuts++
	if torn {
		w.torn++
	}
	w.notify()
}

// breaks waits until so many more connections broke, or the context ends.
func (w *witness) breaks(ctx context.Context, more int) {
	for until := -1; ; {
		w.mu.Lock()
		changed, cuts := w.changed, w.cuts
		w.mu.Unlock()
		if until < 0 {
			until = cuts + more
		}
		if cuts >= until {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// problem notes what the server said before it closed a connection.
func (w *witness) problem(code rein.Code) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, code)
}

func (w *witness) finish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
}

func (w *witness) isOver() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over
}

// place returns the cursor after what was seen.
func (w *witness) place() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cursor
}

// reads waits until a text under way begins so; it reports whether that came before the context ended.
func (w *witness) reads(ctx context.Context, begin string) bool {
	for {
		w.mu.Lock()
		changed := w.changed
		for _, has := range w.writing {
			if strings.HasPrefix(has.text, begin) {
				w.mu.Unlock()
				return true
			}
		}
		w.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// heard reports whether a step has ended whose text begins so.
func (w *witness) heard(begin string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, text := range w.done {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

// seen returns how many events came.
func (w *witness) seen() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.events)
}

// change is closed when something comes.
func (w *witness) change() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changed
}
