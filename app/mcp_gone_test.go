package app

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"rein"
	"rein/api"
	"rein/household/secrets"
	"rein/tool/mcp"
	"rein/tool/mcp/mcptest"
)

// What an erased user had with an MCP server ends with them: their connection, their token, and a token that is renewed for
// them meanwhile, which is not kept. A user who is only disabled is treated the same until they are back.
func TestErasedUserHasNoMCP(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*App) error{
		"erased": func(a *App) error {
			ann := api.Target{User: "ann"}
			plan, err := a.PlanErasure(t.Context(), api.NewErasure{Target: ann})
			if err == nil {
				_, err = a.Erase(t.Context(), api.NewErasure{Target: ann, Shown: plan.Shown})
			}
			return err
		},
		"disabled": func(a *App) error {
			disabled := true
			_, err := a.ChangeUser(t.Context(), "ann", api.ChangedUser{Disabled: &disabled})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := mcptest.NewGuarded(t.TempDir())
			t.Cleanup(g.Close)
			g.Life.Store(5) // which is so short that each request renews the token
			h := &webHouse{T: t, data: filepath.Join(t.TempDir(), "data")}
			check := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			check(os.Mkdir(h.data, 0o700))
			h.write(fmt.Sprintf("[mcp.servers.far]\nurl = %q\nlogin = true\n", g.Address()))
			a := h.open()
			defer a.Close()
			_, err := a.AddUser(t.Context(), "ann", rein.Member)
			check(err)
			ann, hub := mcp.Owner{Household: rein.FirstHousehold, User: "ann"}, a.owner.peers.hub
			login(t, hub, ann)
			call := func() error {
				tool, ok := hub.Tool(mcp.Scope{Household: ann.Household}, "far.echo")
				if !ok {
					t.Fatal("the tools are not known")
				}
				_, err := tool.Do(t.Context(), rein.Invocation{Args: []byte(`{"text":"x"}`), Task: &rein.Task{Household: ann.Household, User: ann.User}})
				return err
			}
			check(call())
			is := func() mcp.Status { return hub.List(t.Context(), ann)[0] }
			if now := is(); !now.Connected || !now.LoggedIn {
				t.Fatalf("%+v", now)
			}
			check(end(a))
			if now := is(); now.Connected {
				t.Error("the connection is still there")
			}
			err = a.owner.secrets.Put(t.Context(), secrets.Owner(ann), "mcp/far/login", []byte("renewed"))
			if rein.CodeOf(err) != rein.CodeForbidden {
				t.Errorf("a renewed token: %v", err)
			}
			kept, err := a.owner.secrets.Names(t.Context(), secrets.Owner(ann))
			if err != nil || name == "erased" && len(kept) > 0 {
				t.Errorf("%+v %v", kept, err)
			}
			if err := call(); err == nil {
				t.Error("a call of a tool still works")
			}
		})
	}
}

// login logs somebody in to the server "far".
func login(t *testing.T, hub *mcp.Hub, who mcp.Owner) {
	t.Helper()
	where, err := hub.Login(t.Context(), "far", who, "http://127.0.0.1:1/callback", func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	asked, err := url.Parse(where)
	if err == nil {
		_, err = hub.Finish(t.Context(), url.Values{"state": {asked.Query().Get("state")}, "code": {who.User}})
	}
	if err != nil {
		t.Fatal(err)
	}
}
