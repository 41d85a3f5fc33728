package cli

import (
	"context"
	"fmt"
	"time"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
)

func ownerStopCommand() command {
	return command{
		name: "owner stop", does: "end the background owner; its runs are kept",
		more:  `Ends the background process that owns the data folder. Calls in progress get three seconds to finish. Its runs are kept, and rein resume continues them, with the settings, keys and version of that command.`,
		flags: lookFlags, run: runOwnerStop,
	}
}

func runOwnerStop(ctx context.Context, c *call) error {
	a, p, err := c.dialOwner(ctx)
	if a == nil || err != nil {
		return err
	}
	o, err := a.Dismiss(ctx, api.Dismissal{Now: true})
	if rein.CodeOf(err) == rein.CodeNotFound {
		health, err := a.Health(ctx)
		if err != nil {
			return err
		}
		return c.endsElsewhere(health.PID, health.URL)
	}
	if err != nil {
		return err
	}
	if err := waitFree(ctx, p, o.PID, endPatience); err != nil {
		return err
	}
	if c.json {
		return c.printJSON(o)
	}
	c.print("process %d has ended\n", o.PID)
	return nil
}

// waitFree waits until a process does not have the data open any more.
func waitFree(ctx context.Context, p app.Place, pid int, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		now, owned, err := p.Owner()
		if err != nil || !owned || now != pid {
			return err
		}
		select {
		case <-time.After(endPause):
		case <-ctx.Done():
			return fmt.Errorf("process %d has not ended after %s: kill %d ends it, and its runs are kept", pid, units.Span(patience), pid)
		}
	}
}
