// Package sent posts bodies that are kept after they were sent: the next request of a conversation begins with the
// bytes of this one, and whoever writes behind them must know that nobody reads them any more.
package sent

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync/atomic"
)

// A Body is the body of a request. Its owner writes it while nobody reads it.
type Body struct {
	Data    []byte
	readers atomic.Int32
}

// Post makes a request with the body.
func (b *Body) Post(ctx context.Context, url string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, nil)
	if err != nil {
		return nil, err
	}
	r.Body, r.ContentLength = b.open(), int64(len(b.Data))
	r.GetBody = func() (io.ReadCloser, error) { return b.open(), nil }
	return r, nil
}

// IsFree reports whether nobody reads the body. A client may still do so after it has returned an answer or an error.
func (b *Body) IsFree() bool { return b.readers.Load() == 0 }

func (b *Body) open() io.ReadCloser {
	b.readers.Add(1)
	return &reader{Reader: bytes.NewReader(b.Data), body: b}
}

// A reader reads a body until it is closed.
type reader struct {
	*bytes.Reader
	body   *Body
	closed atomic.Bool
}

// Close implements io.Closer.
func (r *reader) Close() error {
	if !r.closed.Swap(true) {
		r.body.readers.Add(-1)
	}
	return nil
}
