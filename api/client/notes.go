package client

import (
	"context"
	"net/http"
	"strconv"

	"rein/api"
)

// Notes returns the state of the vault of a workspace, and its files. An empty name is the default
// workspace.
func (c *Client) Notes(ctx context.Context, workspace string) (status api.NotesStatus, err error) {
	query := values{}
	query.set("workspace", workspace)
	return status, c.do(ctx, http.MethodGet, "/v1/notes", query, nil, &status)
}

// A NotesQuery is a search in the notes. Only Text is required.
type NotesQuery struct {
	Text, Folder, Tag string
	Workspace         string
	K                 int
	Explain           bool
	About             string // a note: explain where it ranks, or why it was not found
}

// SearchNotes searches the notes.
func (c *Client) SearchNotes(ctx context.Context, q NotesQuery) (found api.NotesFound, err error) {
	query := values{}
	query.set("q", q.Text)
	query.set("folder", q.Folder)
	query.set("tag", q.Tag)
	query.set("about", q.About)
	query.set("workspace", q.Workspace)
	if q.K != 0 {
		query.set("k", strconv.Itoa(q.K))
	}
	if q.Explain {
		query.set("explain", "1")
	}
	return found, c.do(ctx, http.MethodGet, "/v1/notes/search", query, nil, &found)
}

// LinkedNotes returns the links of a note in both directions, and related notes.
func (c *Client) LinkedNotes(ctx context.Context, workspace, path string) (links api.LinkedNotes, err error) {
	query := values{}
	query.set("path", path)
	query.set("workspace", workspace)
	return links, c.do(ctx, http.MethodGet, "/v1/notes/links", query, nil, &links)
}
