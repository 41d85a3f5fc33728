-- +goose Up

-- What people decided about what folders bring (instructions, skills, rules, commands, MCP servers). A decision is about
-- one content, by its hash, and stays as it is: a newer one for the same place follows it, and revoking it only marks it.
CREATE TABLE trust (
	n          INTEGER PRIMARY KEY,
	id         TEXT NOT NULL,
	household  TEXT NOT NULL,
	root       TEXT NOT NULL, -- the folder of the workspace
	folder     TEXT NOT NULL, -- where in it somebody worked; empty: in the root
	hash       TEXT NOT NULL, -- of all that it brought
	files      TEXT NOT NULL, -- what that was: paths, kinds and sums, as JSON
	declined   INTEGER NOT NULL, -- 1: the person said no, and is not asked about this content again
	by_user    TEXT NOT NULL,
	created    INTEGER NOT NULL,
	replaced   INTEGER NOT NULL, -- when a newer decision came; 0: it is the newest
	revoked    INTEGER NOT NULL, -- when; 0: it is not
	revoked_by TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX trust_id ON trust (id);
CREATE INDEX trust_root ON trust (household, root);

-- The files of skills that runs were started with, by their SHA-256. A run uses these bytes, whatever is on the disk by
-- then.
CREATE TABLE skill_files (
	sum  TEXT PRIMARY KEY,
	data BLOB NOT NULL
) STRICT, WITHOUT ROWID;
