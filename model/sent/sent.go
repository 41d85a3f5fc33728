// Package sent posts bodies that are kept after they were sent: the next request of a conversation begins with the
// bytes of this one, and whoever writes behind them must know that nobody reads them any more. It has also the client
// that adapters share.
package sent

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// A Body is the body of a request. Its owner writes it while nobody reads it.
type Body struct {
	Data    []byte
	readers atomic.Int32
}

// Post makes a request with the body. The client sees a plain bytes.Reader: for others it would write the header by
// itself first, for they might block. That the body was written to its end it tells the trace.
func (b *Body) Post(ctx context.Context, url string) (*http.Request, error) {
	trace := &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { b.readers.Add(-1) }}
	r, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), http.MethodPost, url, nil)
	if err != nil {
		return nil, err
	}
	r.Body, r.ContentLength = b.open(), int64(len(b.Data))
	r.GetBody = func() (io.ReadCloser, error) { return b.open(), nil }
	return r, nil
}

// IsFree reports whether nobody reads the body. A client may still do so after it has returned an answer or an error.
// A body that was never written, because nothing answered, is not free any more: it costs no more than its bytes.
func (b *Body) IsFree() bool { return b.readers.Load() == 0 }

func (b *Body) open() io.ReadCloser {
	b.readers.Add(1)
	return io.NopCloser(bytes.NewReader(b.Data))
}
