-- +goose Up

-- Lists of runs, sessions and asks by whose they are, and what ended trees have used, so that nobody has to
-- go through all runs. The row of a run is added some time after the run (fold.go): view_mark says how far
-- that has come. Each list has every entry twice: for its user, and, with an empty user, for the household.

CREATE TABLE view_mark (
	run_n     INTEGER NOT NULL, -- the newest run in the lists
	session_n INTEGER NOT NULL, -- the newest session in the lists
	filled    INTEGER NOT NULL  -- 1: the lists have everything that there was before they were made
) STRICT;
INSERT INTO view_mark VALUES (0, 0, 0);

CREATE TABLE view_runs (
	household_n INTEGER NOT NULL,
	user        TEXT NOT NULL,
	run_n       INTEGER NOT NULL,
	PRIMARY KEY (household_n, user, run_n)
) STRICT, WITHOUT ROWID;

-- Runs that ended in another way than done.
CREATE TABLE view_ends (
	household_n INTEGER NOT NULL,
	user        TEXT NOT NULL,
	status      TEXT NOT NULL,
	run_n       INTEGER NOT NULL,
	PRIMARY KEY (household_n, user, status, run_n)
) STRICT, WITHOUT ROWID;

CREATE TABLE view_sessions (
	household_n INTEGER NOT NULL,
	user        TEXT NOT NULL,
	session_n   INTEGER NOT NULL,
	PRIMARY KEY (household_n, user, session_n)
) STRICT, WITHOUT ROWID;

-- Asks: for the user of the run, and for the one whom it was put to. With an empty state there is a row from
-- the moment when the ask opens, with its state from when it is closed.
CREATE TABLE view_asks (
	household_n INTEGER NOT NULL,
	user        TEXT NOT NULL,
	state       TEXT NOT NULL,
	ask_n       INTEGER NOT NULL,
	PRIMARY KEY (household_n, user, state, ask_n)
) STRICT, WITHOUT ROWID;

-- What the ended trees have used whose root began on a day (days since 1970, UTC), by quarter of an hour and
-- flow (usage.go).
CREATE TABLE view_usage (
	household_n INTEGER NOT NULL,
	user        TEXT NOT NULL,
	day         INTEGER NOT NULL,
	parts       BLOB NOT NULL,
	PRIMARY KEY (household_n, user, day)
) STRICT, WITHOUT ROWID;
