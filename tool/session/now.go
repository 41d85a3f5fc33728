package session

import (
	"context"
	"time"

	"rein"
)

// A wall is what Now returns: what the user's clock showed when the run began.
type wall struct {
	Day  string `json:"day"`
	Time string `json:"time"`
	Zone string `json:"zone"`
}

// Now is the internal read of the time at which a run began, in the zone of its user.
func Now() rein.Tool {
	return reading("context.now", "What the user's clock showed when the run began.", func(_ context.Context, inv rein.Invocation) (any, error) {
		if inv.Task == nil || inv.Task.Start.IsZero() {
			return nil, rein.Errorf(rein.CodeNotFound, "context.now: nobody knows when the run began")
		}
		zone := zoneOf(inv.Task.Zone)
		at := inv.Task.Start.In(zone)
		return wall{at.Weekday().String(), at.Format(time.RFC3339), zone.String()}, nil
	})
}
