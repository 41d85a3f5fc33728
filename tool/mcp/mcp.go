// Package mcp lets runs use the tools of MCP servers: programs on this machine that it starts, and servers that it
// calls over HTTP. A Hub keeps one connection for each server and, where people log in, for each person.
//
//	settings, rows ──▶ Server ──▶ Hub ── one connection per server and person ──▶ MCP server
//	                               │
//	                               └──▶ rein.Tool "server.tool": effect, approval, pin
//
// # What a server is believed
//
// Nothing that matters. The names, texts and schemas of its tools are text from outside. A tool is unsafe and asks a
// person before each call, whatever its annotations say, until the operator says otherwise. What people allowed is
// bound to the definition that they saw: see Definition.Hash. Results are outside text as of any tool.
package mcp

import "rein/tool/mcp/spec"

// A Server is an MCP server as somebody configured it.
type Server = spec.Server
