package cli

import (
	"context"
	"os"
	"time"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
)

func serveStatusCommand() command {
	return command{
		name: "serve status", does: "show the server of the data folder",
		more: `Shows the address of the server that has the data folder open, since when it runs, its version, and how many runs are running and asks wait for a person. It asks the server over the socket of the folder, so it needs no token.

Exits with 0 if a server answers, and with 1 if none runs or it does not answer.`,
		flags: lookFlags, run: runServeStatus,
	}
}

// serverState is what rein serve status prints as JSON.
type serverState struct {
	Running bool      `json:"running"`
	Data    string    `json:"data"`
	URL     string    `json:"url,omitempty"`
	Since   time.Time `json:"since,omitzero"`
	Version string    `json:"version,omitempty"`
	PID     int       `json:"pid,omitempty"`
	Runs    int       `json:"running_runs"` // at most api.MaxLimit are counted
	Asks    int       `json:"waiting_asks"`
	Log     string    `json:"log,omitempty"` // of a server in the background
	Wrong   string    `json:"settings,omitempty"`
	Restart []string  `json:"restart,omitempty"`
	Check   string    `json:"check,omitempty"`
}

func runServeStatus(ctx context.Context, c *call) error {
	a, p, health, err := c.dialServer(ctx)
	if err != nil {
		return err
	}
	if a == nil {
		if c.json {
			if err := c.printJSON(serverState{Data: p.Folder}); err != nil {
				return err
			}
		}
		return errWrong
	}
	runs, err := inProgress(ctx, a)
	if err != nil {
		return err
	}
	asks, err := a.Asks(ctx, api.AskQuery{State: rein.AskPending})
	if err != nil {
		return err
	}
	state := serverState{
		Running: true, Data: p.Folder, URL: health.URL, Since: health.Started, Version: health.Version, PID: health.PID, Runs: len(runs), Asks: len(asks),
		Log: serveLog(p, health), Wrong: health.Settings, Restart: health.Restart, Check: health.Check,
	}
	if c.json {
		return c.printJSON(state)
	}
	c.printServer(state)
	return nil
}

func (c *call) printServer(s serverState) {
	c.print("address  %s\n", safe(s.URL))
	c.print("since    %s\n", units.When(s.Since))
	c.print("version  %s\n", safe(s.Version))
	c.print("process  %d\n", s.PID)
	c.print("runs     %d running\n", s.Runs)
	c.print("asks     %d waiting for a person", s.Asks)
	if s.Asks > 0 {
		c.print("; %s lists them", c.tip("asks"))
	}
	c.print("\ndata     %s\n", safe(s.Data))
	if s.Log != "" {
		c.print("log      %s\n", safe(s.Log))
	}
	if s.Wrong != "" {
		c.print("settings the newest are wrong, and those before apply: %s\n", safe(s.Wrong))
	}
	for _, key := range s.Restart {
		c.print("restart  %s applies after a restart\n", safe(key))
	}
	if s.Check != "" {
		c.print("check    %s\n", safe(s.Check))
	}
}

// serveLog is the log of a server that writes it to a file: one that was started in the background.
func serveLog(p app.Place, health api.Health) string {
	info, err := os.Stat(p.ServeLogPath())
	if err != nil || info.ModTime().Before(health.Started) {
		return ""
	}
	return p.ServeLogPath()
}

// inProgress are the runs that do something now; those that wait are not among them.
func inProgress(ctx context.Context, a *app.App) ([]api.Run, error) {
	page, err := a.Runs(ctx, api.RunQuery{Status: string(rein.StatusRunning), Roots: true, Newest: true, Limit: api.MaxLimit})
	return page.Runs, err
}

// dialServer connects to the server of the data folder. If none runs, it says so and returns nil.
func (c *call) dialServer(ctx context.Context) (*app.App, app.Place, api.Health, error) {
	a, p, err := c.dialOwner(ctx)
	if err != nil {
		return nil, p, api.Health{}, err
	}
	if a == nil {
		switch {
		case c.json:
		case p.LeftSocket():
			c.print("the process before did not shut down properly; its runs are kept, and %s continues them\n", c.tip("serve --detach"))
		default:
			c.print("no server runs; %s starts one\n", c.tip("serve --detach"))
		}
		return nil, p, api.Health{}, nil
	}
	health, err := a.Health(ctx)
	if err == nil && health.URL == "" {
		if !c.json {
			c.print("no server runs: process %d has %s open, and is not one (%s shows it)\n", health.PID, safe(p.Folder), c.tip("owner"))
		}
		return nil, p, health, nil
	}
	return a, p, health, err
}
