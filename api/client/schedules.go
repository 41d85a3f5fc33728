package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"rein/api"
)

// Jobs returns your jobs, those that fire next first; with all also those whose last time has passed.
func (c *Client) Jobs(ctx context.Context, all bool) ([]api.Job, error) {
	query := values{}
	if all {
		query.set("all", "true")
	}
	var found api.Schedules
	return found.Jobs, c.do(ctx, http.MethodGet, "/v1/schedules", query, nil, &found)
}

// Job returns one of your jobs, with the times at which it fires next.
func (c *Client) Job(ctx context.Context, id string) (j api.Job, err error) {
	return j, c.do(ctx, http.MethodGet, jobPath(id), nil, nil, &j)
}

// AddJob makes a job.
func (c *Client) AddJob(ctx context.Context, n api.NewJob) (j api.Job, err error) {
	return j, c.do(ctx, http.MethodPost, "/v1/schedules", nil, n, &j)
}

// ChangeJob changes a job.
func (c *Client) ChangeJob(ctx context.Context, id string, change api.ChangedJob) (j api.Job, err error) {
	return j, c.do(ctx, http.MethodPatch, jobPath(id), nil, change, &j)
}

// RemoveJob removes a job.
func (c *Client) RemoveJob(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodDelete, jobPath(id), nil, nil, nil)
}

// FireJob fires a job now.
func (c *Client) FireJob(ctx context.Context, id string) (r api.JobRun, err error) {
	return r, c.do(ctx, http.MethodPost, jobPath(id)+"/run", nil, nil, &r)
}

// JobRuns returns when a job fired, the newest first; zero limit: as many as the server gives.
func (c *Client) JobRuns(ctx context.Context, id string, limit int) ([]api.JobRun, error) {
	query := values{}
	if limit > 0 {
		query.set("limit", strconv.Itoa(limit))
	}
	var found api.JobRuns
	return found.Runs, c.do(ctx, http.MethodGet, jobPath(id)+"/runs", query, nil, &found)
}

func jobPath(id string) string { return "/v1/schedules/" + url.PathEscape(id) }
