package client

import (
	"context"
	"net/http"
	"net/url"

	"rein"
	"rein/api"
)

// Me says who the sender is there, and in which currency amounts of money are.
func (c *Client) Me(ctx context.Context) (me api.Me, err error) {
	return me, c.do(ctx, http.MethodGet, "/v1/me", nil, nil, &me)
}

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

// LoginLink creates a link that logs the user in to a browser, once.
func (c *Client) LoginLink(ctx context.Context, name string) (link api.LoginLink, err error) {
	return link, c.do(ctx, http.MethodPost, userPath(name)+"/link", nil, nil, &link)
}

// Tokens lists tokens, without their secrets.
func (c *Client) Tokens(ctx context.Context) ([]rein.Token, error) {
	var list api.Tokens
	err := c.do(ctx, http.MethodGet, "/v1/tokens", nil, nil, &list)
	return list.Tokens, err
}

// NewToken creates a token.
func (c *Client) NewToken(ctx context.Context, want api.NewToken) (made api.MadeToken, err error) {
	return made, c.do(ctx, http.MethodPost, "/v1/tokens", nil, want, &made)
}

// RevokeToken revokes a token at once.
func (c *Client) RevokeToken(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodDelete, "/v1/tokens/"+url.PathEscape(id), nil, nil, nil)
}

func userPath(name string) string { return "/v1/users/" + url.PathEscape(name) }
