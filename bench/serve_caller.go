package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"rein"
	"rein/api"
)

// A caller uses the API over the network, with a token.
type caller struct {
	base, token string
	http        *http.Client
}

func newCaller(s spec) *caller { return &caller{s.Server, s.Token, newClient(s).http} }

// send makes a request and returns its answer, which must be a good one.
func (c *caller) send(ctx context.Context, method, path string, body any, accept string) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, content)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Accept", accept)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		defer response.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(response.Body, 500))
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
	}
	return response, nil
}

// do makes a request and decodes its answer into value, if that is not nil. It reads all of it, so that
// the connection is kept.
func (c *caller) do(ctx context.Context, method, path string, body, value any) error {
	response, err := c.send(ctx, method, path, body, "application/json")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil || value == nil {
		return err
	}
	return json.Unmarshal(data, value)
}

func (c *caller) start(ctx context.Context, id rein.RunID, task rein.Task) error {
	return c.do(ctx, http.MethodPost, "/v1/runs", api.NewRun{ID: id, Task: task}, nil)
}

func (c *caller) run(ctx context.Context, id rein.RunID) (info rein.RunInfo, err error) {
	return info, c.do(ctx, http.MethodGet, runPath(id), nil, &info)
}

func runPath(id rein.RunID) string { return "/v1/runs/" + url.PathEscape(string(id)) }

// alive measures the smallest request that there is.
func (c *caller) alive(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	err := c.do(ctx, http.MethodGet, "/healthz", nil, nil)
	return time.Since(began), err
}

// usage asks the server what it uses. query is of usagePath.
func (c *caller) usage(ctx context.Context, query string) (f figures, err error) {
	return f, c.do(ctx, http.MethodGet, usagePath+"?"+query, nil, &f)
}

// untilFollowed waits until so many follow something.
func (c *caller) untilFollowed(ctx context.Context, n int) error {
	for {
		f, err := c.usage(ctx, "")
		if err != nil || int(f["followers"]) >= n {
			return err
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%.0f follow, not %d: %w", f["followers"], n, ctx.Err())
		}
	}
}

// follow shows the messages of a run's stream until its end.
func (c *caller) follow(ctx context.Context, id rein.RunID, show func(kind string, data []byte)) error {
	response, err := c.send(ctx, http.MethodGet, runPath(id)+"/events", nil, "text/event-stream")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return readStream(response.Body, show)
}

// startAndFollow starts a run and shows the messages of the stream that the start is answered with.
func (c *caller) startAndFollow(ctx context.Context, id rein.RunID, task rein.Task, show func(kind string, data []byte)) error {
	response, err := c.send(ctx, http.MethodPost, "/v1/runs", api.NewRun{ID: id, Task: task}, "text/event-stream")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return readStream(response.Body, show)
}

// errCut is what a stream ends with that does not say that it is complete.
var errCut = errors.New("the stream broke off")

// readStream reads a stream to its end and shows its messages, whose data is good only until show returns.
func readStream(r io.Reader, show func(kind string, data []byte)) error {
	lines := bufio.NewReaderSize(r, 16<<10)
	var kind string
	var long []byte
	for {
		line, err := lines.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, line...)
			continue
		case errors.Is(err, io.EOF) && kind == api.StreamEnd:
			return nil
		case errors.Is(err, io.EOF):
			return errCut
		case err != nil:
			return err
		}
		if len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		if name, ok := bytes.CutPrefix(line, []byte("event: ")); ok {
			kind = string(bytes.TrimSpace(name))
		}
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			show(kind, data)
		}
		long = long[:0]
	}
}
