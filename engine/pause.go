package engine

// waitWhilePaused waits while the run is paused, for days if need be: the run may be parked meanwhile. It
// reports whether it waited: then things may be different from what they were.
func (d *drive) waitWhilePaused() (waited bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waitWhilePausedLocked()
}

// waitWhilePausedLocked is waitWhilePaused for a caller that holds mu.
func (d *drive) waitWhilePausedLocked() (waited bool) {
	for {
		d.exitIfLeaving()
		if !d.mail.held() {
			return waited
		}
		d.waits.waitLocked(&wait{what: "being resumed"})
		waited = true
	}
}

// awaitResume is waitWhilePaused inside a step. The error is an interruption that came meanwhile.
func (d *drive) awaitResume() error {
	if d.waitWhilePaused() {
		return d.mail.interruptedNow()
	}
	return nil
}
