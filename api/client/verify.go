package client

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
)

// Verify checks that what is kept of a run is what was written.
func (c *Client) Verify(ctx context.Context, run rein.RunID) (api.Verdict, error) {
	var page api.Verdicts
	if err := c.do(ctx, http.MethodGet, runPath(run)+"/verify", nil, nil, &page); err != nil || len(page.Verdicts) == 0 {
		return api.Verdict{}, err
	}
	return page.Verdicts[0], nil
}

// VerifyTree checks one page of a run and everything below it, after the run with this ID.
func (c *Client) VerifyTree(ctx context.Context, run, after rein.RunID) (page api.Verdicts, err error) {
	query := values{}
	query.set("tree", "1")
	query.set("after", string(after))
	return page, c.do(ctx, http.MethodGet, runPath(run)+"/verify", query, nil, &page)
}
