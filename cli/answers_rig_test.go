package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/app"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/household/people"
	"rein/internal/rig"
	"rein/journal/feed"
	"rein/server"
	"rein/store"
	"rein/store/sqlite"
)

// A parlour is a data folder with its owner, a socket and a web address, whose runs make calls that a
// person must approve. It can be closed and opened again; what its tools did is remembered outside.
type parlour struct {
	*testing.T
	dir  string
	seed uint64

	store  *sqlite.Store
	engine *engine.Engine
	feed   *feed.Feed
	web    *httptest.Server // the same as the socket
	close  func()

	mu    sync.Mutex
	deeds []deed
}

// A deed is something that a tool did.
type deed struct {
	tool string
	run  rein.RunID
	step rein.StepKey
	key  string
	args json.RawMessage
}

// A way is a path that an answer can take. Each is a client that sends whatever it is given, also what it
// should not; the dialects have ways of their own.
type way struct {
	name string
	// send reports whether the answer was recorded before, or why it is refused.
	send func(p *parlour, a attempt) (again bool, err error)
	// blind says that it names no ask, so that nothing it sends may be taken.
	blind bool
}

// An attempt is an answer as someone sends it.
type attempt struct {
	ask    rein.AskID
	run    rein.RunID
	answer rein.Answer
	key    string
}

// mounts are what is served beside /v1, for ways that go there.
var mounts []func(*parlour) server.Mount

// ways are all the ways.
var ways = []way{
	{name: "Go", send: func(p *parlour, a attempt) (bool, error) {
		c := rein.Command{Kind: rein.CommandAnswer, Run: a.run, Ask: a.ask, Answer: a.answer, Key: a.key, By: "owner"}
		receipt, err := p.engine.Command(context.Background(), c)
		return receipt.Again, err
	}},
	{name: "/v1/commands", send: func(p *parlour, a attempt) (bool, error) {
		c := rein.Command{Kind: rein.CommandAnswer, Run: a.run, Ask: a.ask, Answer: a.answer, Key: a.key}
		receipt, err := p.client().Command(context.Background(), c)
		return receipt.Again, err
	}},
	{name: "/v1/asks", send: func(p *parlour, a attempt) (bool, error) {
		receipt, err := p.client().Answer(context.Background(), a.ask, api.Answer{Answer: a.answer, Key: a.key})
		return receipt.Again, err
	}},
	{name: "rein answer", send: func(p *parlour, a attempt) (bool, error) {
		return false, p.rein(append([]string{"answer", string(a.ask)}, flagsOf(a.answer)...))
	}},
	{name: "rein answer RUN", blind: true, send: func(p *parlour, a attempt) (bool, error) {
		return false, p.rein(append([]string{"answer", string(a.run)}, flagsOf(a.answer)...))
	}},
}

// client is a new connection to the owner.
func (p *parlour) client() *client.Client { return client.Unix(filepath.Join(p.dir, socketName)) }

// flagsOf says an answer as a command line.
func flagsOf(a rein.Answer) (flags []string) {
	if a.Shown != "" {
		flags = append(flags, "--shown", a.Shown)
	}
	switch a.State {
	case rein.AskApproved:
		return append(flags, "--yes")
	case rein.AskEdited:
		return append(flags, "--edit", string(a.Args))
	case rein.AskRejected:
		return append(flags, "--no")
	}
	return append(flags, a.Text)
}

// rein runs a command of the program beside the owner.
func (p *parlour) rein(args []string) error {
	var out bytes.Buffer
	env := []string{"HOME=" + p.dir, "XDG_CONFIG_HOME=" + p.dir}
	if code := run(append(args, "--data", p.dir), &bytes.Buffer{}, &out, &out, env, nil, app.Options{}); code != exitOK {
		return fmt.Errorf("exit %d: %s", code, out.String())
	}
	return nil
}

func (p *parlour) check(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// open opens the folder, drives what is in it and serves it.
func (p *parlour) open() {
	p.Helper()
	r := rig.Open(p, rig.Options{Dir: p.dir})
	r.Begin(engine.Options{Flows: flows.All(), Grace: engine.NoGrace, DrainGrace: engine.NoGrace, Worker: rig.Worker(caller{p.seed}, p.tools())})
	p.store, p.engine, p.feed, p.close = r.Store, r.Engine, r.Feed, r.Leave
	options := server.Options{
		Engine: p.engine, Store: p.store, Feed: p.feed, Who: server.Host, People: &people.People{Tables: p.store},
		Health: func() api.Health { return api.Health{PID: 1} },
	}
	for _, mount := range mounts {
		options.Mounts = append(options.Mounts, mount(p))
	}
	handler := server.New(options)
	listener, err := client.Listen(filepath.Join(p.dir, socketName))
	p.check(err)
	r.Listen(handler)
	p.web = r.Web
	r.Serve(func(ctx context.Context) error { return server.Serve(ctx, listener, handler, nil) })
}

// tools change the world outside: they remember what they were told to do.
func (p *parlour) tools() map[string]rein.Tool {
	tools := map[string]rein.Tool{}
	for name, effect := range map[string]rein.Effect{"look": rein.Pure, "add": rein.Idempotent, "send": rein.Unsafe} {
		tools[name] = rein.Tool{
			Name: name, Effect: effect, Polling: true, Schema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`),
			Do: func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
				p.mu.Lock()
				defer p.mu.Unlock()
				p.deeds = append(p.deeds, deed{name, inv.Run, inv.Step, inv.Key, bytes.Clone(inv.Args)})
				return rein.Done{Text: "done"}, nil
			},
		}
	}
	return tools
}

// rest waits until every run waits for a person or has ended, and returns what is open.
func (p *parlour) rest() (open []rein.Ask, over bool) {
	p.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; runtime.Gosched() {
		busy, unfinished := p.engine.Live() > 0, false
		for info, err := range p.store.Runs(context.Background(), store.Filter{Unfinished: true}) {
			p.check(err)
			unfinished = true
			busy = busy || info.Status != rein.StatusWaiting || !info.WakeAt.IsZero()
		}
		if !busy || !unfinished {
			open, err := p.store.Asks(context.Background(), store.AskFilter{Pending: true})
			p.check(err)
			return open, !unfinished
		}
		if time.Now().After(deadline) {
			p.Fatal("the runs do not come to rest")
		}
	}
}

// caller is a model that makes calls at random, often the same ones, the same request always alike.
type caller struct{ seed uint64 }

func (caller) Info() rein.ModelInfo { return rein.ModelInfo{Name: "caller", MaxOutput: 200} }

func (c caller) Generate(_ context.Context, req rein.ModelRequest, _ func(string)) (rein.ModelReply, error) {
	r := rand.New(rand.NewPCG(c.seed, uint64(len(req.Messages))))
	m := rein.Message{Text: "go on"}
	if len(req.Messages) < 12 {
		for i := range 1 + r.IntN(2) {
			call := rein.ToolCall{ID: fmt.Sprint("c", i), Name: []string{"look", "add", "send"}[r.IntN(3)]}
			call.Args = json.RawMessage(fmt.Sprintf(`{"n":%d}`, r.IntN(2)))
			if r.IntN(6) == 0 {
				call.Args = json.RawMessage(fmt.Sprintf(`{n: %d,}`, r.IntN(2))) // a guess is needed
			}
			m.Calls = append(m.Calls, call)
		}
	}
	return rein.ModelReply{Message: m, Model: "caller"}, nil
}
