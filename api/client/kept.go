package client

import (
	"context"
	"encoding/json"
	"net/http"

	"rein"
	"rein/api"
)

// Page returns the object that the web page keeps for you.
func (c *Client) Page(ctx context.Context) (page api.Page, err error) {
	return page, c.do(ctx, http.MethodGet, "/v1/me/page", nil, nil, &page)
}

// KeepPage replaces the object that the web page keeps for you.
func (c *Client) KeepPage(ctx context.Context, object json.RawMessage) (page api.Page, err error) {
	return page, c.do(ctx, http.MethodPut, "/v1/me/page", nil, api.NewPage{Page: object}, &page)
}

// Feedback returns what people think of a run.
func (c *Client) Feedback(ctx context.Context, run rein.RunID) ([]api.Feedback, error) {
	var list api.FeedbackList
	err := c.do(ctx, http.MethodGet, runPath(run)+"/feedback", nil, nil, &list)
	return list.Feedback, err
}

// GiveFeedback says what you think of a run, and returns what everybody thinks.
func (c *Client) GiveFeedback(ctx context.Context, run rein.RunID, want api.NewFeedback) ([]api.Feedback, error) {
	var list api.FeedbackList
	err := c.do(ctx, http.MethodPut, runPath(run)+"/feedback", nil, want, &list)
	return list.Feedback, err
}
