-- +goose Up

-- What people think of runs: one row per user and run.
CREATE TABLE run_feedback (
	household TEXT NOT NULL,
	run       TEXT NOT NULL,
	user_name TEXT NOT NULL, -- who thinks so
	rating    TEXT NOT NULL, -- up or down
	comment   TEXT NOT NULL,
	changed   INTEGER NOT NULL,
	PRIMARY KEY (household, run, user_name)
) STRICT, WITHOUT ROWID;
