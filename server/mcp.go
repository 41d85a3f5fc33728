package server

import (
	"context"
	"net/http"
	"net/url"

	"rein"
	"rein/api"
	"rein/server/wire"
)

// MCP are the MCP servers whose tools runs can use.
type MCP interface {
	List(ctx context.Context, who rein.Identity) ([]api.MCPServer, error)
	Add(ctx context.Context, who rein.Identity, s api.NewMCPServer) (api.MCPServer, error)
	Remove(ctx context.Context, who rein.Identity, name string) error
	// Test connects to a server. What is wrong with it is in the report.
	Test(ctx context.Context, who rein.Identity, name string) (api.MCPReport, error)
	Accept(ctx context.Context, who rein.Identity, name string) error
	// Login begins the login of the sender: it returns where their browser has to go.
	Login(ctx context.Context, who rein.Identity, name string) (api.MCPLogin, error)
	Logout(ctx context.Context, who rein.Identity, name string) error
}

// withMCP is do for a server that has MCP servers.
func (s *server) withMCP(do handler) handler {
	if s.MCP != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error { return noMCP() }
}

func noMCP() error { return rein.Errorf(rein.CodeUnavailable, "this process has no MCP servers") }

func (s *server) listMCP(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	list, err := s.MCP.List(r.Context(), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.MCPServers{Servers: append([]api.MCPServer{}, list...)})
}

func (s *server) addMCP(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewMCPServer
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if s.MCP == nil {
		return noMCP()
	}
	ctx, cancel := lasting(r)
	defer cancel()
	added, err := s.MCP.Add(ctx, who, body)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/v1/mcp/"+url.PathEscape(added.Name))
	return answer(w, http.StatusCreated, added)
}

func (s *server) removeMCP(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	return s.withoutAnswer(w, r, func(ctx context.Context) error { return s.MCP.Remove(ctx, who, r.PathValue("name")) })
}

func (s *server) acceptMCP(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	return s.withoutAnswer(w, r, func(ctx context.Context) error { return s.MCP.Accept(ctx, who, r.PathValue("name")) })
}

// withoutAnswer does something that has no answer.
func (s *server) withoutAnswer(w http.ResponseWriter, r *http.Request, do func(context.Context) error) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := do(ctx); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *server) testMCP(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	report, err := s.MCP.Test(r.Context(), who, r.PathValue("name"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, report)
}

func (s *server) loginMCP(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	login, err := s.MCP.Login(r.Context(), who, r.PathValue("name"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, login)
}

func (s *server) logoutMCP(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	return s.withoutAnswer(w, r, func(ctx context.Context) error { return s.MCP.Logout(ctx, who, r.PathValue("name")) })
}

func (s *server) mcpOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/mcp", name: "listMCP", tag: "mcp", summary: "List the MCP servers whose tools runs can use. Admins also see how they are reached",
			needs: rein.ScopeRead, answers: ok(api.MCPServers{}), do: s.withMCP(s.listMCP),
		},
		{
			method: "POST", path: "/v1/mcp", name: "addMCP", tag: "mcp", summary: "Add an MCP server. This works only on the machine of the server, with rein mcp add",
			needs: rein.ScopeAdmin, body: api.NewMCPServer{}, answers: []reply{{status: http.StatusCreated, value: api.MCPServer{}}}, do: s.addMCP,
		},
		{
			method: "DELETE", path: "/v1/mcp/{name}", name: "removeMCP", tag: "mcp", summary: "Remove an MCP server that was added. This works only on the machine of the server",
			needs: rein.ScopeAdmin, answers: []reply{{status: http.StatusNoContent}}, do: s.withMCP(s.removeMCP),
		},
		{
			method: "POST", path: "/v1/mcp/{name}/test", name: "testMCP", tag: "mcp", summary: "Connect to an MCP server and report its tools, resources and prompts, and what is wrong with it",
			needs: rein.ScopeAdmin, answers: ok(api.MCPReport{}), do: s.withMCP(s.testMCP),
		},
		{
			method: "POST", path: "/v1/mcp/{name}/login", name: "loginMCP", tag: "mcp", summary: "Begin your login to an MCP server. The answer is where your browser has to go",
			needs: rein.ScopeAct, answers: ok(api.MCPLogin{}), do: s.withMCP(s.loginMCP),
		},
		{
			method: "DELETE", path: "/v1/mcp/{name}/login", name: "logoutMCP", tag: "mcp", summary: "Forget your login to an MCP server",
			needs: rein.ScopeAct, answers: []reply{{status: http.StatusNoContent}}, do: s.withMCP(s.logoutMCP),
		},
		{
			method: "POST", path: "/v1/mcp/{name}/accept", name: "acceptMCP", tag: "mcp", summary: "Accept the definitions that the tools of an MCP server have now, so that the settings hold for them",
			needs: rein.ScopeAdmin, answers: []reply{{status: http.StatusNoContent}}, do: s.withMCP(s.acceptMCP),
		},
	}
}
