-- +goose Up

-- What rein does later for a user: once, at an interval, or when an expression of cron says so.
CREATE TABLE schedule_jobs (
	id          TEXT PRIMARY KEY, -- follows from the step that made it, so that it is made once
	household   TEXT NOT NULL,
	user_name   TEXT NOT NULL,
	session     TEXT NOT NULL, -- in which it was made; empty: in none
	run         TEXT NOT NULL, -- that made it; empty: a person did
	label       TEXT NOT NULL,
	kind        TEXT NOT NULL, -- at, every or cron
	at          INTEGER NOT NULL, -- the instant of at, in microseconds, and what every counts from; 0: none
	every       INTEGER NOT NULL, -- seconds
	expression  TEXT NOT NULL,
	zone        TEXT NOT NULL,
	language    TEXT NOT NULL,
	target      TEXT NOT NULL, -- main or isolated
	payload     TEXT NOT NULL, -- systemEvent or agentTurn
	text        TEXT NOT NULL,
	flow        TEXT NOT NULL, -- empty: the default
	budget      TEXT NOT NULL, -- JSON; empty: the default
	catch_up    TEXT NOT NULL, -- skip, once or all
	overlap     TEXT NOT NULL, -- skip, queue or allow
	spend       INTEGER NOT NULL, -- the most money of thirty days, in millionths; 0: no limit of its own
	failures    INTEGER NOT NULL, -- in a row
	disabled    INTEGER NOT NULL, -- when; 0: it is not
	why         TEXT NOT NULL, -- it is disabled
	version     INTEGER NOT NULL, -- grows with every change
	created     INTEGER NOT NULL,
	until       INTEGER NOT NULL, -- what is due is decided up to here
	next        INTEGER NOT NULL -- the next slot; 0: there is none
) STRICT, WITHOUT ROWID;
CREATE INDEX schedule_jobs_user ON schedule_jobs (household, user_name);
CREATE INDEX schedule_jobs_next ON schedule_jobs (next) WHERE next <> 0 AND disabled = 0;
CREATE INDEX schedule_jobs_until ON schedule_jobs (until);

-- One instant of a job. It is claimed by being written, and so fires once, whoever looks at the clock.
CREATE TABLE schedule_slots (
	job     TEXT NOT NULL,
	instant INTEGER NOT NULL,
	state   TEXT NOT NULL, -- due, started, done, failed or skipped
	run     TEXT NOT NULL, -- follows from job and instant
	fired   INTEGER NOT NULL, -- when it was claimed
	ended   INTEGER NOT NULL, -- 0: it has not
	error   TEXT NOT NULL, -- why it failed or was skipped
	missed  INTEGER NOT NULL, -- how many earlier slots it stands for
	micros  INTEGER NOT NULL, -- what its run cost
	told    INTEGER NOT NULL, -- 1: the session knows what came of it
	PRIMARY KEY (job, instant)
) STRICT, WITHOUT ROWID;
-- Those that are due or started.
CREATE INDEX schedule_slots_open ON schedule_slots (job, state, instant) WHERE ended = 0;
CREATE INDEX schedule_slots_told ON schedule_slots (told) WHERE told = 0;

-- How many jobs a user made on a day of UTC, as numbered in store.Day.
CREATE TABLE schedule_days (
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	day       INTEGER NOT NULL,
	made      INTEGER NOT NULL,
	PRIMARY KEY (household, user_name, day)
) STRICT, WITHOUT ROWID;
