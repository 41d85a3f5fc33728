package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/tool/mcp"
)

// hostileHTTP is a server over HTTP that answers every call of a tool with what reply writes.
func hostileHTTP(t *testing.T, tools string, reply func(w http.ResponseWriter, id json.RawMessage)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		data, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || json.Unmarshal(data, &m) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		switch m.Method {
		case "initialize":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`, m.ID)
		case "tools/list":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s]}}`, m.ID, tools)
		case "tools/call":
			reply(w, m.ID)
		case "server/discover":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"there is no such method"}}`, m.ID)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const oneTool = `{"name":"echo","inputSchema":{"type":"object"}}`

// An answer without an end is cut off, and names that nobody can use do not fill the memory.
//
// Attack: 85
func TestEndlessAnswers(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	url := hostileHTTP(t, oneTool+`,{"name":"odd","inputSchema":{"type":"object"}}`+strings.Repeat(`,{"name":"","inputSchema":{"type":"object"}}`, 1000), func(w http.ResponseWriter, id json.RawMessage) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, id)
		for range 400 { // MB
			n, err := io.WriteString(w, strings.Repeat("A", 1<<20))
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
		fmt.Fprint(w, `"}]}}`)
	})
	r := newRig(t, func(s *mcp.Server) { s.Command, s.Env, s.URL = nil, nil, url }, func(o *mcp.Options) {
		o.Check = func(tool rein.Tool) error {
			if tool.Name == "test.odd" {
				return errors.New("it is too odd")
			}
			return nil
		}
	}).learn()
	if _, err := r.call("test.echo", `{}`); err == nil || sent.Load() > 100<<20 {
		t.Errorf("%d bytes were read: %v", sent.Load(), err)
	}
	report, err := r.hub.Test(t.Context(), "test", mcp.Owner{Household: "home"})
	if !slices.Contains(report.Wrong, "it is too odd") {
		t.Errorf("nobody reads what is wrong with a tool: %q", report.Wrong)
	}
	if err != nil || len(report.Tools) != 2 || len(report.Wrong) != 21 {
		t.Errorf("%d tools, %d are wrong: %v", len(report.Tools), len(report.Wrong), err)
	}
}

// rawFolder makes this test binary a program that speaks the protocol as it likes, and keeps what it did in a folder.
const rawFolder = "MCPTEST_RAW"

// rawServer announces and asks as often as it can while a tool is called.
func rawServer(folder string) {
	say := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	lines := bufio.NewScanner(os.Stdin)
	answers, calling := 0, json.RawMessage(nil)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Result struct{ Action string }
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			os.Exit(1)
		}
		switch m.Method {
		case "initialize":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"x","version":"1"}}}`, m.ID)
		case "tools/list":
			listed, _ := os.ReadFile(filepath.Join(folder, "listed"))
			_ = os.WriteFile(filepath.Join(folder, "listed"), append(listed, '\n'), 0o600)
			say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s]}}`, m.ID, oneTool)
		case "tools/call":
			calling = m.ID
			for range 500 {
				say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			}
			for i := range 100 {
				say(`{"jsonrpc":"2.0","id":"wish-%d","method":"elicitation/create","params":{"message":"Tell me.","requestedSchema":{"type":"object","properties":{}}}}`, i)
			}
		case "":
			if answers++; answers == 92 { // the other 8 wait for a person
				say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"rein-1","progress":92}}`)
			}
			if answers == 100 {
				say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"over"}]}}`, calling)
			}
		case "notifications/initialized":
		default:
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"there is no such method"}}`, m.ID)
		}
	}
	os.Exit(0)
}

// A server that says all the time that its tools have changed is asked for them now and then; of its questions some wait
// for a person, and the others are declined.
//
// Attack: 85
func TestAServerThatNags(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *mcp.Server) { s.Env = []string{rawFolder + "=" + t.TempDir()} })
	folder := strings.TrimPrefix(r.server.Env[0], rawFolder+"=")
	r.folder = folder
	r.learn()
	declined := make(chan struct{})
	inv := invocation(`{}`)
	inv.Say = func(string) { close(declined) }
	inv.Ask = func(context.Context, rein.Question) (rein.Answer, error) {
		<-declined
		return rein.Answer{State: rein.AskAnswered, Text: "yes"}, nil
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { close(declined) })
	done, err := r.tool("test.echo").Do(ctx, inv)
	if stop(); err != nil || done.Text != "over" {
		t.Errorf("%q: %v", done.Text, err)
	}
	if n := r.noted("listed"); n > 20 {
		t.Errorf("its tools were listed %d times", n)
	}
}
