package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

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

// SessionFilter narrows a list of sessions. Zero fields do not.
type SessionFilter struct {
	Text     string // in a title, or typed by a person
	User     string
	Archived bool // those that are archived, instead of those that are not
	After    string
	Limit    int // zero takes api.DefaultLimit; at most api.MaxLimit
}

// Sessions returns one page of sessions that are not archived, pinned and recent ones first, after the session with this
// ID.
func (c *Client) Sessions(ctx context.Context, after string) (page api.Sessions, err error) {
	return c.FindSessions(ctx, SessionFilter{After: after})
}

// ChangeSession changes the title of a session, or whether it is pinned or archived.
func (c *Client) ChangeSession(ctx context.Context, id string, change api.ChangedSession) (session api.Session, err error) {
	return session, c.do(ctx, http.MethodPatch, sessionPath(id), nil, change, &session)
}

// FindSessions returns one page of the sessions that a filter selects.
func (c *Client) FindSessions(ctx context.Context, f SessionFilter) (page api.Sessions, err error) {
	query := values{}
	query.set("after", f.After)
	query.set("q", f.Text)
	query.set("user", f.User)
	if f.Archived {
		query.set("archived", "1")
	}
	if f.Limit != 0 {
		query.set("limit", strconv.Itoa(f.Limit))
	}
	return page, c.do(ctx, http.MethodGet, "/v1/sessions", query, nil, &page)
}

// Answer closes an ask. The answer must repeat the Shown of the ask that was read.
func (c *Client) Answer(ctx context.Context, ask rein.AskID, answer api.Answer) (receipt rein.Receipt, err error) {
	return receipt, c.do(ctx, http.MethodPost, "/v1/asks/"+url.PathEscape(string(ask))+"/answer", nil, answer, &receipt)
}

func sessionPath(id string) string { return "/v1/sessions/" + url.PathEscape(id) }

// BranchSession starts a session that has what another has before one of its runs, with a run for the edited message. Its
// answer says how the run started.
func (c *Client) BranchSession(ctx context.Context, id string, b api.NewBranch) (started api.Started, err error) {
	return started, c.do(ctx, http.MethodPost, sessionPath(id)+"/branches", nil, b, &started)
}

// Branches lists the runs of a conversation beside which there are branches.
func (c *Client) Branches(ctx context.Context, id string) (list api.Branches, err error) {
	return list, c.do(ctx, http.MethodGet, sessionPath(id)+"/branches", nil, nil, &list)
}

// SessionHistory returns one page of the root runs of a conversation, those that the session inherits included: the
// oldest first, after the run of this ID.
func (c *Client) SessionHistory(ctx context.Context, id string, after rein.RunID) (page api.Runs, err error) {
	query := values{}
	query.set("after", string(after))
	return page, c.do(ctx, http.MethodGet, sessionPath(id)+"/history", query, nil, &page)
}
