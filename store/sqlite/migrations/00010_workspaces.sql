-- +goose Up

-- Workspaces that were added beside those of the settings.
CREATE TABLE workspaces (
	name      TEXT PRIMARY KEY,
	household TEXT NOT NULL,
	root      TEXT NOT NULL, -- the folder of the file tools; empty: none
	vault     TEXT NOT NULL, -- the folder of notes; empty: none, or of origin folder: that of the settings
	include   TEXT NOT NULL, -- lists, as JSON
	exclude   TEXT NOT NULL,
	ask       TEXT NOT NULL,
	deny      TEXT NOT NULL,
	shared    INTEGER NOT NULL, -- 1: users may name it over the network
	origin    TEXT NOT NULL,    -- added or folder
	made_by   TEXT NOT NULL,
	created   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What runs may see that were started under these rules. A task holds the hash.
CREATE TABLE workspace_rules (
	hash  TEXT PRIMARY KEY,
	rules TEXT NOT NULL
) STRICT, WITHOUT ROWID;
