package client

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"time"

	"rein"
	"rein/api"
)

// Live yields a hint whenever something of yours changes. Each connection begins with a Hello. A broken connection is
// restored; if that does not succeed, or the server refuses, the last pair has the error.
func (c *Client) Live(ctx context.Context) iter.Seq2[api.Hint, error] {
	return func(yield func(api.Hint, error) bool) {
		for try := 0; ; {
			got, err := c.hear(ctx, func(h api.Hint) bool { return yield(h, nil) })
			switch {
			case err == errOver:
				return
			case ctx.Err() != nil:
				yield(api.Hint{}, ctx.Err())
				return
			case !retryable(err):
				yield(api.Hint{}, err)
				return
			}
			if got {
				try = 0
			}
			if try++; try > maxTries {
				yield(api.Hint{}, err)
				return
			}
			if !pause(ctx, try) {
				yield(api.Hint{}, ctx.Err())
				return
			}
		}
	}
}

// hear reads one connection to its end. It reports whether a hint came.
func (c *Client) hear(ctx context.Context, yield func(api.Hint) bool) (got bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer quiet.Stop()
	answer, err := c.send(ctx, http.MethodGet, "/v1/live", nil, nil, eventStream)
	if err != nil {
		return false, cmp.Or(context.Cause(ctx), err)
	}
	defer answer.Body.Close()
	broken := func(err error) error {
		return cmp.Or(context.Cause(ctx), error(rein.Errorf(rein.CodeUnavailable, "the connection to %s broke: %w", c.place, err)))
	}
	for m, err := range messages(answer.Body) {
		if err != nil {
			return got, broken(err)
		}
		quiet.Reset(silence)
		switch m.event {
		case api.StreamHello, api.StreamHint:
			var hint api.Hint
			if err := json.Unmarshal(m.data, &hint); err != nil {
				return got, broken(err)
			}
			if got = true; !yield(hint) {
				return got, errOver
			}
		case api.StreamError:
			var p api.Problem
			if err := json.Unmarshal(m.data, &p); err != nil {
				return got, broken(err)
			}
			return got, p.Err()
		}
	}
	return got, broken(io.ErrUnexpectedEOF)
}
