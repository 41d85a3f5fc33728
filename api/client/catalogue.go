package client

import (
	"context"
	"net/http"
	"net/url"

	"rein/api"
)

// Flows lists the flows.
func (c *Client) Flows(ctx context.Context) ([]api.Flow, error) {
	var list api.Flows
	err := c.do(ctx, http.MethodGet, "/v1/flows", nil, nil, &list)
	return list.Flows, err
}

// Defaults returns what a task gets that leaves it out, and what it can have at most.
func (c *Client) Defaults(ctx context.Context) (api.Defaults, error) {
	var list api.Flows
	err := c.do(ctx, http.MethodGet, "/v1/flows", nil, nil, &list)
	return list.Defaults, err
}

// Presets lists the prepared tasks.
func (c *Client) Presets(ctx context.Context) ([]api.Preset, error) {
	var list api.Presets
	err := c.do(ctx, http.MethodGet, "/v1/presets", nil, nil, &list)
	return list.Presets, err
}

// Preset returns a prepared task.
func (c *Client) Preset(ctx context.Context, name string) (p api.Preset, err error) {
	return p, c.do(ctx, http.MethodGet, presetPath(name), nil, nil, &p)
}

// SavePreset saves how a run works, or a task: for you or, if shared is set, for the household, which only admins may.
func (c *Client) SavePreset(ctx context.Context, name string, want api.NewPreset, shared bool) (saved api.Preset, err error) {
	return saved, c.do(ctx, http.MethodPut, presetPath(name), ofHousehold(shared), want, &saved)
}

// RemovePreset removes a preset that was saved.
func (c *Client) RemovePreset(ctx context.Context, name string, shared bool) error {
	return c.do(ctx, http.MethodDelete, presetPath(name), ofHousehold(shared), nil, nil)
}

func presetPath(name string) string { return "/v1/presets/" + url.PathEscape(name) }

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
