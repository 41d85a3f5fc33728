package pace

import (
	"time"

	"rein/internal/turn"
)

// An entry is a call that waits.
type entry struct {
	id    string
	need  amount
	place *turn.Place[*entry] // in the line

	here  bool          // its caller can be let through now: it blocks in Wait, or is just asking
	look  chan struct{} // of a caller that blocks: look again
	due   time.Time     // of a caller that is away: when it comes back
	grant *grant        // once it was let through
}
