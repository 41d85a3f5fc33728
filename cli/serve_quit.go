package cli

import (
	"context"
	"time"

	"rein/api"
	"rein/internal/units"
)

// quitFlags are the flags of rein serve quit alone.
type quitFlags struct{ within int }

func serveQuitCommand() command {
	o := quitFlags{within: 30}
	return command{
		name: "serve quit", does: "shut down the server; its runs are kept",
		more: `Asks the server over the socket of the data folder to shut down, and waits until it has ended. Calls in progress get ten seconds to finish, or are recorded as they are. Runs are kept: the next start continues them. It says which runs were in progress.

After --within seconds the server leaves at once: nothing is lost, calls that were in progress are made again.

Exits with 0 when the server has ended, and with 1 if none runs or it has not ended.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{number(&o.within, "within SECONDS", "how long it may take, 1 to 600; default: 30")}, lookFlags(c)...)
		},
		run: o.run,
	}
}

// quitMargin is how much longer than the server itself whoever ends it waits.
const quitMargin = 5 * time.Second

func (o *quitFlags) run(ctx context.Context, c *call) error {
	if o.within < 1 || o.within > 600 {
		return usagef("--within cannot be %d: it is 1 to 600 seconds", o.within)
	}
	a, p, _, err := c.dialServer(ctx)
	if err != nil {
		return err
	}
	if a == nil {
		return errWrong
	}
	runs, err := inProgress(ctx, a)
	if err != nil {
		return err
	}
	health, err := a.Quit(ctx, api.Quit{Seconds: o.within})
	if err != nil {
		return err
	}
	if err := waitFree(ctx, p, health.PID, time.Duration(o.within)*time.Second+quitMargin); err != nil {
		return err
	}
	if c.json {
		return c.printJSON(struct {
			URL  string    `json:"url"`
			PID  int       `json:"pid"`
			Runs []api.Run `json:"runs"` // that were in progress
		}{health.URL, health.PID, append([]api.Run{}, runs...)})
	}
	c.print("the server at %s has ended, after %s\n", safe(health.URL), units.Span(time.Since(health.Started)))
	c.printKept(runs)
	return nil
}

// printKept lists the runs that the next start continues.
func (c *call) printKept(runs []api.Run) {
	if len(runs) == 0 {
		c.print("no run was in progress\n")
		return
	}
	c.print("%s in progress; %s continues them:\n", units.Count(int64(len(runs)), "run"), c.tip("serve --detach"))
	for _, run := range runs {
		c.print("  %s  %s\n", safe(string(run.ID)), short(run.Title, 60))
	}
}
