package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/household/servers"
	"rein/store/sqlite"
	"rein/tool/mcp"
	"rein/tool/mcp/mcptest"
)

const typedToken = "Kumquat-typed-4d81e0"

// A sealedHouse is a data folder with an MCP server that was added to it.
type sealedHouse struct {
	*webHouse
	did      string
	warnings []string
}

func newSealedHouse(t *testing.T, settings string) *sealedHouse {
	t.Helper()
	h := &sealedHouse{webHouse: &webHouse{T: t, data: filepath.Join(t.TempDir(), "data")}, did: t.TempDir()}
	h.check(os.Mkdir(h.data, 0o700))
	h.write(settings)
	return h
}

func (h *sealedHouse) check(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func (h *sealedHouse) opened() *App {
	h.Helper()
	h.warnings = nil
	a, err := Open(h.Context(), Options{Data: h.data, Config: h.config(), Env: []string{}, Warn: func(text string) { h.warnings = append(h.warnings, text) }})
	h.check(err)
	return a
}

// added is a server that is this program.
func (h *sealedHouse) added(env ...string) api.NewMCPServer {
	return api.NewMCPServer{Name: "demo", Command: []string{os.Args[0]}, Env: append(mcptest.Env(h.did), env...)}
}

// variable returns a variable as the server has it.
func (h *sealedHouse) variable(a *App, name string) string {
	h.Helper()
	tool, ok := a.owner.peers.hub.Tool(mcp.Scope{Household: rein.FirstHousehold}, "demo.variable")
	if !ok {
		h.Fatal("the tools are not known")
	}
	done, err := tool.Do(h.Context(), rein.Invocation{Args: []byte(`{"text":"` + name + `"}`), Task: &rein.Task{Household: rein.FirstHousehold, User: "ann"}})
	h.check(err)
	return done.Text
}

// holding lists the files of the data folder that have a text in them.
func (h *sealedHouse) holding(text string) (found []string) {
	h.Helper()
	h.check(filepath.WalkDir(h.data, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), text) {
			found = append(found, e.Name())
		}
		return err
	}))
	return found
}

// What is typed for a server is sealed, and everyone's runs use it. The same again changes nothing, another value is another
// server, and what was typed goes with the server.
func TestTypedForAServer(t *testing.T) {
	t.Parallel()
	h := newSealedHouse(t, "")
	a := h.opened()
	defer a.Close()
	for range 2 {
		_, err := a.AddMCPServer(t.Context(), h.added("TOKEN="+typedToken))
		h.check(err)
	}
	if got := h.variable(a, "TOKEN"); got != typedToken {
		t.Errorf("the server has %q", got)
	}
	if files := h.holding(typedToken); len(files) > 0 {
		t.Errorf("%q have it", files)
	}
	if _, err := a.AddMCPServer(t.Context(), h.added("TOKEN=another-0f3")); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("another value: %v", err)
	}
	if got := h.variable(a, "TOKEN"); got != typedToken {
		t.Errorf("a refused value is used: %q", got)
	}
	h.check(a.RemoveMCPServer(t.Context(), "demo"))
	if left, err := a.owner.secrets.Names(t.Context(), typedFor); err != nil || len(left) > 0 {
		t.Errorf("after it was removed: %v %v", left, err)
	}
	_, err := a.AddMCPServer(t.Context(), h.added("TOKEN=another-0f3"))
	h.check(err)
	if got := h.variable(a, "TOKEN"); got != "another-0f3" {
		t.Errorf("the server has %q", got)
	}
	if _, err := a.AddMCPServer(t.Context(), api.NewMCPServer{Name: "other", Command: []string{"x"}, Env: []string{"A=secret:mcp/demo/value.TOKEN"}}); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("a server gets what was typed for another: %v", err)
	}
}

// What earlier versions kept readable is sealed when the folder is first opened, and is then in no file of it.
func TestServersOfOlderFolders(t *testing.T) {
	t.Parallel()
	h := newSealedHouse(t, "")
	row := `{"name":"demo","command":["` + os.Args[0] + `"],"env":["` + mcptest.Env(h.did)[0] + `","TOKEN=` + typedToken + `"]}`
	h.check(h.opened().Close())
	h.tables(func(b servers.Book) {
		h.check(b.Add(t.Context(), servers.Server{Name: "demo", Spec: row, By: "owner"}))
	})
	if len(h.holding(typedToken)) == 0 {
		t.Fatal("it is not there before either")
	}
	a := h.opened()
	if files := h.holding(typedToken); len(files) > 0 || len(h.warnings) > 0 {
		t.Errorf("%q have it; %q", files, h.warnings)
	}
	if _, err := a.TestMCPServer(t.Context(), "demo"); err != nil || h.variable(a, "TOKEN") != typedToken {
		t.Errorf("the server has %q: %v", h.variable(a, "TOKEN"), err)
	}
	h.check(a.Close())
	h.check(h.opened().Close())
	if len(h.warnings) > 0 {
		t.Errorf("the second time: %q", h.warnings)
	}
}

// Where it cannot be sealed the server is not used, and people read what to do. Nothing else is in the way.
func TestServersThatCannotBeSealed(t *testing.T) {
	t.Parallel()
	h := newSealedHouse(t, "")
	h.check(h.opened().Close())
	h.tables(func(b servers.Book) {
		for name, spec := range map[string]string{
			"demo": `{"name":"demo","command":["true"],"env":["TOKEN=` + typedToken + `"]}`,
			"args": `{"name":"args","command":["true","--api-key=` + typedToken + `"]}`,
		} {
			h.check(b.Add(t.Context(), servers.Server{Name: name, Spec: spec, By: "owner"}))
		}
	})
	h.write("secret_key_file = \"" + h.did + "/no.key\"\n")
	a := h.opened()
	defer a.Close()
	said := strings.Join(h.warnings, "\n")
	for _, want := range []string{"MCP server demo, which was added with rein mcp add, is not used", "there is no key file", "argument 1 of the command looks like a secret", "rein mcp remove args"} {
		if !strings.Contains(said, want) {
			t.Errorf("nobody reads %q:\n%s", want, said)
		}
	}
	if strings.Contains(said, typedToken) {
		t.Errorf("it is shown:\n%s", said)
	}
	all, err := a.MCPServers(t.Context())
	if err != nil || slices.ContainsFunc(all, func(s api.MCPServer) bool { return s.Name == "demo" || s.Name == "args" }) {
		t.Errorf("%+v %v", all, err)
	}
	h.check(a.RemoveMCPServer(t.Context(), "args"))
}

// tables changes the tables while nothing has them open.
func (h *sealedHouse) tables(do func(servers.Book)) {
	h.Helper()
	s, err := sqlite.Open(context.Background(), filepath.Join(h.data, "rein.db"), sqlite.Options{})
	h.check(err)
	do(servers.Book{Tables: s})
	h.check(s.Close())
}
