package client

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// A message of a text/event-stream. A comment is a message without an event.
type message struct {
	event string
	data  []byte
}

// maxMessage bounds a message: an event's payload may have 16 MiB, and JSON makes more of it.
const maxMessage = 128 << 20

var errTooLong = errors.New("a message of the stream is too long")

// messages reads a text/event-stream. A message that is cut off in the middle does not count. The
// last pair has the error, io.EOF too.
func messages(r io.Reader) iter.Seq2[message, error] {
	return func(yield func(message, error) bool) {
		lines := bufio.NewReaderSize(r, 16<<10)
		var m message
		for {
			line, err := readLine(lines)
			if err != nil {
				yield(message{}, err)
				return
			}
			if len(line) == 0 {
				if !yield(m, nil) {
					return
				}
				m = message{}
				continue
			}
			name, value, _ := bytes.Cut(line, []byte(":"))
			value = bytes.TrimPrefix(value, []byte(" "))
			switch string(name) {
			case "event":
				m.event = string(value)
			case "data":
				if m.data != nil {
					m.data = append(m.data, '\n')
				}
				m.data = append(m.data, value...)
			}
			if len(m.data) > maxMessage {
				yield(message{}, errTooLong)
				return
			}
		}
	}
}

// readLine returns a line without its end.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			return bytes.TrimRight(line, "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		if len(line) > maxMessage {
			return nil, errTooLong
		}
	}
}
