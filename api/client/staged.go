package client

import (
	"context"
	"net/http"
	"net/url"

	"rein/api"
)

// StagedNotes lists your changes of notes that wait to be committed: those of a workspace, or all if it is
// empty.
func (c *Client) StagedNotes(ctx context.Context, workspace string) ([]api.StagedSession, error) {
	query := values{}
	query.set("workspace", workspace)
	var page api.StagedNotes
	err := c.do(ctx, http.MethodGet, "/v1/notes/staged", query, nil, &page)
	return page.Sessions, err
}

// StagedIn tells all that a session has staged, with its diff.
func (c *Client) StagedIn(ctx context.Context, session string) (staged api.StagedSession, err error) {
	return staged, c.do(ctx, http.MethodGet, stagedPath(session), nil, nil, &staged)
}

// CommitNotes writes what a session has staged, if it is what was shown. The same key again is the same
// commit.
func (c *Client) CommitNotes(ctx context.Context, session, shown, key string) (done api.NoteCommit, err error) {
	return done, c.do(ctx, http.MethodPost, stagedPath(session)+"/commit", nil, api.Agreed{Shown: shown, Key: key}, &done)
}

// DiscardNotes takes notes off the stage of a session, all if none is named.
func (c *Client) DiscardNotes(ctx context.Context, session string, paths []string) ([]string, error) {
	var gone api.Discarded
	err := c.do(ctx, http.MethodPost, stagedPath(session)+"/discard", nil, api.Discard{Paths: paths}, &gone)
	return gone.Discarded, err
}

func stagedPath(session string) string { return "/v1/notes/staged/" + url.PathEscape(session) }

// NoteCommits lists what you committed to the notes of a workspace, the newest first.
func (c *Client) NoteCommits(ctx context.Context, workspace, before string) (page api.NoteCommits, err error) {
	query := values{}
	query.set("workspace", workspace)
	query.set("before", before)
	return page, c.do(ctx, http.MethodGet, "/v1/notes/commits", query, nil, &page)
}

// NoteCommit tells one commit, what it changed, and what taking it back would change.
func (c *Client) NoteCommit(ctx context.Context, workspace, id string) (found api.NoteCommit, err error) {
	query := values{}
	query.set("workspace", workspace)
	return found, c.do(ctx, http.MethodGet, commitPath(id), query, nil, &found)
}

// UndoNotes takes a commit back, if that is what was shown. The same key again is the same undo.
func (c *Client) UndoNotes(ctx context.Context, workspace, id, shown, key string) (done api.NoteCommit, err error) {
	query := values{}
	query.set("workspace", workspace)
	return done, c.do(ctx, http.MethodPost, commitPath(id)+"/undo", query, api.Agreed{Shown: shown, Key: key}, &done)
}

func commitPath(id string) string { return "/v1/notes/commits/" + url.PathEscape(id) }
