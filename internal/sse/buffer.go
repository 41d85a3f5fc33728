package sse

import (
	"bufio"
	"io"
	"sync"
	"time"
)

// A Buffer is what an answer is read through: most of what reading a short one would allocate.
type Buffer struct {
	*bufio.Reader
	Events *Reader // of the same
}

var buffers = sync.Pool{New: func() any {
	from := bufio.NewReader(nil)
	return &Buffer{from, NewReader(from)}
}}

// Borrow returns a Buffer of a body, which the caller returns when nothing refers to its data any more.
func Borrow(body io.Reader) *Buffer {
	b := buffers.Get().(*Buffer)
	b.Reset(body)
	return b
}

// Return lets others have the buffer.
func (b *Buffer) Return() {
	b.Reset(nil)
	b.Events.Reset()
	buffers.Put(b)
}

// Drain reads the few bytes after the last event, so that the connection can be used again. A server that does not
// end its stream is not waited for: body is closed.
func (b *Buffer) Drain(body io.Closer) {
	timer := time.AfterFunc(100*time.Millisecond, func() { body.Close() })
	defer timer.Stop()
	_, _ = b.Discard(4 << 10)
}
