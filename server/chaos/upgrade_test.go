package chaos

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/internal/labs"
)

// TestUpgrade tells the server to go while a model writes. It says that it is not ready any more, and
// to those who follow why it leaves them; the call comes to its end, or is made again if it takes too
// long. The next process goes on, and who goes on from a cursor sees everything once.
//
// Covers: LAW-6/server ENG-34 ENG-35 ENG-50
func TestUpgrade(t *testing.T) {
	labs.Only(t)
	t.Parallel()
	for _, c := range []struct {
		name  string
		ends  bool // the model writes its text to the end meanwhile
		asked int  // how often it is asked for the text
	}{
		{"the call ends", true, 1},
		{"the call is cut", false, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			w := l.newWatched("j1", 1000)
			reached, release := make(chan struct{}), make(chan struct{})
			held := place{job: "j1", round: 2, call: 1, word: 5}
			l.provider.before = func(q *http.Request, at place) {
				if at != held {
					return
				}
				close(reached)
				select {
				case <-release:
				case <-q.Context().Done():
				}
			}
			l.start("j1", rounds, words)
			var viewers sync.WaitGroup
			for i, v := range w.viewers {
				viewers.Go(func() { follow(l.ctx, v, w.all[i]) })
			}
			<-reached
			for _, w := range w.all {
				w.reads(l.ctx, held.begin())
			}
			check(t, l.process.cmd.Process.Signal(syscall.SIGTERM))
			l.unready()
			if c.ends {
				close(release)
			}
			l.handOver()
			viewers.Wait()
			l.judge("j1", rounds, w.all...)
			if got := l.provider.asks(held.ofRound()); got != c.asked {
				t.Errorf("the model was asked %d times, want %d", got, c.asked)
			}
			for _, i := range []int{1, 3} { // those that see what is sent
				if !slices.Contains(w.all[i].told, rein.CodeUnavailable) {
					t.Errorf("%s was told %q", w.all[i].name, w.all[i].told)
				}
			}
		})
	}
}

// unready waits until the server says that it takes no more work.
func (l *lab) unready() {
	l.Helper()
	for wait := time.NewTicker(pause); ; <-wait.C {
		answer, err := http.Get("http://" + l.process.address + "/readyz")
		check(l, err)
		answer.Body.Close()
		if answer.StatusCode == http.StatusServiceUnavailable {
			return
		}
		check(l, l.ctx.Err())
	}
}

// handOver waits for the server to end well and starts the next.
func (l *lab) handOver() {
	l.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	check(l, l.process.wait())
	if complaint := l.process.complaint(); l.process.err != nil || complaint != "" {
		l.Error(fmt.Errorf("the server ended with %w: %s", l.process.err, complaint))
	}
	check(l, l.next())
}
