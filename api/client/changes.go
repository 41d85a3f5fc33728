package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"rein/api"
)

// Changes lists what runs of yours changed in files and notes, the newest first.
func (c *Client) Changes(ctx context.Context, q api.ChangeQuery) ([]api.FileChange, error) {
	query, path := values{}, "/v1/undoable"
	if q.Run != "" {
		path = "/v1/runs/" + url.PathEscape(string(q.Run)) + "/changes"
	} else {
		query.set("session", q.Session)
		query.set("workspace", q.Workspace)
	}
	if q.Limit > 0 {
		query.set("limit", strconv.Itoa(q.Limit))
	}
	var page api.FileChanges
	err := c.do(ctx, http.MethodGet, path, query, nil, &page)
	return page.Changes, err
}
