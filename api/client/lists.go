package client

import (
	"context"
	"net/http"
	"net/url"

	"rein/api"
)

// Lists returns the lists of your household, and those that are yours alone, without their items.
func (c *Client) Lists(ctx context.Context) ([]api.List, error) {
	var all api.Lists
	return all.Lists, c.do(ctx, http.MethodGet, "/v1/lists", nil, nil, &all)
}

// List returns a list with its items, by its ID or its name.
func (c *Client) List(ctx context.Context, list string) (l api.List, err error) {
	return l, c.do(ctx, http.MethodGet, listPath(list), nil, nil, &l)
}

// CreateList creates a list.
func (c *Client) CreateList(ctx context.Context, n api.NewList) (l api.List, err error) {
	return l, c.do(ctx, http.MethodPost, "/v1/lists", nil, n, &l)
}

// DeleteList deletes a list with all its items.
func (c *Client) DeleteList(ctx context.Context, list string) error {
	return c.do(ctx, http.MethodDelete, listPath(list), nil, nil, nil)
}

// AddListItems adds items to a list.
func (c *Client) AddListItems(ctx context.Context, list string, items api.NewListItems) (l api.List, err error) {
	return l, c.do(ctx, http.MethodPost, listPath(list)+"/items", nil, items, &l)
}

// ChangeListItem changes an item of a list, by its number, its ID or its text.
func (c *Client) ChangeListItem(ctx context.Context, list, item string, change api.ChangedListItem) (l api.List, err error) {
	return l, c.do(ctx, http.MethodPatch, itemPath(list, item), nil, change, &l)
}

// RemoveListItem removes an item from a list.
func (c *Client) RemoveListItem(ctx context.Context, list, item string) (l api.List, err error) {
	return l, c.do(ctx, http.MethodDelete, itemPath(list, item), nil, nil, &l)
}

// RemoveDoneItems removes all items of a list that are done.
func (c *Client) RemoveDoneItems(ctx context.Context, list string) (l api.List, err error) {
	return l, c.do(ctx, http.MethodDelete, listPath(list)+"/items", nil, nil, &l)
}

func listPath(list string) string { return "/v1/lists/" + url.PathEscape(list) }

func itemPath(list, item string) string { return listPath(list) + "/items/" + url.PathEscape(item) }
