package chaos

import (
	"fmt"
	"testing"
)

// TestCutAnywhere cuts a stream and a socket after so many bytes, wherever that is: in the headers, in
// a line, in a frame, in a character. Who then goes on from the last event that came whole misses
// nothing and sees nothing twice.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.start("j1", rounds, words)
	control := newWitness("the control")
	follow(l.ctx, own{l.inside, "j1"}, control)
	stride := 409
	if full {
		stride = 13
	}
	for _, kind := range []string{"stream", "socket"} {
		torn, within := 0, 0
		for bytes := 1; ; bytes += stride {
			w := newWitness(fmt.Sprintf("the %s that was cut after %d bytes", kind, bytes))
			s := &switcher{stream: streamer{line: l.line, token: l.token, run: "j1"}, stay: 1000}
			if kind == "socket" {
				s.turn = 1 // the other way is the next one
			}
			check(t, l.line.cutAfter("downstream", bytes))
			s.connect(l.ctx, w)
			whole := w.isOver()
			check(t, l.line.clear())
			if torn += w.torn; w.seen() > 0 && !whole {
				within++
			}
			if !whole {
				follow(l.ctx, s, w)
			}
			if l.judge("j1", rounds, control, w); whole || t.Failed() {
				break
			}
		}
		t.Logf("%s: %d cuts between events, %d of all within a message", kind, within, torn)
		if within < 5 || torn < 5 {
			t.Errorf("the %s was cut %d times between events and %d times within a message: that is not enough", kind, within, torn)
		}
	}
}
