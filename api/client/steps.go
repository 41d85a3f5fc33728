package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"rein"
	"rein/api"
)

// Steps returns one page of the steps of a run, after the step with this key. A limit of 0 takes the server's.
func (c *Client) Steps(ctx context.Context, run rein.RunID, after rein.StepKey, limit int) (page api.Steps, err error) {
	query := values{}
	query.set("after", string(after))
	if limit > 0 {
		query.set("limit", strconv.Itoa(limit))
	}
	return page, c.do(ctx, http.MethodGet, runPath(run)+"/steps", query, nil, &page)
}

// Step returns a step of a run with its texts.
func (c *Client) Step(ctx context.Context, run rein.RunID, key rein.StepKey) (step api.StepDetail, err error) {
	return step, c.do(ctx, http.MethodGet, runPath(run)+"/steps/"+url.PathEscape(string(key)), nil, nil, &step)
}
