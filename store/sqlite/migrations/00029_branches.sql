-- +goose Up

-- Sessions that began where an earlier message of another session was edited. They inherit the runs of that session
-- before this one, by reference: nothing is copied. A row stays when its runs are erased.
CREATE TABLE session_branches (
	n         INTEGER PRIMARY KEY,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	session   TEXT NOT NULL, -- the branch; its first run has the same name
	origin    TEXT NOT NULL, -- the session that it leaves
	run       TEXT NOT NULL, -- the run of the origin that it begins instead of
	until     INTEGER NOT NULL, -- when that run began, in microseconds
	created   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX session_branches_session ON session_branches (household, user_name, session);
CREATE INDEX session_branches_origin ON session_branches (household, user_name, origin);
