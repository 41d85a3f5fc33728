package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"rein/api"
)

// Messages returns your messages, the newest first.
func (c *Client) Messages(ctx context.Context, q api.MessageQuery) (list api.Messages, err error) {
	query := values{}
	if q.Unread {
		query.set("unread", "true")
	}
	query.set("before", q.Before)
	if q.Limit > 0 {
		query.set("limit", strconv.Itoa(q.Limit))
	}
	return list, c.do(ctx, http.MethodGet, "/v1/messages", query, nil, &list)
}

// SeeMessages marks messages as read: those that are named, or all.
func (c *Client) SeeMessages(ctx context.Context, ids ...string) error {
	return c.do(ctx, http.MethodPost, "/v1/messages/seen", nil, api.SeenMessages{IDs: ids}, nil)
}

// MessagePreferences returns how you want your messages.
func (c *Client) MessagePreferences(ctx context.Context) (p api.MessagePreferences, err error) {
	return p, c.do(ctx, http.MethodGet, "/v1/messages/preferences", nil, nil, &p)
}

// SetMessagePreferences sets how you want your messages.
func (c *Client) SetMessagePreferences(ctx context.Context, p api.MessagePreferences) (set api.MessagePreferences, err error) {
	return set, c.do(ctx, http.MethodPut, "/v1/messages/preferences", nil, p, &set)
}

// Channels returns where you get messages outside of rein.
func (c *Client) Channels(ctx context.Context) ([]api.Channel, error) {
	var list api.Channels
	err := c.do(ctx, http.MethodGet, "/v1/channels", nil, nil, &list)
	return list.Channels, err
}

// AddChannel adds an address of mail, where a code is sent.
func (c *Client) AddChannel(ctx context.Context, n api.NewChannel) (added api.Channel, err error) {
	return added, c.do(ctx, http.MethodPost, "/v1/channels", nil, n, &added)
}

// ChangeChannel chooses which kinds of messages do not go to a channel.
func (c *Client) ChangeChannel(ctx context.Context, id string, change api.ChannelChange) (changed api.Channel, err error) {
	return changed, c.do(ctx, http.MethodPatch, channelPath(id, ""), nil, change, &changed)
}

// RemoveChannel removes a channel.
func (c *Client) RemoveChannel(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodDelete, channelPath(id, ""), nil, nil, nil)
}

// SendChannelCode sends another code to an address of mail.
func (c *Client) SendChannelCode(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodPost, channelPath(id, "/code"), nil, nil, nil)
}

// VerifyChannel repeats the code that was sent to a channel.
func (c *Client) VerifyChannel(ctx context.Context, id, code string) (verified api.Channel, err error) {
	return verified, c.do(ctx, http.MethodPost, channelPath(id, "/verify"), nil, api.ChannelCode{Code: code}, &verified)
}

// TestChannel sends a test message to a channel.
func (c *Client) TestChannel(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodPost, channelPath(id, "/test"), nil, nil, nil)
}

// PushKey returns the key with which a browser subscribes to web push.
func (c *Client) PushKey(ctx context.Context) (string, error) {
	var key api.PushKey
	err := c.do(ctx, http.MethodGet, "/v1/push/key", nil, nil, &key)
	return key.Key, err
}

// SubscribePush lets a browser be notified.
func (c *Client) SubscribePush(ctx context.Context, n api.NewPushSubscription) (added api.Channel, err error) {
	return added, c.do(ctx, http.MethodPost, "/v1/push/subscriptions", nil, n, &added)
}

func channelPath(id, of string) string { return "/v1/channels/" + url.PathEscape(id) + of }
