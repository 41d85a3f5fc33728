package enginetest

import (
	"sync"
	"time"

	"rein"
)

// A modelHold stops the nth model call before it answers.
type modelHold struct {
	in, out chan struct{}
}

// holdModel must be called before Begin.
func (w *World) holdModel(nth int) *modelHold {
	h := &modelHold{make(chan struct{}), make(chan struct{})}
	var mu sync.Mutex
	n := 0
	w.Model.Hook = func(rein.ModelRequest) {
		mu.Lock()
		n++
		held := n == nth
		mu.Unlock()
		if held {
			close(h.in)
			<-h.out
		}
	}
	return h
}

func (h *modelHold) entered(w *World) {
	w.Helper()
	select {
	case <-h.in:
	case <-time.After(patience):
		w.Dump()
		w.Fatal("the model was not called")
	}
}

func (h *modelHold) release() { close(h.out) }

func now() time.Time { return time.Now() }
