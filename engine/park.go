package engine

import (
	"time"

	"rein"
	"rein/store"
)

// await returns once ready says so. While it waits the run may be parked; then it does not return
// at all, and the verb is asked again by a replay. ready is called with mu held, and again whenever
// something was read. until, if it is not zero, is when it has to be asked in any case: a parked run is
// driven again by then.
func (d *drive) await(what string, until time.Time, ready func() bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		d.exitIfLeaving()
		if ready() {
			return
		}
		d.waits.waitLocked(&wait{what: what, until: until})
	}
}

// exitIfLeaving ends the calling branch if nothing new may begin. It differs from exitIfOver during a
// shutdown: what has begun may still be recorded then, but no step waits or begins any more. It is called
// with mu held, by a function that has deferred its release.
func (d *drive) exitIfLeaving() {
	if d.state >= draining {
		exit()
	}
}

// isLeaving reports whether nothing new may begin.
func (d *drive) isLeaving() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state >= draining
}

// park turns the run into rows, if all its branches wait and the store knows of no command that
// they have not seen. If it knows of one, that is read, which wakes the branches. What was reserved ahead
// is given back: nobody knows when the run will go on.
func (d *drive) park() {
	d.log.writing.Lock()
	defer d.log.writing.Unlock()
	d.mu.Lock()
	if !d.waits.isIdle() || d.state > draining {
		d.mu.Unlock()
		return
	}
	until, what := d.waits.waitingFor()
	unused := d.purse.unusedLocked()
	d.mu.Unlock()
	// From here to the append a branch may be woken by its timer. It then finds the run parked and exits
	// at its next write; the next drive is due at once, since that time has come.
	err := d.appendLocked(store.Draft{
		Kind: rein.RunParked, Data: &rein.Parked{Until: until, For: what}, Status: rein.StatusWaiting, Until: until,
		Spend: unused,
	})
	switch {
	case err == nil:
		d.mu.Lock()
		d.until = until
		d.unwindLocked(parked, nil)
		d.mu.Unlock()
	case rein.CodeOf(err) == rein.CodeUnseen:
		d.mu.Lock()
		if err := d.readLocked(); err != nil {
			d.unwindLocked(lost, err)
		}
		d.mu.Unlock()
	default:
		d.unwind(lost, err)
	}
}
