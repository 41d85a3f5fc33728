package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"time"

	"rein"
	"rein/api"
)

// A follower reads a run's stream over a connection of its own, which costs this process as little as
// it can: followers are many, and on the same machine as the server.
type follower struct {
	joined   int64     // when the stream had begun, in ns since 1970
	delays   []float64 // ms from the provider's sending a token to its receipt
	late     int       // tokens that were sent before it joined
	messages int       // with text
}

// dialStream asks for the stream of a run. The answer has not been read.
func dialStream(ctx context.Context, d *net.Dialer, s spec, id rein.RunID) (net.Conn, error) {
	address := s.Server[len("http://"):]
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(conn, "GET %s/events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\n\r\n", runPath(id), address, s.Token)
	return conn, err
}

// follow reads to the end of the run. It calls there once, when the stream has begun or never will.
func (f *follower) follow(ctx context.Context, s spec, id rein.RunID, there func()) error {
	there = sync.OnceFunc(there)
	defer there()
	conn, err := dialStream(ctx, &net.Dialer{}, s, id)
	if err != nil {
		return err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return err
		}
	}
	response, err := http.ReadResponse(bufio.NewReaderSize(conn, 4096), nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("follow %s: %s", id, response.Status)
	}
	f.joined = time.Now().UnixNano()
	there()
	return readStream(response.Body, func(kind string, data []byte) {
		if kind == api.StreamDelta {
			f.messages++
			f.note(data, time.Now().UnixNano())
		}
	})
}

// note takes the times out of the tokens of a message. Slow followers get many in one.
func (f *follower) note(data []byte, now int64) {
	for {
		_, rest, found := bytes.Cut(data, []byte(stampMark))
		if !found || len(rest) < stampDigits {
			return
		}
		sent, err := strconv.ParseInt(string(rest[:stampDigits]), 10, 64)
		switch {
		case err != nil:
		case sent < f.joined:
			f.late++
		default:
			f.delays = append(f.delays, float64(now-sent)/1e6)
		}
		data = rest[stampDigits:]
	}
}

// stampDigits is how long a time in nanoseconds since 1970 is, until the year 2286.
const stampDigits = 19

// dialStuck follows a run and never reads. Its segments and its buffer are small, as over a slow
// network; on loopback the system would otherwise take megabytes for it.
func dialStuck(ctx context.Context, s spec, id rein.RunID) (net.Conn, error) {
	d := &net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		var err error
		if e := raw.Control(func(fd uintptr) {
			err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096)
			if err == nil {
				err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 536)
			}
		}); e != nil {
			return e
		}
		return err
	}}
	return dialStream(ctx, d, s, id)
}
