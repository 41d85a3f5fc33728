// Package client calls the /v1 API. Connect to the process that owns a data folder, over its unix
// socket, or to a handler in the same process. Errors are *rein.Error with the code that the server
// sent.
package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"rein"
	"rein/api"
)

// A Client sends requests. It is safe for concurrent use and keeps no connection that must be closed.
type Client struct {
	http  *http.Client
	base  string // before every path; empty: the server has no address
	place string // for messages: where the server is
}

// Unix speaks to the process that listens on the socket. It dials when it needs to, so the process
// may come, go and come back.
func Unix(socket string) *Client {
	transport := &http.Transport{
		DialContext:           func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, socket) },
		DisableKeepAlives:     true, // nothing stays open behind a command that has ended
		DisableCompression:    true,
		ResponseHeaderTimeout: time.Minute,
	}
	return &Client{http: &http.Client{Transport: transport, CheckRedirect: stay}, place: socket}
}

// Handler speaks to a handler in this process, without a network.
func Handler(h http.Handler) *Client {
	return &Client{http: &http.Client{Transport: inside{h}, CheckRedirect: stay}, place: "this process"}
}

// stay follows no redirect: the API has none.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Health asks the process who it is. CodeUnavailable means that nobody is there.
func (c *Client) Health(ctx context.Context) (health api.Health, err error) {
	return health, c.do(ctx, http.MethodGet, "/v1/health", nil, nil, &health)
}

// Start starts a run. An empty ID takes a new one. Starting the same ID with the same task again
// returns the run as it is.
func (c *Client) Start(ctx context.Context, id rein.RunID, task rein.Task) (run api.Run, err error) {
	if id == "" {
		id = api.NewRunID(time.Now())
	}
	return run, c.do(ctx, http.MethodPost, "/v1/runs", nil, api.NewRun{ID: id, Task: task}, &run)
}

// Run returns a run.
func (c *Client) Run(ctx context.Context, id rein.RunID) (run api.Run, err error) {
	return run, c.do(ctx, http.MethodGet, runPath(id), nil, nil, &run)
}

// Runs returns one page of runs, oldest first.
func (c *Client) Runs(ctx context.Context, q api.RunQuery) (page api.Runs, err error) {
	query := values{}
	query.set("session", q.Session)
	query.set("tree", string(q.Tree))
	query.set("status", q.Status)
	query.set("after", string(q.After))
	query.set("q", q.Text)
	query.set("flow", q.Flow)
	query.set("user", q.User)
	query.set("workspace", q.Workspace)
	if !q.Since.IsZero() {
		query.set("since", q.Since.Format(time.RFC3339Nano))
	}
	if q.MinMicros > 0 {
		query.set("min_micros", strconv.FormatInt(q.MinMicros, 10))
	}
	if q.Roots {
		query.set("roots", "1")
	}
	if q.Newest {
		query.set("newest", "1")
	}
	if q.Limit != 0 {
		query.set("limit", strconv.Itoa(q.Limit))
	}
	return page, c.do(ctx, http.MethodGet, "/v1/runs", query, nil, &page)
}

// Budget returns what the tree of a run has used of its budget.
func (c *Client) Budget(ctx context.Context, id rein.RunID) (budget api.TreeBudget, err error) {
	return budget, c.do(ctx, http.MethodGet, runPath(id)+"/budget", nil, nil, &budget)
}

// Todo returns the list of things to do that the model of a run keeps.
func (c *Client) Todo(ctx context.Context, id rein.RunID) (list rein.Todo, err error) {
	return list, c.do(ctx, http.MethodGet, runPath(id)+"/todo", nil, nil, &list)
}

// Receipts returns what happened to the commands that a run was sent, oldest first.
func (c *Client) Receipts(ctx context.Context, id rein.RunID) ([]rein.Receipt, error) {
	var list api.Receipts
	err := c.do(ctx, http.MethodGet, runPath(id)+"/receipts", nil, nil, &list)
	return list.Receipts, err
}

// Tree returns a run with everything below it.
func (c *Client) Tree(ctx context.Context, id rein.RunID) (node api.Node, err error) {
	return node, c.do(ctx, http.MethodGet, runPath(id)+"/tree", nil, nil, &node)
}

// Events returns what the log of a run has after the cursor, without waiting: one page of it. If
// tree is set it is the logs of everything below the run too.
func (c *Client) Events(ctx context.Context, id rein.RunID, after string, tree bool) (page api.Lines, err error) {
	return page, c.do(ctx, http.MethodGet, runPath(id)+"/events", feedQuery(after, tree), nil, &page)
}

// Asks returns asks, oldest first: all of them, or as many as the query allows.
func (c *Client) Asks(ctx context.Context, q api.AskQuery) (asks []rein.Ask, err error) {
	for {
		query := values{}
		query.set("tree", string(q.Tree))
		query.set("state", string(q.State))
		query.set("for", q.For)
		query.set("after", string(q.After))
		if q.Limit > 0 {
			query.set("limit", strconv.Itoa(q.Limit))
		}
		var list api.Asks
		err := c.do(ctx, http.MethodGet, "/v1/asks", query, nil, &list)
		asks = append(asks, list.Asks...)
		if err != nil || list.Next == "" || q.Limit > 0 {
			return asks, err
		}
		q.After = list.Next
	}
}

// Ask returns an ask.
func (c *Client) Ask(ctx context.Context, id rein.AskID) (ask rein.Ask, err error) {
	return ask, c.do(ctx, http.MethodGet, "/v1/asks/"+url.PathEscape(string(id)), nil, nil, &ask)
}

// Reveal returns an ask with the secrets that others see masked. Only the person who may answer it gets it.
func (c *Client) Reveal(ctx context.Context, id rein.AskID) (ask rein.Ask, err error) {
	query := values{}
	query.set("reveal", "1")
	return ask, c.do(ctx, http.MethodGet, "/v1/asks/"+url.PathEscape(string(id)), query, nil, &ask)
}

// Command sends a run what a person wants of it. The server says who that person is.
func (c *Client) Command(ctx context.Context, command rein.Command) (receipt rein.Receipt, err error) {
	return receipt, c.do(ctx, http.MethodPost, "/v1/commands", nil, command, &receipt)
}

// Resume lets a paused run and everything below it go on, or tries a blocked one again.
func (c *Client) Resume(ctx context.Context, id rein.RunID) error {
	return c.do(ctx, http.MethodPost, runPath(id)+"/resume", nil, nil, nil)
}

func runPath(id rein.RunID) string { return "/v1/runs/" + url.PathEscape(string(id)) }

func feedQuery(after string, tree bool) values {
	query := values{}
	query.set("after", after)
	if tree {
		query.set("tree", "1")
	}
	return query
}

// values are the parameters of a request; empty ones are left out.
type values map[string][]string

func (v values) set(name, value string) {
	if value != "" {
		url.Values(v).Set(name, value)
	}
}

// patience is how long an answer may take that is not a stream.
const patience = 2 * time.Minute

// maxAnswer bounds what is read of an answer.
const maxAnswer = 256 << 20

// do sends a request and reads the answer into out, if it is not nil.
func (c *Client) do(ctx context.Context, method, path string, query values, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := c.send(ctx, method, path, query, in, "application/json")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(out); err != nil {
		return c.failure(ctx, err)
	}
	return nil
}

// send returns an answer that is no error; the caller closes its body.
func (c *Client) send(ctx context.Context, method, path string, query values, in any, accept string) (*http.Response, error) {
	if in == nil {
		return c.sendBody(ctx, method, path, query, "", nil, accept)
	}
	data, err := json.Marshal(in)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "the request cannot be written as JSON: %w", err)
	}
	if len(data) > api.MaxRun { // of other requests the server takes less, and says so
		return nil, rein.Errorf(rein.CodeInvalid, "the request has %d bytes: send at most %d", len(data), api.MaxRun)
	}
	return c.sendBody(ctx, method, path, query, "application/json", bytes.NewReader(data), accept)
}

// sendBody is send with a body of a type.
func (c *Client) sendBody(ctx context.Context, method, path string, query values, kind string, body io.Reader, accept string) (*http.Response, error) {
	target := cmp.Or(c.base, "http://rein") + path
	if len(query) > 0 {
		target += "?" + url.Values(query).Encode()
	}
	request, err := http.NewRequestWithContext(ctx, method, target, body)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "%s %s is not a valid request: %w", method, path, err)
	}
	request.Header.Set("Accept", accept)
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	if answer.StatusCode >= 200 && answer.StatusCode < 300 {
		return answer, nil
	}
	defer answer.Body.Close()
	return nil, problem(answer)
}

// problem reads the error that an answer tells.
func problem(answer *http.Response) error {
	p := api.Problem{}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	data, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if kind != api.ProblemType || err != nil || json.Unmarshal(data, &p) != nil {
		p = api.Problem{Detail: "the server answered " + answer.Status + " and did not say why"}
	}
	p.Status = answer.StatusCode
	return p.Err()
}

// failure says that no answer came. The caller's own context speaks for itself.
func (c *Client) failure(ctx context.Context, err error) error {
	if cause := ctx.Err(); cause != nil {
		if errors.Is(cause, context.DeadlineExceeded) {
			return rein.Errorf(rein.CodeTimeout, "no answer from %s in time: %w", c.place, cause)
		}
		return cause
	}
	if e, ok := errors.AsType[*rein.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return rein.Errorf(rein.CodeUnavailable, "no answer from %s: %w", c.place, err)
}
