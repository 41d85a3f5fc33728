-- +goose Up

-- The chain of what was done to the records of people (users, tokens, login links, browsers, changes).
-- An entry has a salted digest of the record as the change left it. When the record is changed again or
-- goes, its name and the salt are taken out of the entry: nothing can be guessed from what stays, and
-- the chain holds.
CREATE TABLE people_chain (
	n       INTEGER PRIMARY KEY, -- 1, 2, 3 …
	changed INTEGER NOT NULL,
	what    TEXT NOT NULL, -- set, gone, or found: it was not what the entry before said
	follows INTEGER NOT NULL, -- the entry before it of the same record; 0: it is the first
	record  TEXT, -- NULL: another entry follows, or it is gone
	salt    BLOB,
	digest  BLOB NOT NULL,
	hash    BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX people_chain_record ON people_chain (record) WHERE record IS NOT NULL;

-- When the records that there were before the chain got into it.
CREATE TABLE people_chained (since INTEGER NOT NULL) STRICT;

-- Checkpoints: one hash over the state of everything. See store.Checkpoint.
CREATE TABLE checkpoints (
	n        INTEGER PRIMARY KEY, -- 1, 2, 3 …
	made     INTEGER NOT NULL,
	runs     INTEGER NOT NULL,
	digest   BLOB NOT NULL, -- of every run's ID, sequence and hash, in the order of IDs
	people_n INTEGER NOT NULL, -- the newest entry of people_chain; 0: there was none
	people   BLOB NOT NULL, -- its hash
	hash     BLOB NOT NULL -- with that of the checkpoint before
) STRICT;

-- What a checkpoint found that the one before had not: a run's row of the newest checkpoint up to n is
-- how it was at n.
CREATE TABLE checkpoint_runs (
	run          TEXT NOT NULL,
	checkpoint_n INTEGER NOT NULL,
	seq          INTEGER NOT NULL,
	hash         BLOB NOT NULL,
	PRIMARY KEY (run, checkpoint_n)
) STRICT, WITHOUT ROWID;
