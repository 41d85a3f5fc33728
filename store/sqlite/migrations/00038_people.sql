-- +goose Up

-- How people join a household, and how their devices get in. Of a secret there is only its hash. A time of 0 is never.

-- Invitations: each makes one user.
CREATE TABLE invites (
	id        TEXT PRIMARY KEY,
	hash      BLOB NOT NULL,
	household TEXT NOT NULL,
	role      TEXT NOT NULL,
	user_name TEXT NOT NULL, -- whom it is for; empty: whoever comes chooses a name, which is here then
	by_user   TEXT NOT NULL,
	created   INTEGER NOT NULL,
	expires   INTEGER NOT NULL,
	used      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invites_household ON invites (household, created);

-- Short codes that log a device in. The hash is of many rounds: a code is short.
CREATE TABLE pairings (
	id        TEXT PRIMARY KEY,
	hash      BLOB NOT NULL UNIQUE,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	created   INTEGER NOT NULL,
	expires   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pairings_user ON pairings (household, user_name, created);

-- What people know a browser by, beside its row in browsers, which has the same ID.
CREATE TABLE devices (
	id        TEXT PRIMARY KEY,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	label     TEXT NOT NULL,
	came_by   TEXT NOT NULL -- link, code or invite
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_user ON devices (household, user_name);
