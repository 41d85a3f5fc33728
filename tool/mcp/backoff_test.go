package mcp_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/tool/mcp"
	"rein/tool/mcp/mcptest"
)

// A pipes is a server over HTTP that is reached without a network, so that its time can be that of a test.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	close(p.done)
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// timed is a rig in a bubble of time, with a server that is down while down says so. It notes when it is tried.
func timed(t *testing.T, idle time.Duration, down *atomic.Bool, tried *[]time.Duration) *rig {
	p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: mcptest.Handler(t.TempDir()), ReadHeaderTimeout: time.Minute}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(p)
	}()
	transport := &http.Transport{DialContext: p.dial, DisableKeepAlives: true}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		<-ended
	})
	began := time.Now()
	return newRig(t, func(s *mcp.Server) { s.Command, s.Env, s.URL = nil, nil, "http://server/mcp" }, func(o *mcp.Options) {
		o.Client, o.Idle = func(mcp.Server) *http.Client { return &http.Client{Transport: transport} }, idle
		o.Allow = func(context.Context, mcp.Server) error {
			if tried != nil {
				*tried = append(*tried, time.Since(began))
			}
			if down.Load() {
				return rein.Errorf(rein.CodeUnavailable, "it is down")
			}
			return nil
		}
	})
}

func (r *rig) status() mcp.Status {
	r.Helper()
	return r.hub.List(r.Context(), mcp.Owner{Household: "home"})[0]
}

// The pause after a failure doubles up to a minute. A call waits for a short one, and for a long one it fails and says how
// long it will be. A call that works begins again with short ones, and a person who tests the server does not wait.
func TestBackOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var down atomic.Bool
		var tried []time.Duration
		const second, idle = time.Second, time.Hour
		r := timed(t, idle, &down, &tried)
		r.learn()
		echo := func() error {
			_, err := r.tool("test.echo").Do(t.Context(), invocation(`{"text":"x"}`))
			return err
		}
		fails := func(pauses ...time.Duration) {
			t.Helper()
			tried = nil
			for range pauses {
				for n := len(tried); n == len(tried); {
					err := echo()
					if err == nil {
						t.Fatal("a server that is down answers")
					}
					wait := time.Until(r.status().Next)
					if n == len(tried) {
						if wait <= 5*time.Second || !strings.Contains(err.Error(), "it is tried again in "+wait.String()) {
							t.Errorf("it fails %s before it is tried again: %v", wait, err)
						}
						time.Sleep(wait)
					}
				}
			}
			for i := 1; i < len(tried); i++ {
				if got := tried[i] - tried[i-1]; got != pauses[i] {
					t.Errorf("pause %d is %s, want %s", i, got, pauses[i])
				}
			}
		}
		time.Sleep(idle + second) // the connection ends
		down.Store(true)
		fails(0, second, 2*second, 4*second, 8*second, 16*second, 32*second, time.Minute, time.Minute, time.Minute)
		down.Store(false)
		time.Sleep(time.Minute)
		if err := echo(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(idle + second)
		down.Store(true)
		fails(0, second, 2*second, 4*second, 8*second)
		down.Store(false)
		if _, err := r.hub.Test(t.Context(), "test", mcp.Owner{Household: "home"}); err != nil {
			t.Fatal(err)
		}
		before := time.Now()
		if err := echo(); err != nil || time.Since(before) > 0 {
			t.Errorf("after it was tested a call waits %s: %v", time.Since(before), err)
		}
		r.check(r.hub.Close())
	})
}

// A connection that nobody uses ends after a while. A call keeps it, and so does one that takes longer than that.
func TestIdleEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var down atomic.Bool
		r := timed(t, 40*time.Second, &down, nil)
		r.learn()
		call := func(name, args string) {
			t.Helper()
			if _, err := r.tool(name).Do(t.Context(), invocation(args)); err != nil {
				t.Fatal(err)
			}
		}
		is := func(want bool, why string) {
			t.Helper()
			if synctest.Wait(); r.status().Connected != want {
				t.Errorf("%s: connected is %t", why, !want)
			}
		}
		call("test.echo", `{"text":"x"}`)
		time.Sleep(39 * time.Second)
		is(true, "before the time is over")
		call("test.echo", `{"text":"x"}`)
		time.Sleep(39 * time.Second)
		is(true, "a call has kept it")
		time.Sleep(2 * time.Second)
		is(false, "nobody has used it")
		call("test.slow", `{}`) // a minute
		is(true, "a call that takes longer has kept it")
		time.Sleep(81 * time.Second)
		is(false, "nobody has used it after that")
		call("test.echo", `{"text":"it is made again"}`)
		is(true, "it is made again")
		r.check(r.hub.Close())
	})
}
