package api

import (
	"time"

	"rein"
)

// An MCPServer is an MCP server whose tools runs can use.
type MCPServer struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // stdio: a program on the machine of the server; http: it is called over HTTP
	From string `json:"from"` // settings, added or workspace
	// Command and URL say how it is reached. Only admins of the household that owns the server see them.
	Command []string `json:"command,omitempty"`
	URL     string   `json:"url,omitempty"`
	State   string   `json:"state"`           // idle (the next call connects), connected, or failed
	Error   string   `json:"error,omitempty"` // why it failed
	// Next is when a failed server is tried again.
	Next     time.Time `json:"next,omitzero"`
	Login    bool      `json:"login,omitempty"`     // each person logs in
	LoggedIn bool      `json:"logged_in,omitempty"` // you are
	Tools    []MCPTool `json:"tools"`
}

// An MCPTool is a tool of an MCP server.
type MCPTool struct {
	Name   string      `json:"name"`   // in rein
	Native string      `json:"native"` // on the server
	About  string      `json:"about,omitempty"`
	Effect rein.Effect `json:"effect"`
	Asks   bool        `json:"asks,omitempty"`   // a call can wait for a person's approval
	Denied bool        `json:"denied,omitempty"` // the settings deny it
	Hash   string      `json:"hash"`             // of its definition; approvals hold for this definition only
	// Changed says that the server has changed the definition since it was accepted, so the settings do not hold for it.
	Changed bool `json:"changed,omitempty"`
	Gone    bool `json:"gone,omitempty"` // the server does not list it any more
}

// MCPServers is the answer to GET /v1/mcp.
type MCPServers struct {
	Servers []MCPServer `json:"servers"`
}

// NewMCPServer is the body of POST /v1/mcp. It needs a command or a URL.
type NewMCPServer struct {
	Name    string   `json:"name"`
	Command []string `json:"command,omitempty"` // the program and its arguments; no shell reads them
	Env     []string `json:"env,omitempty"`     // variables for the program: NAME=VALUE, or NAME for the value that rein has
	URL     string   `json:"url,omitempty"`
	// Headers go with each request. In env and here a value "env:NAME" is that of a variable, "secret:NAME" that of the user's
	// secret. Other values are kept sealed, unless they are plainly no secrets.
	Headers    map[string]string      `json:"headers,omitempty"`
	Login      bool                   `json:"login,omitempty"` // each person logs in, by OAuth
	ClientID   string                 `json:"client_id,omitempty"`
	Allow      []string               `json:"allow,omitempty"`   // tools that need no approval
	Deny       []string               `json:"deny,omitempty"`    // tools that are not offered
	Effects    map[string]rein.Effect `json:"effects,omitempty"` // what tools do, by name
	NoCode     []string               `json:"no_code,omitempty"` // tools that cannot look into code, so the flow research may call them
	TrustHints bool                   `json:"trust_hints,omitempty"`
	Roots      bool                   `json:"roots,omitempty"`   // tell it the folder of the run's workspace
	Private    bool                   `json:"private,omitempty"` // it may redirect to private addresses
	Sandbox    bool                   `json:"sandbox,omitempty"`
	Read       []string               `json:"read,omitempty"`
	Write      []string               `json:"write,omitempty"`
	Network    bool                   `json:"network,omitempty"`
}

// MCPReport is what a test of an MCP server found.
type MCPReport struct {
	MCPServer
	Title     string   `json:"title,omitempty"`    // the server's own name and version
	Protocol  string   `json:"protocol,omitempty"` // the version of MCP
	Wrong     []string `json:"wrong,omitempty"`    // what cannot be used, and why
	Resources []string `json:"resources,omitempty"`
	Prompts   []string `json:"prompts,omitempty"`
}

// MCPLogin is where a browser has to go to log in; empty: you are logged in.
type MCPLogin struct {
	URL string `json:"url"`
}
