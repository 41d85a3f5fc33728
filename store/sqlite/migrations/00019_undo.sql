-- +goose Up

-- What calls changed in the files of workspaces, so that it can be undone. The row is written before the first file is
-- touched, with what the files held; it is in the database, so that it is in each backup and goes when its session goes.

CREATE TABLE file_changes (
	n         INTEGER PRIMARY KEY, -- their order
	id        TEXT NOT NULL, -- the key of the call
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	session   TEXT NOT NULL,
	workspace TEXT NOT NULL,
	root      TEXT NOT NULL, -- the folder of the workspace
	run       TEXT NOT NULL,
	step      TEXT NOT NULL,
	tool      TEXT NOT NULL,
	state     TEXT NOT NULL, -- begun (it may be running, or was cut) or done
	undoes    TEXT NOT NULL, -- the IDs of the changes that it undoes, as JSON; empty: none
	undone_by TEXT NOT NULL, -- the ID of the last change that undid it
	created   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX file_changes_id ON file_changes (id);
CREATE INDEX file_changes_owner ON file_changes (household, user_name, n);

CREATE TABLE file_change_files (
	n           INTEGER PRIMARY KEY,
	change_n    INTEGER NOT NULL,
	path        TEXT NOT NULL, -- below the root, with slashes
	before      TEXT NOT NULL, -- what it was: its SHA-256, then "+x" of a program or "+l" of a link; "dir"; empty: nothing
	before_mode INTEGER NOT NULL,
	after       TEXT NOT NULL, -- what it became
	after_mode  INTEGER NOT NULL -- 0: as the system decides for new files
) STRICT;
CREATE UNIQUE INDEX file_change_files_path ON file_change_files (change_n, path);
CREATE INDEX file_change_files_before ON file_change_files (before);

-- The contents, once for each user. What no change and no tree names goes.
CREATE TABLE kept_contents (
	n         INTEGER PRIMARY KEY,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	sha256    TEXT NOT NULL,
	data      BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX kept_contents_sha256 ON kept_contents (household, user_name, sha256);

-- A folder as it was when a command was last about to run in it, so that only what is new must be read.
CREATE TABLE file_trees (
	n         INTEGER PRIMARY KEY,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	root      TEXT NOT NULL,
	change_id TEXT NOT NULL, -- of the command that is running; empty: none is
	used      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX file_trees_root ON file_trees (household, user_name, root);

CREATE TABLE file_tree_files (
	tree_n INTEGER NOT NULL,
	path   TEXT NOT NULL,
	mark   TEXT NOT NULL, -- as in file_change_files
	mode   INTEGER NOT NULL,
	stamp  TEXT NOT NULL, -- size, times and inode when it was read; empty: read it again
	PRIMARY KEY (tree_n, path)
) STRICT, WITHOUT ROWID;

-- What users keep is counted, as for files and notes.
-- +goose StatementBegin
CREATE TRIGGER kept_contents_kept AFTER INSERT ON kept_contents BEGIN
	INSERT INTO kept_bytes VALUES (NEW.household, NEW.user_name, length(NEW.data))
		ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER kept_contents_gone AFTER DELETE ON kept_contents BEGIN
	UPDATE kept_bytes SET bytes = bytes - length(OLD.data) WHERE household = OLD.household AND user_name = OLD.user_name;
END;
-- +goose StatementEnd
