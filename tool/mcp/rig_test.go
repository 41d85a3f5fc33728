package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/sandbox"
	"rein/tool/mcp"
	"rein/tool/mcp/mcptest"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	mcptest.Main()
	if folder := os.Getenv(rawFolder); folder != "" {
		rawServer(folder)
	}
	os.Exit(m.Run())
}

// book keeps pins in memory; package household/servers has the tables and their tests.
type book struct {
	mu   sync.Mutex
	kept map[string]mcp.Pin
}

func (b *book) Pins(context.Context) (all []mcp.Pin, _ error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.kept {
		all = append(all, p)
	}
	return all, nil
}

func (b *book) Pin(ctx context.Context, server string, listed []mcp.Definition) ([]mcp.Pin, error) {
	b.mu.Lock()
	if b.kept == nil {
		b.kept = map[string]mcp.Pin{}
	}
	for _, d := range listed {
		p, known := b.kept[server+" "+d.Name]
		if p.Definition, p.Server, p.Hash = d, server, d.Hash(); !known {
			p.Accepted = p.Hash
		}
		b.kept[server+" "+d.Name] = p
	}
	b.mu.Unlock()
	return b.Pins(ctx)
}

func (b *book) Accept(context.Context, string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, p := range b.kept {
		p.Accepted = p.Hash
		b.kept[k] = p
	}
	return nil
}

// plain is a filter that knows no secrets.
type plain struct{}

func (plain) Write(text string) string { return text }
func (plain) Cut() string              { return "" }

// A rig is a hub with a server.
type rig struct {
	*testing.T
	hub    *mcp.Hub
	book   *book
	folder string // of what the server did

	mu     sync.Mutex
	server mcp.Server
}

// newRig makes a hub with a server that is this test binary, in another process.
func newRig(t *testing.T, change func(*mcp.Server), more ...func(*mcp.Options)) *rig {
	t.Helper()
	folder := t.TempDir()
	r := &rig{T: t, book: &book{}, folder: folder, server: mcp.Server{Name: "test", Command: []string{os.Args[0]}, Env: mcptest.Env(folder)}}
	if change != nil {
		change(&r.server)
	}
	o := mcp.Options{
		Servers: func(context.Context) ([]mcp.Server, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			return []mcp.Server{r.server}, r.server.Check()
		},
		Pins: r.book, Client: func(mcp.Server) *http.Client { return &http.Client{} }, Getenv: os.Getenv, Filter: func(mcp.Owner) mcp.Filter { return plain{} },
		Folder: t.TempDir(), Home: "home", Version: "test",
	}
	for _, m := range more {
		m(&o)
	}
	r.hub = mcp.New(o)
	t.Cleanup(func() { r.check(r.hub.Close()) })
	r.check(r.hub.Sync(t.Context()))
	return r
}

func (r *rig) check(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// learn connects for the first time.
func (r *rig) learn() *rig {
	r.Helper()
	for range 20 { // the machine may be slow
		if missing := r.hub.Learn(r.Context(), mcp.Scope{Household: "home"}); len(missing) == 0 {
			return r
		}
	}
	r.Fatal(r.hub.Learn(r.Context(), mcp.Scope{Household: "home"}))
	return r
}

func (r *rig) tool(name string) rein.Tool {
	r.Helper()
	tool, ok := r.hub.Tool(mcp.Scope{Household: "home"}, name)
	if !ok {
		r.Fatalf("there is no tool %q", name)
	}
	return tool
}

func invocation(args string) rein.Invocation {
	return rein.Invocation{Key: "k", Args: json.RawMessage(args), Task: &rein.Task{Household: "home", User: "ann"}}
}

func (r *rig) call(name, args string) (rein.Done, error) {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
	defer cancel()
	return r.tool(name).Do(ctx, invocation(args))
}

// noted returns how often the server did something.
func (r *rig) noted(what string) int {
	data, _ := os.ReadFile(filepath.Join(r.folder, what))
	return strings.Count(string(data), "\n")
}

func (r *rig) pid() int {
	r.Helper()
	data, err := os.ReadFile(filepath.Join(r.folder, "pid"))
	r.check(err)
	pid, err := strconv.Atoi(string(data))
	r.check(err)
	return pid
}
