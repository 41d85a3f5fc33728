-- +goose Up

-- People and what they are recognised by. Of a secret there is only its SHA-256. A time of 0 is never.

CREATE TABLE users (
	household TEXT NOT NULL,
	name      TEXT NOT NULL,
	role      TEXT NOT NULL,
	created   INTEGER NOT NULL,
	disabled  INTEGER NOT NULL, -- when; 0: they are not
	PRIMARY KEY (household, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
	id        TEXT PRIMARY KEY,
	hash      BLOB NOT NULL,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	label     TEXT NOT NULL,
	scopes    TEXT NOT NULL, -- separated by spaces
	created   INTEGER NOT NULL,
	expires   INTEGER NOT NULL,
	revoked   INTEGER NOT NULL,
	last_used INTEGER NOT NULL -- to the minute
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_user ON tokens (household, user_name, created);

CREATE TABLE login_links (
	id        TEXT PRIMARY KEY,
	hash      BLOB NOT NULL,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	created   INTEGER NOT NULL,
	expires   INTEGER NOT NULL,
	used      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX login_links_user ON login_links (household, user_name);

CREATE TABLE browsers (
	id        TEXT PRIMARY KEY,
	hash      BLOB NOT NULL,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	created   INTEGER NOT NULL,
	expires   INTEGER NOT NULL,
	last_seen INTEGER NOT NULL, -- to the minute
	revoked   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX browsers_user ON browsers (household, user_name, created);

CREATE TABLE people_changes (
	n         INTEGER PRIMARY KEY,
	household TEXT NOT NULL,
	changed   INTEGER NOT NULL,
	by_user   TEXT NOT NULL,
	via       TEXT NOT NULL, -- what they were recognised by
	what      TEXT NOT NULL,
	on_user   TEXT NOT NULL,
	detail    TEXT NOT NULL
) STRICT;
CREATE INDEX people_changes_household ON people_changes (household, n);
