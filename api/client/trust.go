package client

import (
	"context"
	"net/http"
	"net/url"

	"rein/api"
)

// Trust returns what the folder of a workspace brings, and whether somebody trusts it. folder is where in the workspace
// somebody works; empty: in its root.
func (c *Client) Trust(ctx context.Context, workspace, folder string) (trust api.Trust, err error) {
	query := values{}
	query.set("folder", folder)
	return trust, c.do(ctx, http.MethodGet, "/v1/workspaces/"+url.PathEscape(workspace)+"/trust", query, nil, &trust)
}

// DecideTrust trusts what the folder of a workspace brings, or declines to. It works on the unix socket only.
func (c *Client) DecideTrust(ctx context.Context, workspace string, d api.NewTrust) (trust api.Trust, err error) {
	return trust, c.do(ctx, http.MethodPost, "/v1/workspaces/"+url.PathEscape(workspace)+"/trust", nil, d, &trust)
}

// TrustedFolders lists the folders that somebody trusts.
func (c *Client) TrustedFolders(ctx context.Context) ([]api.TrustedFolder, error) {
	var list api.TrustedFolders
	err := c.do(ctx, http.MethodGet, "/v1/trust", nil, nil, &list)
	return list.Folders, err
}

// RevokeTrust ends the trust in a folder.
func (c *Client) RevokeTrust(ctx context.Context, id string) (folder api.TrustedFolder, err error) {
	return folder, c.do(ctx, http.MethodDelete, "/v1/trust/"+url.PathEscape(id), nil, nil, &folder)
}

// Commands lists the commands that a task in a workspace can begin with.
func (c *Client) Commands(ctx context.Context, workspace, folder string) ([]api.SlashCommand, error) {
	query := values{}
	query.set("folder", folder)
	var list api.SlashCommands
	err := c.do(ctx, http.MethodGet, "/v1/workspaces/"+url.PathEscape(workspace)+"/commands", query, nil, &list)
	return list.Commands, err
}
