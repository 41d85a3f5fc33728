package client

import (
	"context"
	"net/http"
	"strconv"

	"rein"
	"rein/api"
)

// Usage returns what runs have used, grouped by day, session, user or flow. Of sessions it gets all pages.
func (c *Client) Usage(ctx context.Context, by, zone string) (usage api.Usage, err error) {
	for after := ""; ; {
		query := values{}
		query.set("zone", zone)
		query.set("by", by)
		query.set("after", after)
		var page api.Usage
		err := c.do(ctx, http.MethodGet, "/v1/usage", query, nil, &page)
		page.Sums = append(usage.Sums, page.Sums...)
		if usage = page; err != nil || page.Next == "" {
			return usage, err
		}
		after = page.Next
	}
}

// Limits returns the caller's limits and what is used of them; for an admin, those of the household and each
// user.
func (c *Client) Limits(ctx context.Context) (limits api.Limits, err error) {
	return limits, c.do(ctx, http.MethodGet, "/v1/limits", nil, nil, &limits)
}

// Audit returns one page of who did what, newest first; before is the Next of the previous page, or 0.
func (c *Client) Audit(ctx context.Context, tree rein.RunID, before int64) (page api.Acts, err error) {
	query := values{}
	query.set("tree", string(tree))
	if before > 0 {
		query.set("before", strconv.FormatInt(before, 10))
	}
	return page, c.do(ctx, http.MethodGet, "/v1/audit", query, nil, &page)
}

// LastHead returns the newest checkpoint; CodeNotFound if there is none.
func (c *Client) LastHead(ctx context.Context) (last api.Checkpoint, err error) {
	return last, c.do(ctx, http.MethodGet, "/v1/audit/head", nil, nil, &last)
}

// NewHead creates a checkpoint.
func (c *Client) NewHead(ctx context.Context) (made api.Checkpoint, err error) {
	return made, c.do(ctx, http.MethodPost, "/v1/audit/head", nil, nil, &made)
}
