package client

import (
	"context"
	"net/http"

	"rein/api"
)

// Flows lists the flows.
func (c *Client) Flows(ctx context.Context) ([]api.Flow, error) {
	var list api.Flows
	err := c.do(ctx, http.MethodGet, "/v1/flows", nil, nil, &list)
	return list.Flows, err
}

// Presets lists the prepared tasks.
func (c *Client) Presets(ctx context.Context) ([]api.Preset, error) {
	var list api.Presets
	err := c.do(ctx, http.MethodGet, "/v1/presets", nil, nil, &list)
	return list.Presets, err
}

// Tools lists the tools.
func (c *Client) Tools(ctx context.Context) ([]api.Tool, error) {
	var list api.Tools
	err := c.do(ctx, http.MethodGet, "/v1/tools", nil, nil, &list)
	return list.Tools, err
}

// Models lists the models.
func (c *Client) Models(ctx context.Context) ([]api.Model, error) {
	var list api.Models
	err := c.do(ctx, http.MethodGet, "/v1/models", nil, nil, &list)
	return list.Models, err
}
