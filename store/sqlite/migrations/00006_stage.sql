-- +goose Up

-- Changes of notes that wait to be committed, one row for each note of a session. The base is kept
-- beside the new content, so that what a person is shown does not depend on the disk.

CREATE TABLE staged_notes (
	n         INTEGER PRIMARY KEY, -- the order in which they were staged
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	session   TEXT NOT NULL,
	path      TEXT NOT NULL,
	base_hash TEXT NOT NULL, -- SHA-256 of the note when it was first changed; empty: there was none
	base      BLOB NOT NULL,
	hash      TEXT NOT NULL,
	content   BLOB NOT NULL,
	run       TEXT NOT NULL, -- the step that changed it last
	step      TEXT NOT NULL,
	changed   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX staged_notes_path ON staged_notes (household, user_name, session, path);

-- The journal of what was written to the disk. It is written before the first note is touched, so
-- that a commit that was cut off can be finished or taken back, and one that is done can be undone.
CREATE TABLE note_commits (
	token     TEXT PRIMARY KEY, -- one for each attempt; it names the files in the work folder
	n         INTEGER NOT NULL, -- their order
	id        TEXT NOT NULL,    -- the key of the call
	vault     TEXT NOT NULL,    -- the folder
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	session   TEXT NOT NULL,
	undoes    TEXT NOT NULL, -- the ID of the commit that it takes back; empty: it is none of these
	undone_by TEXT NOT NULL,
	state     TEXT NOT NULL, -- preparing, placing, done or failed
	why       TEXT NOT NULL, -- it failed
	created   INTEGER NOT NULL,
	changed   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX note_commits_n ON note_commits (n);
CREATE INDEX note_commits_id ON note_commits (id, n);
CREATE INDEX note_commits_owner ON note_commits (household, user_name, n);
CREATE INDEX note_commits_open ON note_commits (vault) WHERE state IN ('preparing', 'placing');

CREATE TABLE note_commit_files (
	n           INTEGER PRIMARY KEY,
	token       TEXT NOT NULL,
	slot        INTEGER NOT NULL, -- 0, 1, 2 …
	path        TEXT NOT NULL,
	before_hash TEXT NOT NULL, -- empty: there was no note
	before      BLOB NOT NULL,
	after_hash  TEXT NOT NULL, -- empty: the note was removed
	after       BLOB NOT NULL,
	made        INTEGER NOT NULL -- how many folders above it were made for it
) STRICT;
CREATE UNIQUE INDEX note_commit_files_slot ON note_commit_files (token, slot);
