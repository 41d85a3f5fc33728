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
	step       TEXT NOT NULL,
	content    TEXT NOT NULL -- names its parts
) STRICT;
CREATE UNIQUE INDEX session_files_name ON session_files (household, user_name, session, name);
CREATE UNIQUE INDEX session_files_content ON session_files (content);

-- Parts of a large file are written before it and taken away after it, a few at a time; so there can be
-- some that no file names.
CREATE TABLE session_file_parts (
	n       INTEGER PRIMARY KEY,
	content TEXT NOT NULL,
	part    INTEGER NOT NULL, -- 0, 1, 2 …
	written INTEGER NOT NULL,
	data    BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX session_file_parts_content ON session_file_parts (content, part);
