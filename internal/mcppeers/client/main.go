// Client is rein's MCP client as a program for the conformance suite of the protocol: it connects to the server that is
// named last on its command line, as the scenario in MCP_CONFORMANCE_SCENARIO wants, through package tool/mcp.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/tool/mcp"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// ann is who connects.
var ann = mcp.Owner{Household: "home", User: "ann"}

func run() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var given struct {
		ClientID     string `json:"client_id"`
		ClientSecret string `json:"client_secret"`
		Calls        []call `json:"toolCalls"`
	}
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &given); err != nil {
			return err
		}
	}
	scenario := os.Getenv("MCP_CONFORMANCE_SCENARIO")
	s := mcp.Server{Name: "peer", URL: os.Args[len(os.Args)-1], Login: strings.HasPrefix(scenario, "auth/")}
	box := &memory{}
	if s.Login {
		s.ClientID = "https://conformance-test.local/client-metadata.json"
	}
	if given.ClientID != "" {
		s.ClientID, s.ClientSecret = given.ClientID, "secret:client"
		if err := box.Put(ctx, ann, "client", []byte(given.ClientSecret)); err != nil {
			return err
		}
	}
	hub := mcp.New(mcp.Options{
		Servers: func(context.Context) ([]mcp.Server, error) { return []mcp.Server{s}, nil }, Pins: &pins{}, Box: box,
		Client: func(mcp.Server) *http.Client { return &http.Client{} }, Getenv: os.Getenv, Home: ann.Household, Version: "conformance",
	})
	defer hub.Close()
	if err := hub.Sync(ctx); err != nil {
		return err
	}
	if s.Login {
		if err := login(ctx, hub); err != nil {
			return err
		}
	} else if _, err := hub.Test(ctx, s.Name, ann); err != nil {
		return err
	}
	all := given.Calls
	if len(all) == 0 {
		all = eachTool(hub)
	}
	wrong := errors.Join(calls(ctx, hub, all)...)
	if _, again := errors.AsType[*mcp.LoginError](wrong); !again {
		return wrong
	}
	// The server wants more than the token is good for: the person logs in once more.
	if err := login(ctx, hub); err != nil {
		return err
	}
	return errors.Join(calls(ctx, hub, all)...)
}

// login logs in as a person with a browser would.
func login(ctx context.Context, hub *mcp.Hub) error {
	ended := make(chan error, 1)
	where, err := hub.Login(ctx, "peer", ann, "http://127.0.0.1:3000/callback", func(err error) { ended <- err })
	if err != nil || where == "" {
		return err
	}
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := browser.Get(where)
	if err != nil {
		return err
	}
	_ = answer.Body.Close()
	back, err := url.Parse(answer.Header.Get("Location"))
	if err == nil {
		_, err = hub.Finish(ctx, back.Query())
	}
	if err != nil {
		return err
	}
	return <-ended
}

// arguments are what the scenarios want tools to be called with.
var arguments = map[string]string{"peer.add_numbers": `{"a":5,"b":3}`}

// A call is one that a scenario wants to be made.
type call struct {
	Name      string          `json:"name"` // as the server has it
	Arguments json.RawMessage `json:"arguments"`
}

// eachTool is a call of each tool.
func eachTool(hub *mcp.Hub) (all []call) {
	for _, name := range hub.Tools(mcp.Scope{Household: ann.Household}) {
		all = append(all, call{strings.TrimPrefix(name, prefix), json.RawMessage(cmp.Or(arguments[name], "{}"))})
	}
	return all
}

// prefix is what stands before the names of the server's tools.
const prefix = "peer."

func calls(ctx context.Context, hub *mcp.Hub, all []call) (wrong []error) {
	for i, c := range all {
		tool, ok := hub.Tool(mcp.Scope{Household: ann.Household}, prefix+c.Name)
		if !ok {
			wrong = append(wrong, fmt.Errorf("%s: there is no such tool", c.Name))
			continue
		}
		if c.Name == "json_schema_echo" { // it wants to see what became of another tool's schema
			if shown, ok := hub.Tool(mcp.Scope{Household: ann.Household}, prefix+"json_schema_2020_12_tool"); ok {
				c.Arguments = slices.Concat([]byte(`{"schema":`), shown.Schema, []byte("}"))
			}
		}
		_, err := tool.Do(ctx, rein.Invocation{
			Key: fmt.Sprintf("%s %d", c.Name, i), Args: c.Arguments, Task: &rein.Task{Household: ann.Household, User: ann.User},
			Ask: func(context.Context, rein.Question) (rein.Answer, error) {
				return rein.Answer{State: rein.AskAnswered, Text: "-"}, nil // what the server proposes
			},
		})
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", c.Name, err))
		}
	}
	return wrong
}

// memory keeps secrets while the program runs.
type memory struct {
	mu   sync.Mutex
	kept map[string][]byte
}

func (m *memory) Put(_ context.Context, _ mcp.Owner, name string, value []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[string][]byte{}
	}
	m.kept[name] = value
	return nil
}

func (m *memory) Get(_ context.Context, _ mcp.Owner, name string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if value, ok := m.kept[name]; ok {
		return value, nil
	}
	return nil, rein.Errorf(rein.CodeNotFound, "there is no secret %q", name)
}

func (m *memory) Delete(_ context.Context, _ mcp.Owner, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept, name)
	return nil
}

// pins keeps definitions while the program runs.
type pins struct {
	mu   sync.Mutex
	kept []mcp.Pin
}

func (p *pins) Pins(context.Context) ([]mcp.Pin, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept, nil
}

func (p *pins) Pin(_ context.Context, server string, listed []mcp.Definition) ([]mcp.Pin, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = nil
	for _, d := range listed {
		p.kept = append(p.kept, mcp.Pin{Definition: d, Server: server, Hash: d.Hash(), Accepted: d.Hash()})
	}
	return p.kept, nil
}

func (p *pins) Accept(context.Context, string) error { return nil }
