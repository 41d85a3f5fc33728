-- +goose Up

-- MCP servers that were added beside those of the settings.
CREATE TABLE mcp_servers (
	name    TEXT PRIMARY KEY,
	spec    TEXT NOT NULL, -- how it is reached, as JSON; no secrets are in it
	made_by TEXT NOT NULL,
	created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The tools of MCP servers as they were last described, so that a run knows its tools while a server is down, and a
-- changed description is noticed.
CREATE TABLE mcp_tools (
	server     TEXT NOT NULL,
	name       TEXT NOT NULL, -- on the server
	definition TEXT NOT NULL, -- as JSON
	hash       TEXT NOT NULL, -- of the definition
	accepted   TEXT NOT NULL, -- the hash that the operator's settings are for
	changed    INTEGER NOT NULL, -- when the definition last changed; 0: never
	gone       INTEGER NOT NULL, -- 1: the server does not list it any more
	PRIMARY KEY (server, name)
) STRICT, WITHOUT ROWID;
