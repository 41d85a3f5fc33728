package engine

import (
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"rein"
	"rein/engine/guard"
)

// An utterance is what a tool shows people while its call goes on. Like a model's speech it leaves without secrets, and
// an end that may become one waits. Nothing of it is kept: the result is what counts.
type utterance struct {
	tell   func(rein.Delta)
	delta  rein.Delta // its run, step and attempt
	stream *guard.Stream

	mu     sync.Mutex
	heard  strings.Builder // what waits to be shown
	bytes  int             // how much was shown
	timer  *time.Timer     // nil: nothing waits
	last   time.Time       // when something was shown
	closed bool
}

// How much of a tool's output is shown while it comes, and how often.
const (
	maxUttered = 1 << 20
	uttering   = 100 * time.Millisecond
)

// utter begins what a call shows; nil: nobody can see it.
func (s *toolStep) utter() *utterance {
	if s.run.opts.OnDelta == nil {
		return nil
	}
	return &utterance{
		tell: s.run.opts.OnDelta, stream: s.run.redactor().Stream(),
		delta: rein.Delta{Run: s.run.id, Step: s.key, Attempt: s.rec.attempts, Output: true},
	}
}

// say takes the next piece. What comes fast is shown in fewer, longer pieces.
func (u *utterance) say(text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed || text == "" {
		return
	}
	if room := maxUttered - u.bytes - u.heard.Len(); len(text) > room {
		u.heard.WriteString(text[:max(room, 0)])
		u.flush()
		u.show(u.stream.Cut() + "\n[more output is not shown while it comes]\n")
		u.closed = true
		return
	}
	u.heard.WriteString(text)
	switch wait := uttering - time.Since(u.last); {
	case u.timer != nil:
	case wait <= 0:
		u.flush()
	default:
		u.timer = time.AfterFunc(wait, func() {
			u.mu.Lock()
			defer u.mu.Unlock()
			if !u.closed {
				u.flush()
			}
		})
	}
}

// flush shows what waits, as far as it ends with a whole character. It is called with mu held.
func (u *utterance) flush() {
	if u.timer != nil {
		u.timer.Stop()
		u.timer = nil
	}
	text := u.heard.String()
	u.heard.Reset()
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if start := len(text) - back; utf8.RuneStart(text[start]) {
			if !utf8.FullRuneInString(text[start:]) {
				whole = start
			}
			break
		}
	}
	u.heard.WriteString(text[whole:])
	u.show(u.stream.Write(strings.ToValidUTF8(text[:whole], "\uFFFD")))
}

func (u *utterance) show(text string) {
	if text == "" {
		return
	}
	d := u.delta
	d.Offset, d.Text = u.bytes, text
	u.bytes += len(text)
	u.last = time.Now()
	u.tell(d)
}

// close ends it: what the tool says after its call is over is for nobody.
func (u *utterance) close() {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed {
		return
	}
	u.flush()
	u.closed = true
	u.show(u.stream.Cut())
}
