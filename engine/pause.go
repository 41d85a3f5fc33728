package engine

// halt waits while the run is paused. The run may be parked meanwhile. It reports whether it waited:
// then things may be different from what they were.
func (d *drive) halt() (waited bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.haltLocked()
}

// haltLocked is halt for a caller that holds mu.
func (d *drive) haltLocked() (waited bool) {
	for !d.leaving() && d.mail.held() {
		d.waits.wait(&wait{what: "being resumed"})
		waited = true
	}
	return waited
}

// mayGoOn is halt inside a step. The error is an interruption that came meanwhile.
func (d *drive) mayGoOn() error {
	if d.halt() {
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
