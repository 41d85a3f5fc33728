package chaos

import (
	"fmt"
	"testing"
	"time"

	"rein/internal/labs"
)

// TestCutAnywhere cuts a stream and a socket after so many bytes, wherever that is: in the headers, in
// a line, in a frame, in a character. Who then goes on from the last event that came whole, the same way
// or the other, misses nothing and sees nothing twice.
//
// Covers: LAW-1 LAW-6/server
func TestCutAnywhere(t *testing.T) {
	labs.Only(t)
	t.Parallel()
	l := newLab(t)
	l.start("j1", rounds, words)
	control := newWitness("the control")
	follow(l.ctx, own{l.inside, "j1"}, control)
	l.judge("j1", rounds, control)
	for first, from := range []string{"stream", "socket"} {
		for then, to := range []string{"stream", "socket"} {
			l.cutEvery(fmt.Sprintf("%s, then %s", from, to), first, then)
		}
	}
}

// cutEvery cuts the first connection later each time, until it is not cut any more. Zero is a stream and
// one a socket.
func (l *lab) cutEvery(way string, first, then int) {
	stride, between, torn := 509, 0, 0
	if full {
		stride = 17
	}
	turns := time.NewTicker(time.Second / 25) // the server takes 50 requests a second with one token
	defer turns.Stop()
	for bytes := 1; !l.Failed(); bytes += stride {
		<-turns.C
		w := newWitness(fmt.Sprintf("%s, cut after %d bytes", way, bytes))
		s := &switcher{stream: streamer{line: l.line, token: l.token, run: "j1"}, stay: 1000, turn: first}
		check(l, l.line.cutAfter("downstream", bytes))
		s.connect(l.ctx, w)
		if w.isOver() {
			break
		}
		check(l, l.line.clear())
		if torn += w.torn; w.seen() > 0 {
			between++
		}
		s.turn = then
		s.connect(l.ctx, w)
		l.judge("j1", rounds, w)
	}
	l.Logf("%s: %d cuts between events, %d of all within a message", way, between, torn)
	if between < 5 || torn < 5 {
		l.Errorf("%s: that is not enough", way)
	}
}
