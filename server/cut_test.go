package server_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/api/client"
	"rein/server"
)

// cutter is a listener whose connections break after a random number of bytes.
type cutter struct {
	net.Listener
	mu     sync.Mutex
	random *rand.Rand
	cuts   int
}

func (c *cutter) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return &cutConn{Conn: conn, cutter: c, left: 3000 + c.random.IntN(8000)}, nil
}

type cutConn struct {
	net.Conn
	*cutter
	left int
}

func (c *cutConn) Write(p []byte) (int, error) {
	if len(p) <= c.left {
		c.left -= len(p)
		return c.Conn.Write(p)
	}
	n, _ := c.Conn.Write(p[:c.left])
	c.left = 0
	c.Conn.Close()
	c.mu.Lock()
	c.cuts++
	c.mu.Unlock()
	return n, net.ErrClosed
}

// TestCutConnections follows a tree over connections that break all the time: every event comes once
// and in order, and no piece of text twice.
//
// Covers: LAW-1 LAW-6/server
func TestCutConnections(t *testing.T) {
	r := newRig(t)
	socket := filepath.Join(t.TempDir(), "cut.sock")
	l, err := client.Listen(socket)
	check(t, err)
	cut := &cutter{Listener: l, random: rand.New(rand.NewPCG(1, 2))}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, cut, r.handler, nil) }()
	defer func() {
		cancel()
		check(t, <-served)
	}()
	const children, pieces = 12, 100
	r.start("r", family(t, slices.Repeat([]rein.Task{task("chat", "wait")}, children)...))
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() { assemble(t, client.Unix(socket), children) })
	}
	for i := range pieces {
		r.tell(fmt.Sprintf("piece %03d of the tale. ", i))
	}
	for range children {
		r.tell("")
	}
	wait.Wait()
	if cut.cuts < 20 {
		t.Errorf("only %d connections were cut", cut.cuts)
	}
}

// assemble follows the tree to its end and checks what it gets.
func assemble(t *testing.T, c *client.Client, children int) {
	seq, tales := map[rein.RunID]int64{}, map[rein.RunID]string{}
	var last *rein.Event
	for line, err := range c.Follow(t.Context(), "r", client.FollowOptions{Tree: true}) {
		if err != nil {
			t.Error(err)
			return
		}
		if d := line.Delta; d != nil {
			if d.Offset != len(tales[d.Run]) {
				t.Errorf("text of %s goes on at %d after %d", d.Run, d.Offset, len(tales[d.Run]))
			}
			tales[d.Run] += d.Text
			continue
		}
		last = line.Event
		if seq[last.Run]++; seq[last.Run] != last.Seq {
			t.Errorf("event %d of %s comes, want %d", last.Seq, last.Run, seq[last.Run])
		}
		if last.Kind == rein.StepDone && !strings.Contains(string(last.Data), tales[last.Run]) {
			t.Errorf("the text that was shown, %q, is not a part of %s", tales[last.Run], last.Data)
		}
	}
	if last == nil || last.Run != "r" || !last.Kind.Ends() || len(seq) != children+1 {
		t.Errorf("%d runs, the last event is %+v", len(seq), last)
	}
}
