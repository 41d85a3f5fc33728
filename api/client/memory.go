package client

import (
	"context"
	"net/http"
	"net/url"

	"rein/api"
)

// Memories returns what rein remembers of you, and what others said for everyone at home. With a query it returns what fits
// it, the best first.
func (c *Client) Memories(ctx context.Context, query string) ([]api.Memory, error) {
	values, all := values{}, api.Memories{}
	values.set("q", query)
	return all.Memories, c.do(ctx, http.MethodGet, "/v1/memories", values, nil, &all)
}

// Memory returns one memory with what it replaced.
func (c *Client) Memory(ctx context.Context, id string) (m api.Memory, err error) {
	return m, c.do(ctx, http.MethodGet, memoryPath(id), nil, nil, &m)
}

// AddMemory remembers something about you.
func (c *Client) AddMemory(ctx context.Context, n api.NewMemory) (m api.Memory, err error) {
	return m, c.do(ctx, http.MethodPost, "/v1/memories", nil, n, &m)
}

// ChangeMemory changes a memory of yours.
func (c *Client) ChangeMemory(ctx context.Context, id string, change api.ChangedMemory) (m api.Memory, err error) {
	return m, c.do(ctx, http.MethodPatch, memoryPath(id), nil, change, &m)
}

// ForgetMemory forgets a memory of yours, with what it had replaced and what quotes it.
func (c *Client) ForgetMemory(ctx context.Context, id, version string) (f api.ForgottenMemory, err error) {
	query := values{}
	query.set("version", version)
	return f, c.do(ctx, http.MethodDelete, memoryPath(id), query, nil, &f)
}

// MemoryCounts returns how much rein knows about you or, if you are an admin, about each user of your household.
func (c *Client) MemoryCounts(ctx context.Context) ([]api.MemoryCount, error) {
	var all api.MemoryCounts
	return all.Users, c.do(ctx, http.MethodGet, "/v1/memory/counts", nil, nil, &all)
}

// ExportMemory returns all that rein knows about you.
func (c *Client) ExportMemory(ctx context.Context) (e api.MemoryExport, err error) {
	return e, c.do(ctx, http.MethodGet, "/v1/memory/export", nil, nil, &e)
}

// Preferences returns your preferences and those of your household.
func (c *Client) Preferences(ctx context.Context) ([]api.Preference, error) {
	var all api.Preferences
	return all.Preferences, c.do(ctx, http.MethodGet, "/v1/preferences", nil, nil, &all)
}

// SetPreference sets a preference of yours, or of your household.
func (c *Client) SetPreference(ctx context.Context, name string, p api.NewPreference) (set api.Preference, err error) {
	return set, c.do(ctx, http.MethodPut, preferencePath(name), nil, p, &set)
}

// RemovePreference removes a preference of yours, or of your household.
func (c *Client) RemovePreference(ctx context.Context, name string, household bool) error {
	query := values{}
	if household {
		query.set("household", "true")
	}
	return c.do(ctx, http.MethodDelete, preferencePath(name), query, nil, nil)
}

func memoryPath(id string) string { return "/v1/memories/" + url.PathEscape(id) }

func preferencePath(name string) string { return "/v1/preferences/" + url.PathEscape(name) }
