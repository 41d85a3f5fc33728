-- +goose Up

-- The files of sessions. What is in a file is kept in parts, so that a piece of it can be read, and in
-- the database, so that it is in each backup and goes when its session goes.

CREATE TABLE session_files (
	n          INTEGER PRIMARY KEY,
	household  TEXT NOT NULL,
	user_name  TEXT NOT NULL,
	session    TEXT NOT NULL,
	name       TEXT NOT NULL,
	media_type TEXT NOT NULL,
	readable   INTEGER NOT NULL, -- 1: it is text
	size       INTEGER NOT NULL,
	sha256     TEXT NOT NULL,
	version    INTEGER NOT NULL, -- 1, 2, 3 …: how often the name was given
	created    INTEGER NOT NULL,
	changed    INTEGER NOT NULL,
	run        TEXT NOT NULL, -- the run whose tool left it; empty: a person brought it
	step       TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX session_files_name ON session_files (household, user_name, session, name);

CREATE TABLE session_file_parts (
	n      INTEGER PRIMARY KEY,
	file_n INTEGER NOT NULL REFERENCES session_files (n) ON DELETE CASCADE,
	part   INTEGER NOT NULL, -- 0, 1, 2 …
	data   BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX session_file_parts_file ON session_file_parts (file_n, part);
