package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A status tells people what is being waited for while nothing else is shown. A terminal has one row for
// it, which counts the seconds and goes when something else is written; elsewhere it is a plain line.
type status struct {
	screen screen
	out    io.Writer
	quiet  bool // nobody wants to be told

	mu    sync.Mutex
	words string
	since time.Time // when that began
	wrote time.Time // when something else was last written
	shown string    // the row as it is on the terminal; empty: it is not
	told  bool      // a plain line was written
	open  bool      // the last line of the outputs is not complete
	over  chan struct{}
}

const (
	statusDelay = 150 * time.Millisecond // what is over sooner needs no line that stays
	rowDelay    = 50 * time.Millisecond  // a row goes again
	statusPause = 25 * time.Millisecond
)

func newStatus(s screen, out io.Writer) *status { return &status{screen: s, out: out} }

// wait says what is being waited for from now on; empty: nothing. The same words again go on counting.
func (s *status) wait(words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if words == s.words || s.quiet {
		return
	}
	s.erase()
	s.words, s.since, s.told = words, time.Now(), false
	if s.over == nil {
		s.over = make(chan struct{})
		go s.tick(s.over)
	}
}

// end takes the status off the screen for good.
func (s *status) end() {
	s.wait("")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet = true
	if s.over != nil {
		close(s.over)
		s.over = nil
	}
}

func (s *status) tick(over <-chan struct{}) {
	ticker := time.NewTicker(statusPause)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.show(time.Now())
		case <-over:
			return
		}
	}
}

// show writes the status, if nothing else was written for a moment.
func (s *status) show(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delay := statusDelay
	if s.screen.live {
		delay = rowDelay
	}
	if s.words == "" || s.open || now.Sub(s.since) < delay || now.Sub(s.wrote) < delay {
		return
	}
	if s.screen.live {
		s.draw(s.line(now))
	} else if !s.told {
		s.told = true
		fmt.Fprintln(s.out, s.screen.signs.note+" "+s.words+s.screen.signs.more)
	}
}

// line is the row: a terminal must not fold it, or it could not be taken back.
func (s *status) line(now time.Time) string {
	seconds := ""
	if n := int(now.Sub(s.since).Seconds()); n > 0 {
		seconds = fmt.Sprintf(" %d s", n)
	}
	text, room := s.screen.signs.note+" "+s.words, s.screen.columns()-len(seconds)-5
	for i, r := range text {
		if room -= cells(r); room < 0 {
			return text[:i] + s.screen.signs.more + seconds
		}
	}
	return text + s.screen.signs.more + seconds
}

func (s *status) draw(line string) {
	if line != s.shown {
		fmt.Fprint(s.out, "\r\x1b[K"+s.screen.paint(colourQuiet, line))
		s.shown = line
	}
}

func (s *status) erase() {
	if s.shown != "" {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.shown = ""
	}
}

// above returns an output that shares the screen with the status: what is written to it comes first.
func (s *status) above(out io.Writer) io.Writer { return &above{out, s} }

type above struct {
	io.Writer
	status *status
}

func (a *above) Write(data []byte) (int, error) {
	a.status.mu.Lock()
	defer a.status.mu.Unlock()
	a.status.erase()
	a.status.wrote, a.status.open = time.Now(), !bytes.HasSuffix(data, []byte("\n"))
	return a.Writer.Write(data)
}

// now says what the run is doing: its newest step that is under way.
func (t *timeline) now() string {
	if len(t.under) == 0 {
		return ""
	}
	key := t.under[len(t.under)-1]
	start := t.steps[key]
	words := start.Human
	switch {
	case start.Call != nil && !start.Call.Internal:
		words = start.Call.Name
	case words == "" && start.Prompt != nil:
		words = "thinking"
	case words == "":
		words = "working"
	}
	return t.of(key.run) + safe(strings.TrimRight(words, ".…"))
}

// progress tells what is being waited for, unless it is the person.
func (w *watcher) progress() {
	if w.prompt != nil || len(w.asks) > 0 || w.idle[w.root] || w.timeline.paused {
		w.status.wait("")
		return
	}
	w.status.wait(w.timeline.now())
}
