package client

import (
	"context"
	"net/http"
	"net/url"

	"rein/api"
)

// BackgroundCommands lists the commands that run in the background, the oldest first: your own, or those of the household
// if you are an admin.
func (c *Client) BackgroundCommands(ctx context.Context) ([]api.BackgroundCommand, error) {
	var list api.BackgroundCommands
	err := c.do(ctx, http.MethodGet, "/v1/background", nil, nil, &list)
	return list.Commands, err
}

// StopCommand ends a command that runs in the background, with everything that it started.
func (c *Client) StopCommand(ctx context.Context, id string) (ended api.BackgroundCommand, err error) {
	return ended, c.do(ctx, http.MethodDelete, "/v1/background/"+url.PathEscape(id), nil, nil, &ended)
}
