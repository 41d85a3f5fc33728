package client

import (
	"context"
	"net/http"
	"net/url"

	"rein"

	"rein/api"
)

// Workspaces lists the workspaces that a task may name.
func (c *Client) Workspaces(ctx context.Context) ([]rein.Workspace, error) {
	var list api.Workspaces
	err := c.do(ctx, http.MethodGet, "/v1/workspaces", nil, nil, &list)
	return list.Workspaces, err
}

// AddWorkspace adds a workspace. Adding the same again changes nothing.
func (c *Client) AddWorkspace(ctx context.Context, w api.NewWorkspace) (added rein.Workspace, err error) {
	return added, c.do(ctx, http.MethodPost, "/v1/workspaces", nil, w, &added)
}

// RemoveWorkspace forgets a workspace that was added.
func (c *Client) RemoveWorkspace(ctx context.Context, name string) error {
	return c.do(ctx, http.MethodDelete, "/v1/workspaces/"+url.PathEscape(name), nil, nil, nil)
}
