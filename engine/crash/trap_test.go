package crash

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
)

// A moment is a kind of place where a process can die.
type moment int

const (
	never        moment = iota
	afterCommit         // the events are durable, and nobody knows it yet
	beforeEffect        // the tool was called and has not asked the world for anything
	afterEffect         // the world has done it, and the tool has not returned
	beforeModel         // the model was called and has not been reached
	afterModel          // the model has answered, and the answer has not been handed on
	atFile              // a tool is about to change the disk, or just did
	moments
)

var momentNames = [moments]string{"never", "after commit", "before effect", "after effect", "before model call", "after model call", "at a file"}

// A kill says where a process dies: the Nth time that it comes to such a moment.
type kill struct {
	At moment
	N  int64
}

func (k kill) String() string {
	if k.At == never {
		return "no kill"
	}
	return fmt.Sprintf("%s %d", momentNames[k.At], k.N)
}

// A tally is how often a process came to each moment.
type tally [moments]int64

// A trap counts the moments of a process and kills it at the one that was chosen.
type trap struct {
	kill
	counts [moments]atomic.Int64
}

// pass does not return if this is the moment to die.
func (t *trap) pass(m moment) {
	if n := t.counts[m].Add(1); m == t.At && n == t.N {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // whatever happens to the other threads, this one goes no further
	}
}

func (t *trap) tally() (counted tally) {
	for i := range t.counts {
		counted[i] = t.counts[i].Load()
	}
	return counted
}
