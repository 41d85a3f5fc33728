package client

import (
	"context"
	"net/http"

	"rein/api"
)

// PlanErasure lists what erasing a run, a session or a user would remove. The Shown of what is wanted is not
// looked at.
func (c *Client) PlanErasure(ctx context.Context, of api.NewErasure) (plan api.Erasure, err error) {
	query := values{}
	query.set("run", string(of.Run))
	query.set("session", of.Session)
	query.set("user", of.User)
	return plan, c.do(ctx, http.MethodGet, "/v1/erasures", query, nil, &plan)
}

// Erase erases what PlanErasure listed. It must repeat the Shown of that list.
func (c *Client) Erase(ctx context.Context, of api.NewErasure) (done api.Erasure, err error) {
	return done, c.do(ctx, http.MethodPost, "/v1/erasures", nil, of, &done)
}
