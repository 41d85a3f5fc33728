-- +goose Up

-- What stands for the oldest runs of a session in the prompts of later ones. The first fold of the same
-- runs is kept. A fold can take an earlier one along, its base; so it quotes the runs of both.
CREATE TABLE session_folds (
	n         INTEGER PRIMARY KEY,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	session   TEXT NOT NULL,
	digest    TEXT NOT NULL, -- of what it replaces
	base      TEXT NOT NULL, -- the digest of the fold that it takes along; empty: none
	covers    INTEGER NOT NULL, -- how many runs, those of its base included
	text      TEXT NOT NULL,
	created   INTEGER NOT NULL,
	run       TEXT NOT NULL, -- whose step made it
	step      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX session_folds_digest ON session_folds (household, user_name, session, digest);
CREATE INDEX session_folds_base ON session_folds (base) WHERE base <> '';

-- The runs that a fold replaces, without those of its base.
CREATE TABLE session_fold_runs (
	fold_n INTEGER NOT NULL REFERENCES session_folds (n),
	run    TEXT NOT NULL,
	PRIMARY KEY (fold_n, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_fold_runs_run ON session_fold_runs (run);
