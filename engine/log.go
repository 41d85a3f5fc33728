package engine

import (
	"sync"
	"time"

	"rein"
	"rein/store"
)

// A runLog is the log of a run as its drive knows it: what was read, and what was written and is not
// durable yet. The drive's mu guards it, where nothing else is said.
type runLog struct {
	mu *sync.Mutex // the drive's

	// writing is held while the buffer is being appended or the log is being read, so that events
	// are taken in in order. It is taken before mu.
	writing sync.Mutex

	epoch  int64
	loaded bool  // the log has been read
	seq    int64 // everything up to here has been read
	steps  map[rein.StepKey]*record
	forks  map[rein.StepKey]bool // steps that were a Parallel

	buffer   []store.Draft // written, but not yet durable
	flusher  *time.Timer   // flushes soon, if flushing
	flushing bool
	settled  bool   // it is in the log where this drive left the run
	birth    *fresh // its start has still to be written; guarded by writing
	// damaged says that the log cannot be read: then the run's row is all there is to go by.
	damaged bool
}

// recordOf returns the record of a step, and makes it if the log held nothing of the step. It is called
// with mu held.
func (l *runLog) recordOf(step rein.StepKey) *record {
	r := l.steps[step]
	if r == nil {
		r = &record{}
		l.steps[step] = r
		l.learnForks(step)
	}
	return r
}

// unused returns the first step of the log that the replayed flow did not ask for. It is called with mu
// held.
func (l *runLog) unused() (left rein.StepKey) {
	for key, r := range l.steps {
		if !r.used && (left == "" || key < left) {
			left = key
		}
	}
	return left
}

// learnForks remembers that the steps above a branch's step are Parallels.
func (l *runLog) learnForks(key rein.StepKey) {
	for {
		parallel, ok := parallelOf(key)
		if !ok || l.forks[parallel] {
			return
		}
		l.forks[parallel] = true
		key = parallel
	}
}

// messagesOf reads the prompt of another step from the log.
func (l *runLog) messagesOf(key rein.StepKey) ([]rein.Message, error) {
	l.mu.Lock()
	r := l.steps[key]
	l.mu.Unlock()
	if r == nil || r.start == nil || r.start.Prompt == nil {
		return nil, rein.Errorf(rein.CodeDamaged, "the log has no prompt at step %s", key)
	}
	messages, err := new(talk).unpack(r.start.Prompt, l.messagesOf)
	return messages[:len(messages):len(messages)], err
}

// forget drops what was noted and is not durable: it will be done again. A flush that is under way
// has failed by then, and none can fail later.
func (l *runLog) forget() {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buffer = nil
}
