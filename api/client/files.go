package client

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"rein"
	"rein/api"
)

// Files lists the files of a session: those that people uploaded and those that tools wrote.
func (c *Client) Files(ctx context.Context, session string) ([]rein.File, error) {
	var list api.Files
	err := c.do(ctx, http.MethodGet, sessionPath(session)+"/files", nil, nil, &list)
	return list.Files, err
}

// File returns the content of a file of a session.
func (c *Client) File(ctx context.Context, session, name string) ([]byte, error) {
	return c.content(ctx, sessionPath(session)+"/files/"+url.PathEscape(name))
}

// Image returns an image that the log of a run names by its hash.
func (c *Client) Image(ctx context.Context, run rein.RunID, hash rein.Hash) ([]byte, error) {
	return c.content(ctx, runPath(run)+"/images/"+hash.String())
}

// content reads an answer that is not JSON.
func (c *Client) content(ctx context.Context, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := c.send(ctx, http.MethodGet, path, nil, nil, "*/*")
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	return data, nil
}
