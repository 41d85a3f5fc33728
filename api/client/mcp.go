package client

import (
	"context"
	"net/http"
	"net/url"

	"rein/api"
)

// MCPServers lists the MCP servers.
func (c *Client) MCPServers(ctx context.Context) ([]api.MCPServer, error) {
	var list api.MCPServers
	err := c.do(ctx, http.MethodGet, "/v1/mcp", nil, nil, &list)
	return list.Servers, err
}

// AddMCPServer adds an MCP server. It works only on the machine of the server.
func (c *Client) AddMCPServer(ctx context.Context, s api.NewMCPServer) (added api.MCPServer, err error) {
	return added, c.do(ctx, http.MethodPost, "/v1/mcp", nil, s, &added)
}

// RemoveMCPServer removes an MCP server that was added.
func (c *Client) RemoveMCPServer(ctx context.Context, name string) error {
	return c.do(ctx, http.MethodDelete, "/v1/mcp/"+url.PathEscape(name), nil, nil, nil)
}

// TestMCPServer connects to an MCP server and reports what it has. What is wrong with it is in the report.
func (c *Client) TestMCPServer(ctx context.Context, name string) (report api.MCPReport, err error) {
	return report, c.do(ctx, http.MethodPost, "/v1/mcp/"+url.PathEscape(name)+"/test", nil, nil, &report)
}

// AcceptMCPServer accepts the definitions that the tools of an MCP server have now.
func (c *Client) AcceptMCPServer(ctx context.Context, name string) error {
	return c.do(ctx, http.MethodPost, "/v1/mcp/"+url.PathEscape(name)+"/accept", nil, nil, nil)
}

// LoginMCPServer begins your login to an MCP server: it returns where a browser has to go.
func (c *Client) LoginMCPServer(ctx context.Context, name string) (login api.MCPLogin, err error) {
	return login, c.do(ctx, http.MethodPost, "/v1/mcp/"+url.PathEscape(name)+"/login", nil, nil, &login)
}

// LogoutMCPServer forgets your login to an MCP server.
func (c *Client) LogoutMCPServer(ctx context.Context, name string) error {
	return c.do(ctx, http.MethodDelete, "/v1/mcp/"+url.PathEscape(name)+"/login", nil, nil, nil)
}
