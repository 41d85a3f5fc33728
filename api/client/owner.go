package client

import (
	"context"
	"net/http"

	"rein/api"
)

// Owner asks a background owner about itself. CodeNotFound means that the process is not one: it is a
// server, or the command of a terminal.
func (c *Client) Owner(ctx context.Context) (o api.Owner, err error) {
	return o, c.do(ctx, http.MethodGet, "/owner", nil, nil, &o)
}

// Quit asks a server to shut down, and returns what it was. CodeNotFound means that the process is not one.
func (c *Client) Quit(ctx context.Context, q api.Quit) (health api.Health, err error) {
	return health, c.do(ctx, http.MethodPost, "/serve/quit", nil, q, &health)
}

// Dismiss asks a background owner to end, and returns whether it does.
func (c *Client) Dismiss(ctx context.Context, d api.Dismissal) (o api.Owner, err error) {
	return o, c.do(ctx, http.MethodPost, "/owner/dismiss", nil, d, &o)
}
