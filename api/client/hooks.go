package client

import (
	"context"
	"net/http"
	"net/url"

	"rein/api"
)

// Hooks returns your webhooks, the oldest first.
func (c *Client) Hooks(ctx context.Context) ([]api.Hook, error) {
	var list api.Hooks
	err := c.do(ctx, http.MethodGet, "/v1/hooks", nil, nil, &list)
	return list.Hooks, err
}

// AddHook makes a webhook, and returns it with its secret.
func (c *Client) AddHook(ctx context.Context, h api.NewHook) (made api.MadeHook, err error) {
	return made, c.do(ctx, http.MethodPost, "/v1/hooks", nil, h, &made)
}

// RemoveHook removes a webhook. Nothing is sent or taken there any more.
func (c *Client) RemoveHook(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodDelete, "/v1/hooks/"+url.PathEscape(id), nil, nil, nil)
}
