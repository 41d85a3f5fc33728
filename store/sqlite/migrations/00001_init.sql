-- +goose Up

-- Times are microseconds since 1970, UTC. Amounts are packed (amount.go), payloads too (store.Pack).

CREATE TABLE households (
	n    INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE sessions (
	n           INTEGER PRIMARY KEY,
	id          TEXT NOT NULL UNIQUE,
	household_n INTEGER NOT NULL REFERENCES households (n),
	user        TEXT NOT NULL,
	started     INTEGER NOT NULL,
	changed     INTEGER NOT NULL,
	runs        INTEGER NOT NULL -- root runs
) STRICT;

CREATE TABLE runs (
	n         INTEGER PRIMARY KEY,
	id        TEXT NOT NULL UNIQUE,
	session_n INTEGER NOT NULL REFERENCES sessions (n),
	depth     INTEGER NOT NULL, -- 0: a root
	done      INTEGER NOT NULL, -- 1: it has ended
	status    TEXT NOT NULL,
	ending    TEXT NOT NULL,
	epoch     INTEGER NOT NULL,
	seq       INTEGER NOT NULL,
	command   INTEGER NOT NULL,
	started   INTEGER NOT NULL,
	changed   INTEGER NOT NULL,
	wake_at   INTEGER,
	erased    INTEGER NOT NULL,
	hash      BLOB NOT NULL, -- of its last event
	digest    BLOB, -- NULL: erased
	flow      TEXT NOT NULL,
	title     TEXT NOT NULL,
	outcome   BLOB
) STRICT;
CREATE INDEX runs_due ON runs (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX runs_session ON runs (session_n);
CREATE INDEX runs_active ON runs (session_n) WHERE done = 0 AND depth = 0;

-- Events are kept in the order in which they were written, whatever their run, so that a commit
-- touches few pages; the index finds those of one run.
CREATE TABLE events (
	n      INTEGER PRIMARY KEY,
	run_n  INTEGER NOT NULL REFERENCES runs (n),
	seq    INTEGER NOT NULL,
	kind   TEXT NOT NULL,
	step   TEXT NOT NULL,
	at     INTEGER NOT NULL,
	by     TEXT NOT NULL,
	spend  BLOB,
	salt   BLOB, -- NULL: erased
	data   BLOB, -- NULL: erased
	digest BLOB, -- of the payload, once it is erased
	hash   BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_run ON events (run_n, seq);

CREATE TABLE texts (
	n           INTEGER PRIMARY KEY,
	household_n INTEGER NOT NULL REFERENCES households (n),
	hash        BLOB NOT NULL,
	data        BLOB NOT NULL,
	UNIQUE (hash, household_n)
) STRICT;

CREATE TABLE text_refs (
	run_n  INTEGER NOT NULL REFERENCES runs (n),
	text_n INTEGER NOT NULL REFERENCES texts (n),
	PRIMARY KEY (run_n, text_n)
) STRICT, WITHOUT ROWID;
CREATE INDEX text_refs_text ON text_refs (text_n);

CREATE TABLE asks (
	n     INTEGER PRIMARY KEY,
	id    TEXT NOT NULL UNIQUE,
	run_n INTEGER NOT NULL REFERENCES runs (n),
	state TEXT NOT NULL,
	data  BLOB NOT NULL
) STRICT;
CREATE INDEX asks_run ON asks (run_n);
CREATE INDEX asks_pending ON asks (run_n) WHERE state = 'pending';

CREATE TABLE commands (
	run_n   INTEGER NOT NULL REFERENCES runs (n),
	seq     INTEGER NOT NULL,
	key     TEXT, -- NULL: nobody sent it, it followed from another command
	digest  BLOB, -- of its content; NULL: erased
	kind    TEXT NOT NULL,
	by      TEXT NOT NULL,
	state   TEXT NOT NULL,
	step    TEXT NOT NULL,
	started TEXT NOT NULL,
	PRIMARY KEY (run_n, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX commands_key ON commands (run_n, key) WHERE key IS NOT NULL;

CREATE TABLE ledgers (
	run_n   INTEGER PRIMARY KEY REFERENCES runs (n), -- the root of the tree
	cap     BLOB NOT NULL,
	depth   INTEGER NOT NULL,
	used    BLOB NOT NULL,
	overrun BLOB NOT NULL
) STRICT;
