// Package lsp asks a language server what is wrong with files. It speaks just enough of the Language Server Protocol for
// that: JSON-RPC over two streams, open files, and the diagnostics that the server publishes.
package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
)

// maxMessage is the longest message that is read: a server that sends more is broken.
const maxMessage = 32 << 20

// A message is a request, a notification or a response.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *failure        `json:"error,omitempty"`
}

type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// received is a message whose parts are not decoded yet.
type received struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Error  *failure        `json:"error"`
}

// A conn sends and receives messages, each behind a header with its length. Sending never waits: a server that is itself
// waiting for its messages to be read would wait forever.
type conn struct {
	in    *bufio.Reader
	queue chan []byte
}

// maxQueue is how many messages can wait to be written: all files, and many responses.
const maxQueue = 4096

func newConn(in io.Reader) *conn {
	return &conn{in: bufio.NewReader(in), queue: make(chan []byte, maxQueue)}
}

// write writes what is sent, until done or until nobody reads it.
func (c *conn) write(out io.Writer, done <-chan struct{}) {
	for {
		select {
		case body := <-c.queue:
			if _, err := fmt.Fprintf(out, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
				return
			}
		case <-done:
			return
		}
	}
}

func (c *conn) send(m message) error {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	select {
	case c.queue <- body:
		return nil
	default:
		return errors.New("the server does not read what it is sent")
	}
}

func (c *conn) receive() (m received, err error) {
	header, err := textproto.NewReader(c.in).ReadMIMEHeader()
	if err != nil {
		return m, err
	}
	size, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || size < 0 || size > maxMessage {
		return m, fmt.Errorf("the server sent a message of length %.40q", header.Get("Content-Length"))
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(c.in, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}
