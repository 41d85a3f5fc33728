-- +goose Up

-- The workspace of a run, as its task has it. NULL: the run is older than this column, and typed.go has not come to it.
ALTER TABLE runs ADD COLUMN workspace TEXT;

-- What people typed in sessions, in lower case, so that sessions can be found by it: the messages of tasks of root runs,
-- and what people sent to these. Like the lists, it is added some time after the run (typed.go).
ALTER TABLE view_mark ADD COLUMN typed_n INTEGER NOT NULL DEFAULT 0; -- the newest run that was added
CREATE TABLE view_typed (
	session_n INTEGER NOT NULL,
	run_n     INTEGER NOT NULL,
	seq       INTEGER NOT NULL, -- of the event
	text      TEXT NOT NULL,
	PRIMARY KEY (session_n, run_n, seq)
) STRICT, WITHOUT ROWID;

-- How people arranged their sessions.
CREATE TABLE session_marks (
	household TEXT NOT NULL,
	session   TEXT NOT NULL,
	user_name TEXT NOT NULL, -- whose session it is
	title     TEXT NOT NULL, -- empty: that of its first run
	pinned    INTEGER NOT NULL,
	archived  INTEGER NOT NULL,
	changed   INTEGER NOT NULL,
	PRIMARY KEY (household, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_marks_user ON session_marks (household, user_name);

-- What a web page keeps for a user: a JSON object, which nothing else reads.
CREATE TABLE user_pages (
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	data      TEXT NOT NULL,
	changed   INTEGER NOT NULL,
	PRIMARY KEY (household, user_name)
) STRICT, WITHOUT ROWID;
