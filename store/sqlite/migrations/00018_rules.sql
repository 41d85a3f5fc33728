-- +goose Up

-- What people allowed beyond one call when they approved it. A row is named by its ask and pattern, so that it is
-- written once; one that was revoked stays, so that it does not come back. The chain of people covers the rows.
CREATE TABLE rules (
	id         TEXT PRIMARY KEY,
	household  TEXT NOT NULL,
	user_name  TEXT NOT NULL, -- whose runs it holds for
	workspace  TEXT NOT NULL,
	root       TEXT NOT NULL, -- the folder of the workspace then
	tool       TEXT NOT NULL,
	scope      TEXT NOT NULL, -- session or always
	session    TEXT NOT NULL, -- of the scope session; empty otherwise
	pattern    TEXT NOT NULL, -- as it was shown
	ask        TEXT NOT NULL, -- the approval that made it
	by_user    TEXT NOT NULL,
	created    INTEGER NOT NULL,
	revoked    INTEGER NOT NULL, -- when; 0: it is not
	revoked_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX rules_held ON rules (household, user_name, workspace, tool) WHERE revoked = 0;
CREATE INDEX rules_listed ON rules (household, created, id);
