package client

import (
	"context"
	"net/http"

	"rein/api"
)

// NewPairingCode returns a code that makes a Telegram chat yours: send it to the bot within ten minutes. It works once.
func (c *Client) NewPairingCode(ctx context.Context) (code api.PairingCode, err error) {
	return code, c.do(ctx, http.MethodPost, "/v1/channels/pair", nil, nil, &code)
}
