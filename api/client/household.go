package client

import (
	"context"
	"net/http"
	"net/url"

	"rein"
	"rein/api"
)

// Household returns your household, with what its roles may do.
func (c *Client) Household(ctx context.Context) (found api.Household, err error) {
	return found, c.do(ctx, http.MethodGet, "/v1/household", nil, nil, &found)
}

// Households lists all households of the server. It needs whoever can open the data folder.
func (c *Client) Households(ctx context.Context) ([]rein.HouseholdInfo, error) {
	var list api.Households
	err := c.do(ctx, http.MethodGet, "/v1/households", nil, nil, &list)
	return list.Households, err
}

// AddHousehold makes a household with its first owner, and a link that logs the owner in.
func (c *Client) AddHousehold(ctx context.Context, name, owner string) (made api.MadeHousehold, err error) {
	return made, c.do(ctx, http.MethodPost, "/v1/households", nil, api.NewHousehold{Name: name, Owner: owner}, &made)
}

// HouseholdLink creates a link that logs a user of any household in to a browser, once.
func (c *Client) HouseholdLink(ctx context.Context, household, user string) (link api.LoginLink, err error) {
	return link, c.do(ctx, http.MethodPost, "/v1/households/"+url.PathEscape(household)+"/users/"+url.PathEscape(user)+"/link", nil, nil, &link)
}

// Invite creates a link with which one person joins your household.
func (c *Client) Invite(ctx context.Context, want api.NewInvite) (made api.MadeInvite, err error) {
	return made, c.do(ctx, http.MethodPost, "/v1/invites", nil, want, &made)
}

// Invites lists the invitations of your household.
func (c *Client) Invites(ctx context.Context) ([]rein.Invite, error) {
	var list api.Invites
	err := c.do(ctx, http.MethodGet, "/v1/invites", nil, nil, &list)
	return list.Invites, err
}

// RevokeInvite ends an invitation that waits.
func (c *Client) RevokeInvite(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodDelete, "/v1/invites/"+url.PathEscape(id), nil, nil, nil)
}

// Pair creates a code that logs a device in, once. An empty user is you.
func (c *Client) Pair(ctx context.Context, user string) (made api.MadePairing, err error) {
	return made, c.do(ctx, http.MethodPost, "/v1/pairings", nil, api.NewPairing{User: user}, &made)
}

// Devices lists the browsers that are logged in. An empty user is you.
func (c *Client) Devices(ctx context.Context, user string) ([]rein.Device, error) {
	var list api.Devices
	query := values{}
	query.set("user", user)
	err := c.do(ctx, http.MethodGet, "/v1/devices", query, nil, &list)
	return list.Devices, err
}

// RevokeDevice logs a browser out.
func (c *Client) RevokeDevice(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodDelete, "/v1/devices/"+url.PathEscape(id), nil, nil, nil)
}
