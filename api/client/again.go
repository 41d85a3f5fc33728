package client

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
)

// Fork starts a run that repeats another one up to a step, and then goes its own way without effects.
func (c *Client) Fork(ctx context.Context, run rein.RunID, f api.NewFork) (started api.Started, err error) {
	return started, c.do(ctx, http.MethodPost, runPath(run)+"/forks", nil, f, &started)
}

// Replay plays a run again without effects, and compares.
func (c *Client) Replay(ctx context.Context, run rein.RunID) (report api.Replayed, err error) {
	return report, c.do(ctx, http.MethodPost, runPath(run)+"/replay", nil, nil, &report)
}
