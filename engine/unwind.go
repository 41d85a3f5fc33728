package engine

import (
	"errors"
	"runtime"
	"time"

	"rein"
	"rein/store"
)

// handOver leaves a run that a shutdown cut off to whoever serves next. If that cannot be recorded
// it is found anyway: a run whose driver is gone is due when the store is opened.
func (d *drive) handOver() {
	d.log.writing.Lock()
	defer d.log.writing.Unlock()
	d.mu.Lock()
	cut := !d.log.settled && (d.state == driving || d.state == draining || d.state == letGo)
	unused := d.purse.unusedLocked()
	d.mu.Unlock()
	for range 3 {
		if !cut {
			return
		}
		err := d.appendLocked(store.Draft{
			Kind: rein.RunParked, Data: &rein.Parked{Until: d.opts.Now(), For: []string{"restart"}},
			Status: rein.StatusWaiting, Until: d.opts.Now(), Spend: unused,
		})
		if rein.CodeOf(err) != rein.CodeUnseen {
			return
		}
		d.mu.Lock()
		err = d.readLocked()
		d.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// drain is the first half of a shutdown: nothing new begins. What waits exits at once; calls under way may
// end within the grace and be recorded, which saves the next drive from asking what became of them.
func (d *drive) drain() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state == driving {
		d.state = draining
		d.waits.broadcast()
	}
}

// force is the second: what is still under way after the grace is cut.
func (d *drive) force(exited <-chan struct{}) {
	timer := time.NewTimer(d.opts.DrainGrace)
	defer timer.Stop()
	select {
	case <-exited:
	case <-timer.C:
		d.unwind(letGo, nil)
	}
}

// unwind makes every branch let go. The first reason counts.
func (d *drive) unwind(s state, why error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unwindLocked(s, why)
}

// unwindLocked is unwind for a caller that holds mu. The calls under way are cancelled and the waits
// woken; each finds the new state and exits.
func (d *drive) unwindLocked(s state, why error) {
	if d.state > draining {
		return
	}
	d.state, d.why = s, why
	for c := range d.waits.calls {
		c.cut(errLetGo)
	}
	d.waits.broadcast()
}

// errLetGo is the cause of a call's cancellation when its result will not be recorded.
var errLetGo = errors.New("the run is being let go of")

// exitIfOver unwinds the calling branch if the drive is over. It is called with mu held, by a
// function that has deferred its release.
func (d *drive) exitIfOver() {
	if d.state > draining {
		exit()
	}
}

// exit ends the calling goroutine through its deferred calls. Nothing a flow does can hold that up. See
// "Goexit" in the package comment for who may call it.
func exit() { runtime.Goexit() }

// fail lets go of the run because of an error that is not a result: the store refused or is gone. It does
// not return, and is for the run's own goroutines; others call giveUp.
func (d *drive) fail(err error) {
	d.giveUp(err)
	exit()
}

// giveUp lets go of the run because of such an error. What the store calls invalid it will call
// invalid again, so the run is blocked, and a person sees why; anything else may be better the next time.
func (d *drive) giveUp(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if rein.CodeOf(err) == rein.CodeInvalid && d.state <= draining {
		d.blocked = &rein.Blocked{Reason: "a step could not be recorded: " + err.Error()}
		d.unwindLocked(blocked, nil)
	}
	d.unwindLocked(lost, err)
}

// mismatch blocks the run: the flow asks for something else than the log holds.
func (d *drive) mismatch(b rein.Blocked) {
	d.mu.Lock()
	if d.state <= draining {
		d.blocked = &b
	}
	d.unwindLocked(blocked, nil)
	d.mu.Unlock()
	exit()
}

// block records that the run is blocked: it keeps its log and waits for a person, who may resume it with
// a program that can replay it, or end it. It is recorded as seen, like an end: a stop that came meanwhile
// ends the run instead.
func (d *drive) block() {
	d.mu.Lock()
	unused := d.purse.unusedLocked()
	d.mu.Unlock()
	for {
		ending := false
		err := d.writeAsSeen(func() []store.Draft {
			if ending = d.mail.endingNow() != ""; ending {
				return nil // a person may end a run that cannot be replayed
			}
			return []store.Draft{{Kind: rein.RunBlocked, Data: d.blocked, Status: rein.StatusBlocked, Spend: unused}}
		})
		switch {
		case ending:
			d.finish(rein.Outcome{}, nil)
			return
		case err == nil:
			d.opts.Log.Warn("run is blocked", "run", string(d.id), "reason", d.blocked.Reason)
			d.unwind(blocked, nil)
			return
		case rein.CodeOf(err) != rein.CodeUnseen:
			d.fail(err)
		}
		d.refresh()
	}
}
