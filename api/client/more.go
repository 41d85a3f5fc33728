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

// Answer closes an ask. The answer repeats the Shown of the ask that its sender has read.
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

// Limits returns what the caller uses of what they may, or what everyone of a household does that they
// manage.
func (c *Client) Limits(ctx context.Context) (limits api.Limits, err error) {
	return limits, c.do(ctx, http.MethodGet, "/v1/limits", nil, nil, &limits)
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

// LastHead returns the newest checkpoint; CodeNotFound if there is none.
func (c *Client) LastHead(ctx context.Context) (last api.Checkpoint, err error) {
	return last, c.do(ctx, http.MethodGet, "/v1/audit/head", nil, nil, &last)
}

// NewHead makes a checkpoint.
func (c *Client) NewHead(ctx context.Context) (made api.Checkpoint, err error) {
	return made, c.do(ctx, http.MethodPost, "/v1/audit/head", nil, nil, &made)
}

func sessionPath(id string) string { return "/v1/sessions/" + url.PathEscape(id) }

// Users lists the users of the household.
func (c *Client) Users(ctx context.Context) ([]rein.UserInfo, error) {
	var list api.Users
	err := c.do(ctx, http.MethodGet, "/v1/users", nil, nil, &list)
	return list.Users, err
}

// AddUser adds a user to the household.
func (c *Client) AddUser(ctx context.Context, name string, role rein.UserRole) (user rein.UserInfo, err error) {
	return user, c.do(ctx, http.MethodPost, "/v1/users", nil, api.NewUser{Name: name, Role: role}, &user)
}

// ChangeUser changes a user's role, or disables or enables them.
func (c *Client) ChangeUser(ctx context.Context, name string, change api.ChangedUser) (user rein.UserInfo, err error) {
	return user, c.do(ctx, http.MethodPatch, userPath(name), nil, change, &user)
}

// LoginLink makes a link that logs a browser of the user in, once.
func (c *Client) LoginLink(ctx context.Context, name string) (link api.LoginLink, err error) {
	return link, c.do(ctx, http.MethodPost, userPath(name)+"/link", nil, nil, &link)
}

// Tokens lists tokens, without their secrets.
func (c *Client) Tokens(ctx context.Context) ([]rein.Token, error) {
	var list api.Tokens
	err := c.do(ctx, http.MethodGet, "/v1/tokens", nil, nil, &list)
	return list.Tokens, err
}

// NewToken makes a token.
func (c *Client) NewToken(ctx context.Context, want api.NewToken) (made api.MadeToken, err error) {
	return made, c.do(ctx, http.MethodPost, "/v1/tokens", nil, want, &made)
}

// RevokeToken revokes a token at once.
func (c *Client) RevokeToken(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodDelete, "/v1/tokens/"+url.PathEscape(id), nil, nil, nil)
}

func userPath(name string) string { return "/v1/users/" + url.PathEscape(name) }
