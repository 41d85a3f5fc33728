package client

import (
	"context"
	"net/http"
	"net/url"

	"rein/api"
)

// StagedNotes lists your staged changes to notes: those of a workspace, or all if it is empty.
func (c *Client) StagedNotes(ctx context.Context, workspace string) ([]api.StagedSession, error) {
	query := values{}
	query.set("workspace", workspace)
	var page api.StagedNotes
	err := c.do(ctx, http.MethodGet, "/v1/notes/staged", query, nil, &page)
	return page.Sessions, err
}

// StagedIn returns what a session has staged, with its diff.
func (c *Client) StagedIn(ctx context.Context, session string) (staged api.StagedSession, err error) {
	return staged, c.do(ctx, http.MethodGet, stagedPath(session), nil, nil, &staged)
}

// CommitNotes commits what a session has staged, if it is what was shown. Repeating the key does not commit
// twice.
func (c *Client) CommitNotes(ctx context.Context, session, shown, key string) (done api.NoteCommit, err error) {
	return done, c.do(ctx, http.MethodPost, stagedPath(session)+"/commit", nil, api.Agreed{Shown: shown, Key: key}, &done)
}

// DiscardNotes discards staged changes of a session: those to the notes that you name, or all.
func (c *Client) DiscardNotes(ctx context.Context, session string, paths []string) ([]string, error) {
	var gone api.Discarded
	err := c.do(ctx, http.MethodPost, stagedPath(session)+"/discard", nil, api.Discard{Paths: paths}, &gone)
	return gone.Discarded, err
}

func stagedPath(session string) string { return "/v1/notes/staged/" + url.PathEscape(session) }

// NoteCommits lists your commits to the notes of a workspace, newest first.
func (c *Client) NoteCommits(ctx context.Context, workspace, before string) (page api.NoteCommits, err error) {
	query := values{}
	query.set("workspace", workspace)
	query.set("before", before)
	return page, c.do(ctx, http.MethodGet, "/v1/notes/commits", query, nil, &page)
}

// NoteCommit returns a commit: what it changed, and what an undo would change.
func (c *Client) NoteCommit(ctx context.Context, workspace, id string) (found api.NoteCommit, err error) {
	query := values{}
	query.set("workspace", workspace)
	return found, c.do(ctx, http.MethodGet, commitPath(id), query, nil, &found)
}

// UndoNotes undoes a commit, if it is what was shown. Repeating the key does not undo twice.
func (c *Client) UndoNotes(ctx context.Context, workspace, id, shown, key string) (done api.NoteCommit, err error) {
	query := values{}
	query.set("workspace", workspace)
	return done, c.do(ctx, http.MethodPost, commitPath(id)+"/undo", query, api.Agreed{Shown: shown, Key: key}, &done)
}

func commitPath(id string) string { return "/v1/notes/commits/" + url.PathEscape(id) }
