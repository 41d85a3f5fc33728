package engine

import (
	"context"
	"time"

	"rein"
	"rein/dispatch"
	"rein/store"
)

// fresh is a run that starts here and is driven here. Nothing needs to be read back, and its start
// need not be a write of its own: the flow runs up to the first thing that has to be durable, and
// both are written together. Until then nothing has left the process.
type fresh struct {
	start   store.Start
	durable bool // its start is in the log
	woken   bool // something was sent to it meanwhile

	// Of one that is not durable: what became of it, once born is closed.
	born chan struct{}
	info rein.RunInfo
	err  error
}

// maxFresh is the largest task that is kept in memory until its run has its turn. A larger one is read
// back from the log then: nobody knows how many wait.
const maxFresh = 256 << 10

// patience is how long Start waits for somebody to drive the run before it writes the start itself.
const patience = 5 * time.Millisecond

// startDriven starts a run by driving it: its start is written with the first events of its flow, which
// saves a write that somebody waits for. known is false if nobody took it up in time: then nothing has
// happened, and the caller writes the start itself.
func (e *Engine) startDriven(start store.Start) (info rein.RunInfo, known bool, err error) {
	f := &fresh{start: start, born: make(chan struct{})}
	if !start.Claim || !e.announce(f) {
		return info, false, nil
	}
	e.opts.Dispatch.Wake(start.Run)
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-f.born:
	case <-timer.C:
		if e.takeBack(f) {
			return info, false, nil
		}
		<-f.born // it is being driven, and will be written within a moment
	}
	return f.info, true, f.err
}

// announce makes the run known to the next drive, unless there is one already.
func (e *Engine) announce(f *fresh) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.fresh[f.start.Run] != nil || e.live[f.start.Run] != nil {
		return false
	}
	e.fresh[f.start.Run] = f
	return true
}

// takeBack withdraws what was announced, unless a drive has taken it up meanwhile.
func (e *Engine) takeBack(f *fresh) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.fresh[f.start.Run] != f {
		return false
	}
	delete(e.fresh, f.start.Run)
	return true
}

// driveStarted sees to it that a run is driven whose start was just written with its parent's step, or with
// the end of the run before it.
func (e *Engine) driveStarted(start store.Start) {
	if start.Claim {
		e.mu.Lock()
		e.fresh[start.Run] = &fresh{start: start, durable: true}
		e.mu.Unlock()
	}
	e.opts.Dispatch.Wake(start.Run)
}

// adoptStart takes over a run that was just started: its log is its first event, written or about to be.
func (d *drive) adoptStart(f *fresh) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log.epoch, d.log.seq, d.log.loaded = 1, 1, true
	d.learn(rein.RunStarted, "", &f.start.Start)
	if !f.durable {
		d.log.birth = f
		d.flushLater()
	}
}

// driveFresh drives a run whose log need not be read, except for what reached it before the drive began.
func (d *drive) driveFresh(ctx context.Context, f *fresh) (dispatch.Next, error) {
	d.adoptStart(f)
	if f.woken {
		d.catchUp()
	}
	return d.drive(ctx)
}

// lostRun reports whether the run turned out to be somebody else's.
func (d *drive) lostRun() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state == lost && rein.CodeOf(d.why) == rein.CodeStale
}

// writeStart writes the start of the run together with its first events. If both are refused it tries the
// start alone: Start must know whether the run exists, whatever its flow did. It is called with writing held.
func (d *drive) writeStart(drafts []store.Draft) error {
	f := d.log.birth
	defer close(f.born)
	var started bool
	var refused error
	for {
		f.start.Drafts = drafts
		f.info, started, f.err = d.opts.Store.Start(context.Background(), f.start)
		if f.err == nil || len(drafts) == 0 {
			break
		}
		drafts, refused = nil, f.err // is it the events that are refused, or the start?
	}
	if f.err != nil {
		refused = nil
	}
	d.log.birth = nil
	if f.err != nil || !started {
		// It never had an epoch. A crash may have left the run with the one that it would have had, so
		// nothing of this drive must reach the log from here on.
		d.mu.Lock()
		d.log.epoch = noEpoch
		d.mu.Unlock()
		return errUnborn
	}
	d.mu.Lock()
	d.log.seq = int64(1 + len(drafts))
	d.mu.Unlock()
	d.engine.mu.Lock()
	d.durable = true
	d.engine.mu.Unlock()
	return refused
}

// noEpoch is what no claim ever gives.
const noEpoch = -1

// errUnborn says that a run was not started: it exists, or may not. Its drive is over, and whoever
// wanted it has been told.
var errUnborn = &rein.Error{Code: rein.CodeStale, Msg: "the run was not started"}
