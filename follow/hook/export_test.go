package hook

import "time"

// PauseFor sets how long a reply that failed waits.
func (h *Hooks) PauseFor(d time.Duration) { h.pause = d }
