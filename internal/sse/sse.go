// Package sse reads server-sent events, as model providers stream their replies.
package sse

import (
	"bufio"
	"bytes"
	"errors"
)

// An Event is what a server sent between two empty lines. Its data is good until the next event is read.
type Event struct {
	Type string
	Data []byte
}

// A Reader reads events. It does not bound how long they are: whoever makes the reader below it does.
type Reader struct {
	from *bufio.Reader
	long []byte // a line that did not fit into the buffer of from
	data []byte
}

// large is how many bytes of buffers are not kept for the next stream.
const large = 64 << 10

// NewReader returns a Reader of a stream.
func NewReader(from *bufio.Reader) *Reader { return &Reader{from: from} }

// Reset makes the Reader ready for another stream, which the reader below it is set to. It keeps its buffers,
// unless they have become large.
func (r *Reader) Reset() {
	if cap(r.long)+cap(r.data) > large {
		r.long, r.data = nil, nil
	}
}

// Next returns the next event that has data. After the last one it returns what ended the stream, io.EOF for one;
// an event that the end cuts short is dropped, as the format wants it.
//
// A line "error: TEXT" is no field of the format. Servers write it when they fail in the middle of a
// stream, so it is returned as an event of type "error" at once, also if the stream ends within it.
func (r *Reader) Next() (Event, error) {
	kind := ""
	r.data = r.data[:0]
	for {
		line, err := r.line()
		if err != nil && !bytes.HasPrefix(line, []byte("error:")) {
			return Event{}, err // a last line without its end was cut, and counts for nothing
		}
		if len(line) == 0 {
			if len(r.data) > 0 {
				return Event{kind, r.data[:len(r.data)-1]}, nil
			}
			kind = ""
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			kind = string(value)
		case "data":
			r.data = append(append(r.data, value...), '\n')
		case "error":
			return Event{"error", value}, nil
		}
	}
}

// line returns the next line without its end. A last line that has no end comes with an error.
func (r *Reader) line() ([]byte, error) {
	line, err := r.from.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = r.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			r.long = append(r.long, line...)
			line, err = r.from.ReadSlice('\n')
		}
		r.long = append(r.long, line...)
		line = r.long
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), err
}
