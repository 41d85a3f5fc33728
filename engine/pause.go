package engine

// held reports whether nothing new may begin: the run is paused, and not being ended.
func (m *mail) held() bool { return m.paused && m.ending == "" }

// halt waits while the run is paused. The run may be parked meanwhile. It reports whether it waited:
// then things may be different from what they were.
func (d *drive) halt() (waited bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.haltLocked()
}

// haltLocked is halt for a caller that holds mu.
func (d *drive) haltLocked() (waited bool) {
	for !d.leaving() && d.held() {
		d.waitLocked(&wait{what: "being resumed"})
		waited = true
	}
	return waited
}

// mayGoOn is halt inside a step. The error is an interruption that came meanwhile.
func (d *drive) mayGoOn() error {
	if d.halt() {
		return d.interruptedNow()
	}
	return nil
}

func (d *drive) heldNow() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held()
}

// isAsking reports whether the step waits for a person. A pause does not keep it from that: the ask
// stays open and its deadline runs. It is called with mu held.
func (s *step) isAsking() bool {
	if len(s.asks) == 0 {
		return false
	}
	_, closed := s.answers[s.asks[len(s.asks)-1].ID]
	return !closed
}
