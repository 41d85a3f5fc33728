package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"rein"
	"rein/api"
)

// Say brings a message to a session: it steers the run that is under way there, or starts one.
func (c *Client) Say(ctx context.Context, session string, m api.NewMessage) (receipt rein.Receipt, err error) {
	return receipt, c.do(ctx, http.MethodPost, sessionPath(session)+"/messages", nil, m, &receipt)
}

// Session returns a session.
func (c *Client) Session(ctx context.Context, id string) (session api.Session, err error) {
	return session, c.do(ctx, http.MethodGet, sessionPath(id), nil, nil, &session)
}

// Sessions returns one page of sessions, newest first, after the one that is named.
func (c *Client) Sessions(ctx context.Context, after string) (page api.Sessions, err error) {
	query := values{}
	query.set("after", after)
	return page, c.do(ctx, http.MethodGet, "/v1/sessions", query, nil, &page)
}

// Answer closes an ask.
func (c *Client) Answer(ctx context.Context, ask rein.AskID, answer api.Answer) (receipt rein.Receipt, err error) {
	return receipt, c.do(ctx, http.MethodPost, "/v1/asks/"+url.PathEscape(string(ask))+"/answer", nil, answer, &receipt)
}

// Flows lists the ways of working.
func (c *Client) Flows(ctx context.Context) ([]api.Flow, error) {
	var list api.Flows
	err := c.do(ctx, http.MethodGet, "/v1/flows", nil, nil, &list)
	return list.Flows, err
}

// Presets lists the tasks that were prepared.
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

// Usage sums up what runs have used: by day, session, user or flow.
func (c *Client) Usage(ctx context.Context, by string) (usage api.Usage, err error) {
	query := values{}
	query.set("by", by)
	return usage, c.do(ctx, http.MethodGet, "/v1/usage", query, nil, &usage)
}

// Audit returns one page of who did what, newest first; before is the next of the page before, or 0.
func (c *Client) Audit(ctx context.Context, tree rein.RunID, before int64) (page api.Acts, err error) {
	query := values{}
	query.set("tree", string(tree))
	if before > 0 {
		query.set("before", strconv.FormatInt(before, 10))
	}
	return page, c.do(ctx, http.MethodGet, "/v1/audit", query, nil, &page)
}

func sessionPath(id string) string { return "/v1/sessions/" + url.PathEscape(id) }
