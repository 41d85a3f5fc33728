package card

import (
	"strconv"
	"time"

	"rein"
	"rein/internal/units"
)

// left says how long an answer may take and what happens then; empty: forever. Soon is less than a minute.
func (c *Card) left(now time.Time) (says string, soon bool) {
	if c.ask.Deadline.IsZero() {
		return "", false
	}
	left := (c.ask.Deadline.Sub(now) + time.Second - 1).Truncate(time.Second)
	switch {
	case left <= 0:
		says = "the time is up"
	case left < time.Minute:
		says = strconv.Itoa(int(left.Seconds())) + " s left"
	default:
		says = units.Span(left) + " left"
	}
	return says + ", " + c.then(), left < time.Minute
}

// then says what happens if nobody answers.
func (c *Card) then() string {
	switch c.ask.OnExpiry {
	case rein.ExpiryDeny:
		return "then the call is not made"
	case rein.ExpiryStop:
		return "then the run is stopped"
	case rein.ExpiryPark:
		return "and it waits after that too"
	}
	if c.isQuestion() {
		return "then the run continues without an answer"
	}
	return "then the run continues without it"
}
