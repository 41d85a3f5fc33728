-- +goose Up

-- What is known of people, apart from the logs. A row that a step wrote names it, so that a commit
-- that is repeated writes it once; item counts the rows of one step.

CREATE TABLE memories (
	n         INTEGER PRIMARY KEY,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	kind      TEXT NOT NULL,
	text      TEXT NOT NULL,
	source    TEXT NOT NULL, -- the run in which it was said
	created   INTEGER NOT NULL,
	forgotten INTEGER NOT NULL, -- when; 0: it is not
	run       TEXT NOT NULL,
	step      TEXT NOT NULL,
	item      INTEGER NOT NULL
) STRICT;
CREATE INDEX memories_user ON memories (household, user_name, created);
CREATE UNIQUE INDEX memories_step ON memories (run, step, item) WHERE run <> '';

CREATE TABLE snapshots (
	n         INTEGER PRIMARY KEY,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL, -- who said it
	scope     TEXT NOT NULL, -- user: for them alone; household: for everyone of it
	text      TEXT NOT NULL,
	source    TEXT NOT NULL,
	created   INTEGER NOT NULL,
	expires   INTEGER NOT NULL,
	run       TEXT NOT NULL,
	step      TEXT NOT NULL,
	item      INTEGER NOT NULL
) STRICT;
CREATE INDEX snapshots_household ON snapshots (household, created);
CREATE UNIQUE INDEX snapshots_step ON snapshots (run, step, item) WHERE run <> '';

CREATE TABLE preferences (
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	key       TEXT NOT NULL,
	value     TEXT NOT NULL,
	changed   INTEGER NOT NULL,
	PRIMARY KEY (household, user_name, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE session_summaries (
	n         INTEGER PRIMARY KEY,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	kind      TEXT NOT NULL, -- session or day
	about     TEXT NOT NULL, -- the session's ID, or the day as 2006-01-02
	text      TEXT NOT NULL,
	began     INTEGER NOT NULL,
	ended     INTEGER NOT NULL,
	created   INTEGER NOT NULL,
	run       TEXT NOT NULL,
	step      TEXT NOT NULL
) STRICT;
CREATE INDEX session_summaries_user ON session_summaries (household, user_name, kind, ended);
CREATE UNIQUE INDEX session_summaries_step ON session_summaries (run, step) WHERE run <> '';
