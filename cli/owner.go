package cli

import (
	"context"
	"fmt"

	"rein"
	"rein/app"
	"rein/internal/units"
)

func ownerCommand() command {
	return command{
		name: "owner", does: "show which process has the data open",
		more:  `At a terminal, rein run starts a background process that owns the data folder and drives its runs, so that they continue when you leave. It ends on its own when it has had nothing to do for owner.idle (10 minutes).`,
		flags: lookFlags, run: runOwner,
	}
}

func runOwner(ctx context.Context, c *call) error {
	a, p, err := c.dialOwner(ctx)
	if a == nil || err != nil {
		return err
	}
	o, err := a.Owner(ctx)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return c.otherOwner(ctx, a, p)
	}
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(o)
	}
	doing := "no run has anything to do now"
	if o.Busy {
		doing = "drives runs"
	}
	if o.Commands > 0 {
		doing += fmt.Sprintf("; commands in the background: %d", o.Commands)
	}
	c.print("process  %d, in the background\n", o.PID)
	c.print("version  %s\n", safe(o.Version))
	c.print("started  %s\n", units.When(o.Started))
	c.print("work     %s; connected: %d\n", doing, o.Clients)
	c.print("ends     after %s without work; %s ends it now\n", units.Span(o.Idle), c.tip("owner stop"))
	c.print("log      %s\n", safe(o.Log))
	return nil
}

// dialOwner connects to the process that has the data open. If none has, it says so and returns nil.
func (c *call) dialOwner(ctx context.Context) (*app.App, app.Place, error) {
	p, err := c.setup().Place()
	if err != nil {
		return nil, p, err
	}
	a := app.Dial(ctx, p)
	if a != nil {
		return a, p, nil
	}
	if pid, owned, err := p.Owner(); err == nil && owned {
		return nil, p, rein.Errorf(rein.CodeUnavailable, "process %d has %s open and does not answer: if it is stopped, kill -CONT %d continues it; kill %d ends it, and its runs are kept", pid, safe(p.Folder), pid, pid)
	}
	if !c.json {
		c.print("no process has %s open\n", safe(p.Folder))
	}
	return nil, p, nil
}

// otherOwner tells about an owner that is a server or the command of a terminal.
func (c *call) otherOwner(ctx context.Context, a *app.App, p app.Place) error {
	health, err := a.Health(ctx)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(health)
	}
	c.print("process  %d, %s\n", health.PID, kindOf(health.URL))
	c.print("version  %s\n", safe(health.Version))
	c.print("started  %s\n", units.When(health.Started))
	return nil
}

// kindOf says what an owner is that is not in the background.
func kindOf(url string) string {
	if url != "" {
		return "rein serve at " + safe(url)
	}
	return "a command of a terminal or a script"
}

// endsElsewhere says how an owner ends that is not in the background.
func (c *call) endsElsewhere(pid int, url string) error {
	if url != "" {
		return fmt.Errorf("process %d is %s, not a background owner: %s ends it, and its runs are kept", pid, kindOf(url), c.tip("serve quit"))
	}
	return fmt.Errorf("process %d is %s, not a background owner: end it where it was started, or with kill %d; its runs are kept", pid, kindOf(url), pid)
}
