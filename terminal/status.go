package terminal

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"
)

// A Status tells people what is being waited for while nothing else is shown. A terminal has one row for
// it, which counts the seconds and goes when something else is written; elsewhere it is a plain line.
type Status struct {
	screen Screen
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

func newStatus(s Screen, out io.Writer) *Status { return &Status{screen: s, out: out} }

// Wait says what is being waited for from now on; empty: nothing. The same words again go on counting.
func (s *Status) Wait(words string) {
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

// Mute lets nothing be shown any more: programs that read JSON need no words.
func (s *Status) Mute() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet = true
}

// End takes the status off the screen for good.
func (s *Status) End() {
	s.Wait("")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet = true
	if s.over != nil {
		close(s.over)
		s.over = nil
	}
}

func (s *Status) tick(over <-chan struct{}) {
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
func (s *Status) show(now time.Time) {
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
func (s *Status) line(now time.Time) string {
	seconds := ""
	if n := int(now.Sub(s.since).Seconds()); n > 0 {
		seconds = fmt.Sprintf(" %d s", n)
	}
	text, room := s.screen.signs.note+" "+s.words, s.screen.Columns()-len(seconds)-5
	for i, r := range text {
		if room -= cells(r); room < 0 {
			return text[:i] + s.screen.signs.more + seconds
		}
	}
	return text + s.screen.signs.more + seconds
}

func (s *Status) draw(line string) {
	if line != s.shown {
		fmt.Fprint(s.out, "\r\x1b[K"+s.screen.Paint(Quiet, line))
		s.shown = line
	}
}

func (s *Status) erase() {
	if s.shown != "" {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.shown = ""
	}
}

// An above is an output that shares the screen with a status: what is written to it comes first.
type above struct {
	io.Writer
	status *Status
}

func (a *above) Write(data []byte) (int, error) {
	a.status.mu.Lock()
	defer a.status.mu.Unlock()
	a.status.erase()
	a.status.wrote, a.status.open = time.Now(), !bytes.HasSuffix(data, []byte("\n"))
	return a.Writer.Write(data)
}
