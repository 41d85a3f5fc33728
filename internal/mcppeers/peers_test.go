// Package mcppeers tests rein's MCP client with servers that others wrote, and with the conformance suite of the protocol.
package mcppeers

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/internal/labs"
	"rein/internal/node"
	"rein/tool/mcp"
)

// peers returns Node.js and the folder of packages.
func peers(t *testing.T) (program, modules string) {
	t.Helper()
	modules, err := filepath.Abs("_node/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	return node.Need(t, filepath.Join(modules, ".package-lock.json"), "rein's MCP client is NOT tested with servers from npm"), modules
}

// The suite of the protocol itself finds nothing wrong with rein's client: the released one, and the pre-release with what
// version 2026-07-28 of the protocol requires. make check runs two scenarios.
func TestConformance(t *testing.T) {
	program, modules := peers(t)
	client := filepath.Join(t.TempDir(), "client")
	if out, err := exec.Command("go", "build", "-o", client, "./client").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const released, next = "@modelcontextprotocol/conformance", "conformance-next"
	for _, run := range [][]string{
		{released, "--suite", "core"},
		{released, "--suite", "auth"},
		{released, "--scenario", "initialize"},
		{released, "--scenario", "auth/metadata-default"},
		{next, "--requirements", "2026-07-28"},
	} {
		suite, flags := filepath.Join(modules, filepath.FromSlash(run[0]), "dist", "index.js"), run[1:]
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			if flags[0] != "--scenario" {
				labs.Only(t)
			}
			cmd := exec.CommandContext(t.Context(), program, append([]string{suite, "client", "--command", client, "--timeout", "120000"}, flags...)...)
			cmd.Dir = t.TempDir()
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Run(); err != nil {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}

// The reference servers work as their users expect: files below a folder, a graph of facts, and a server with one of
// everything.
func TestReferenceServers(t *testing.T) {
	program, modules := peers(t)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "note.txt"), []byte("the gate is red"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name             string
		args, env        []string
		tool, with, want string
	}{
		{"filesystem", []string{folder}, nil, "peer.read_text_file", `{"path":"` + folder + `/note.txt"}`, "the gate is red"},
		{"memory", nil, []string{"MEMORY_FILE_PATH=" + folder + "/memory.json"}, "peer.create_entities", `{"entities":[{"name":"gate","entityType":"thing","observations":["red"]}]}`, "gate"},
		{"everything", nil, nil, "peer.echo", `{"message":"hello"}`, "hello"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			command := append([]string{program, filepath.Join(modules, "@modelcontextprotocol", "server-"+c.name, "dist", "index.js")}, c.args...)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			hub := newHub(t, mcp.Server{Name: "peer", Command: command, Env: c.env})
			report, err := hub.Test(ctx, "peer", mcp.Owner{Household: "home", User: "ann"})
			if err != nil || len(report.Tools) == 0 {
				t.Fatalf("%+v %v", report, err)
			}
			tool, ok := hub.Tool(mcp.Scope{Household: "home"}, c.tool)
			if !ok || tool.Effect != rein.Unsafe {
				t.Fatalf("there is no %s among %q", c.tool, hub.Tools(mcp.Scope{Household: "home"}))
			}
			done, err := tool.Do(ctx, rein.Invocation{Key: "k", Args: []byte(c.with), Task: &rein.Task{Household: "home", User: "ann"}})
			if err != nil || !strings.Contains(done.Text, c.want) {
				t.Errorf("%q %v", done.Text, err)
			}
		})
	}
}

// newHub is a hub with one server.
func newHub(t *testing.T, s mcp.Server) *mcp.Hub {
	t.Helper()
	hub := mcp.New(mcp.Options{
		Servers: func(context.Context) ([]mcp.Server, error) { return []mcp.Server{s}, s.Check() }, Pins: &book{}, Folder: t.TempDir(), Home: "home",
		Client: func(mcp.Server) *http.Client { return nil }, Getenv: os.Getenv, Filter: func(mcp.Owner) mcp.Filter { return plain{} }, Version: "test",
	})
	t.Cleanup(func() { _ = hub.Close() })
	if err := hub.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	return hub
}

// A visit is a connection to the server with one of everything.
type visit struct {
	*testing.T
	hub *mcp.Hub
}

func newVisit(t *testing.T, sampling bool) *visit {
	t.Helper()
	program, modules := peers(t)
	command := []string{program, filepath.Join(modules, "@modelcontextprotocol", "server-everything", "dist", "index.js")}
	v := &visit{t, newHub(t, mcp.Server{Name: "peer", Command: command, Sampling: sampling})}
	if missing := v.hub.Learn(t.Context(), home); len(missing) > 0 {
		if _, err := v.hub.Test(t.Context(), "peer", mcp.Owner{Household: "home"}); err != nil { // the machine may be slow
			t.Fatal(missing, err)
		}
	}
	return v
}

var home = mcp.Scope{Household: "home"}

// call calls a tool. Some tools are there only when the server has seen what the client can do, and says so a little later.
func (v *visit) call(name, args string, change func(*rein.Invocation)) rein.Done {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.Context(), time.Minute)
	defer cancel()
	call := func(name, args string, change func(*rein.Invocation)) rein.Done {
		v.Helper()
		tool, _ := v.hub.Tool(home, name)
		inv := rein.Invocation{Key: "k", Args: []byte(args), Task: &rein.Task{Household: "home", User: "ann"}}
		if change != nil {
			change(&inv)
		}
		done, err := tool.Do(ctx, inv)
		if err != nil {
			v.Fatalf("%s: %v", name, err)
		}
		return done
	}
	for {
		if _, ok := v.hub.Tool(home, name); ok {
			return call(name, args, change)
		}
		if ctx.Err() != nil {
			v.Fatalf("there is no %s among %q", name, v.hub.Tools(home))
		}
		call("peer.echo", `{"message":"are you there?"}`, nil)
	}
}

// A picture is a picture, and a call that takes long says how far it is.
func TestEverythingReturns(t *testing.T) {
	t.Parallel()
	v := newVisit(t, false)
	done := v.call("peer.get_tiny_image", `{}`, nil)
	if len(done.Images) != 1 || done.Images[0].Type != "image/png" || !bytes.HasPrefix(done.Images[0].Data, []byte("\x89PNG")) || !strings.Contains(done.Text, "the MCP logo") {
		t.Errorf("%d images: %s", len(done.Images), done.Text)
	}
	var mu sync.Mutex
	said := ""
	done = v.call("peer.trigger_long_running_operation", `{"duration":0.3,"steps":3}`, func(inv *rein.Invocation) {
		inv.Say = func(text string) {
			mu.Lock()
			defer mu.Unlock()
			said += text
		}
	})
	mu.Lock()
	defer mu.Unlock()
	if !strings.Contains(done.Text, "Long running operation completed") || !strings.HasPrefix(said, "1 of 3\n2 of 3\n") {
		t.Errorf("%q, and on the way %q", done.Text, said)
	}
	if _, ok := v.hub.Tool(home, "peer.trigger_sampling_request"); ok {
		t.Error("the server believes that it may use the model")
	}
}

// A form with a field of every kind is filled in by a person, and the server gets what they mean.
func TestEverythingAsks(t *testing.T) {
	t.Parallel()
	v := newVisit(t, false)
	answers := map[string]string{
		"String": "Ann", "Boolean": "yes", "String with default": "-", "String with email format": "ann@example.org", "String with uri format": "-", "String with date format": "2001-02-03",
		"Integer": "seven, no 7", "Number in range 1-1000": "2.5", "Untitled Single Select Enum": "joey", "Untitled Multiple Select Enum": "Piano, drums", "Titled Single Select Enum": "Green Lantern",
		"Titled Multiple Select Enum": "Tuna,Trout", "Legacy Titled Single Select Enum": "Fish",
	}
	asked := 0
	done := v.call("peer.trigger_elicitation_request", `{}`, func(inv *rein.Invocation) {
		inv.Ask = func(_ context.Context, q rein.Question) (rein.Answer, error) {
			asked++
			for title, word := range answers {
				if !strings.Contains(q.Text, `which it calls "`+title+`"`) {
					continue
				}
				if title == "String with default" && !strings.Contains(q.Text, `(- leaves it out, and the server gets "It was a dark and stormy night.".)`) {
					t.Errorf("the person does not read what the server gets: %s", q.Text)
				}
				if before, after, mistaken := strings.Cut(word, ", no "); mistaken { // what cannot be read is asked for again
					word, answers[title] = before, after
				}
				return rein.Answer{State: rein.AskAnswered, Text: word}, nil
			}
			t.Errorf("nobody knows an answer to %q", q.Text)
			return rein.Answer{State: rein.AskDeclined}, nil
		}
	})
	_, raw, _ := strings.Cut(done.Text, "Raw result: ")
	var got struct {
		Action  string
		Content map[string]any
	}
	if err := json.Unmarshal([]byte(raw), &got); err != nil {
		t.Fatalf("%v: %s", err, done.Text)
	}
	want := map[string]any{
		"name": "Ann", "check": true, "firstLine": "It was a dark and stormy night.", "email": "ann@example.org", "birthdate": "2001-02-03", "integer": 7.0, "number": 2.5, "untitledSingleSelectEnum": "Joey",
		"untitledMultipleSelectEnum": []any{"Piano", "Drums"}, "titledSingleSelectEnum": "hero-2", "titledMultipleSelectEnum": []any{"fish-1", "fish-3"}, "legacyTitledEnum": "pet-4",
	}
	if diff := cmp.Diff(want, got.Content); diff != "" || got.Action != "accept" || asked != 14 {
		t.Errorf("%s after %d questions: %s", got.Action, asked, diff)
	}
	done = v.call("peer.trigger_elicitation_request", `{}`, nil)
	if !strings.Contains(done.Text, "User declined") {
		t.Errorf("without anybody to ask: %s", done.Text)
	}
}

// A server that may use the model gets its text, and nothing else of the run.
func TestEverythingConsults(t *testing.T) {
	t.Parallel()
	v := newVisit(t, true)
	var seen []rein.Message
	done := v.call("peer.trigger_sampling_request", `{"prompt":"Write about roses.","maxTokens":50}`, func(inv *rein.Invocation) {
		inv.Consult = func(_ context.Context, messages []rein.Message, most int64) (rein.Message, error) {
			if seen = messages; most != 50 {
				t.Errorf("it may have %d tokens", most)
			}
			return rein.Message{Role: rein.Assistant, Text: "Roses are red."}, nil
		}
	})
	if !strings.Contains(done.Text, "LLM sampling result") || !strings.Contains(done.Text, "Roses are red.") {
		t.Errorf("%s", done.Text)
	}
	if len(seen) != 2 || !strings.Contains(seen[1].Text, "Write about roses.") || !strings.Contains(seen[1].Text, "<untrusted") {
		t.Errorf("the model reads %+v", seen)
	}
}

// plain is a filter that knows no secrets.
type plain struct{}

func (plain) Write(text string) string { return text }
func (plain) Cut() string              { return "" }

// book keeps what one server lists. A server can list its tools again at any time.
type book struct {
	mu   sync.Mutex
	kept []mcp.Pin
}

func (b *book) Pins(context.Context) ([]mcp.Pin, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.kept, nil
}

func (b *book) Pin(_ context.Context, server string, listed []mcp.Definition) ([]mcp.Pin, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept = nil
	for _, d := range listed {
		b.kept = append(b.kept, mcp.Pin{Definition: d, Server: server, Hash: d.Hash(), Accepted: d.Hash()})
	}
	return b.kept, nil
}

func (b *book) Accept(context.Context, string) error { return nil }
