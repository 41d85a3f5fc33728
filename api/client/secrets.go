package client

import (
	"context"
	"net/http"
	"net/url"

	"rein/api"
)

// Secrets lists your secrets and those of the household, without their values.
func (c *Client) Secrets(ctx context.Context) ([]api.Secret, error) {
	var list api.Secrets
	err := c.do(ctx, http.MethodGet, "/v1/secrets", nil, nil, &list)
	return list.Secrets, err
}

// SetSecret keeps a value: your own or, if shared is set, the household's, which only admins may change.
func (c *Client) SetSecret(ctx context.Context, name, value string, shared bool) (set api.Secret, err error) {
	return set, c.do(ctx, http.MethodPut, secretPath(name), ofHousehold(shared), api.NewSecret{Value: value}, &set)
}

// RemoveSecret removes a value.
func (c *Client) RemoveSecret(ctx context.Context, name string, shared bool) error {
	return c.do(ctx, http.MethodDelete, secretPath(name), ofHousehold(shared), nil, nil)
}

// RekeySecrets makes a new key and seals every secret with it.
func (c *Client) RekeySecrets(ctx context.Context) (done api.Rekeyed, err error) {
	return done, c.do(ctx, http.MethodPost, "/v1/secret-key", nil, nil, &done)
}

func secretPath(name string) string { return "/v1/secrets/" + url.PathEscape(name) }

func ofHousehold(shared bool) values {
	query := values{}
	if shared {
		query.set("shared", "true")
	}
	return query
}
