-- +goose Up

-- What people are told outside of rein. A delivery is one thing told to one target; it holds names
-- only, and is read from the views when it is sent.

CREATE TABLE notify_deliveries (
	id         TEXT PRIMARY KEY, -- follows from target, kind and what it is about
	target     TEXT NOT NULL,
	kind       TEXT NOT NULL, -- ask.opened, ask.closed or run.ended
	household  TEXT NOT NULL,
	user_name  TEXT NOT NULL,
	run        TEXT NOT NULL,
	ask        TEXT NOT NULL,
	state      TEXT NOT NULL, -- waiting, delivered, dropped or given up
	tries      INTEGER NOT NULL,
	created    INTEGER NOT NULL,
	changed    INTEGER NOT NULL,
	next_at    INTEGER NOT NULL,
	last_error TEXT NOT NULL,
	settled    INTEGER NOT NULL -- 1: nothing can follow from it any more
) STRICT, WITHOUT ROWID;
CREATE INDEX notify_due ON notify_deliveries (target, next_at) WHERE state = 'waiting';
CREATE INDEX notify_open ON notify_deliveries (run) WHERE settled = 0;
CREATE INDEX notify_changed ON notify_deliveries (changed);

CREATE TABLE notify_targets (
	name       TEXT PRIMARY KEY,
	url_sha256 TEXT NOT NULL, -- a target that moves is a new one
	disabled   INTEGER NOT NULL, -- since when; 0: it is not
	why        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How far the ends of runs have been looked at.
CREATE TABLE notify_progress (
	name TEXT PRIMARY KEY,
	act  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
