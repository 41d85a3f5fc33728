package engine

// waitWhilePaused waits while the run is paused. The run may be parked meanwhile. It reports whether it waited:
// then things may be different from what they were.
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

// isAsking reports whether the step waits for a person. A pause does not keep it from that: the ask
// stays open and its deadline runs. It is called with mu held.
func (s *step) isAsking() bool {
	if len(s.rec.asks) == 0 {
		return false
	}
	_, closed := s.run.mail.answers[s.rec.asks[len(s.rec.asks)-1].ID]
	return !closed
}
