package client

import (
	"context"
	"net/http"
	"net/url"

	"rein"
	"rein/api"
)

// Say sends a message to a session: it steers the active run, or starts one.
func (c *Client) Say(ctx context.Context, session string, m api.NewMessage) (receipt rein.Receipt, err error) {
	return receipt, c.do(ctx, http.MethodPost, sessionPath(session)+"/messages", nil, m, &receipt)
}

// Session returns a session.
func (c *Client) Session(ctx context.Context, id string) (session api.Session, err error) {
	return session, c.do(ctx, http.MethodGet, sessionPath(id), nil, nil, &session)
}

// Sessions returns one page of sessions, newest first, after the session with this ID.
func (c *Client) Sessions(ctx context.Context, after string) (page api.Sessions, err error) {
	query := values{}
	query.set("after", after)
	return page, c.do(ctx, http.MethodGet, "/v1/sessions", query, nil, &page)
}

// Answer closes an ask. The answer must repeat the Shown of the ask that was read.
func (c *Client) Answer(ctx context.Context, ask rein.AskID, answer api.Answer) (receipt rein.Receipt, err error) {
	return receipt, c.do(ctx, http.MethodPost, "/v1/asks/"+url.PathEscape(string(ask))+"/answer", nil, answer, &receipt)
}

func sessionPath(id string) string { return "/v1/sessions/" + url.PathEscape(id) }
