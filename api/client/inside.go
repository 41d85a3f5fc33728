package client

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// inside is a transport to a handler of this process. The body of the answer is a pipe, so a stream
// is read while it is written; closing it ends the request's context, as a closed connection does.
type inside struct{ handler http.Handler }

func (t inside) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	request := r.Clone(ctx)
	request.RequestURI, request.RemoteAddr = r.URL.RequestURI(), "inside"
	if request.Body == nil {
		request.Body = http.NoBody
	}
	reader, writer := io.Pipe()
	cut := make(chan struct{})
	w := &insideWriter{header: http.Header{}, pipe: writer, begun: make(chan struct{})}
	go func() {
		defer cancel()
		defer request.Body.Close()
		defer func() {
			if recover() != nil { // as a server does: the connection is cut
				writer.CloseWithError(io.ErrUnexpectedEOF)
				close(cut)
			}
		}()
		t.handler.ServeHTTP(w, request)
		w.begin(http.StatusOK)
		writer.Close()
	}()
	// The handler ends when the request does, and so does whoever waits for it.
	context.AfterFunc(ctx, func() { writer.CloseWithError(ctx.Err()) })
	select {
	case <-w.begun:
	case <-cut:
		if !w.hasBegun() {
			return nil, io.ErrUnexpectedEOF
		}
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: &insideBody{reader, cancel}, ContentLength: -1, Request: r,
	}, nil
}

// insideBody ends the request when it is closed.
type insideBody struct {
	*io.PipeReader
	cancel context.CancelFunc
}

func (b *insideBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}

// insideWriter is the handler's side.
type insideWriter struct {
	header http.Header
	pipe   *io.PipeWriter
	once   sync.Once
	begun  chan struct{} // closed when status and sent are set
	status int
	sent   http.Header
}

var _ http.Flusher = (*insideWriter)(nil)

func (w *insideWriter) Header() http.Header { return w.header }

func (w *insideWriter) begin(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.begun)
	})
}

func (w *insideWriter) hasBegun() bool {
	select {
	case <-w.begun:
		return true
	default:
		return false
	}
}

func (w *insideWriter) WriteHeader(status int) {
	if status >= 200 { // the others only say that the answer will come
		w.begin(status)
	}
}

func (w *insideWriter) Write(p []byte) (int, error) {
	w.begin(http.StatusOK)
	return w.pipe.Write(p)
}

// Flush sends the header; what is written is never held back.
func (w *insideWriter) Flush() { w.begin(http.StatusOK) }
