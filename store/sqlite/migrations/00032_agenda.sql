-- +goose Up
-- The events of users' agendas. An event that repeats is one row, with its rule in the JSON.
CREATE TABLE agenda_events (
	id        TEXT PRIMARY KEY, -- follows from the step that made it, or from its UID, so that it is made once
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	uid       TEXT NOT NULL,    -- its name in iCalendar
	shared    INTEGER NOT NULL, -- 1: the whole household sees it
	begins    INTEGER NOT NULL, -- nothing of it is before this instant,
	ends      INTEGER NOT NULL, -- nor after this one
	event     TEXT NOT NULL,    -- JSON: what it is about, when, and how it repeats
	created   INTEGER NOT NULL,
	updated   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX agenda_events_uid ON agenda_events (household, user_name, uid);
CREATE INDEX agenda_events_when ON agenda_events (household, ends);

-- The alarms of events: for each event and number of minutes the next one, and those that are over.
CREATE TABLE agenda_alarms (
	event      TEXT NOT NULL,
	minutes    INTEGER NOT NULL, -- before the start
	due        INTEGER NOT NULL,
	occurrence TEXT NOT NULL,    -- the wall time of the occurrence, as the rule has it
	state      TEXT NOT NULL,    -- waiting, sent or skipped
	why        TEXT NOT NULL,    -- it was skipped; empty: it was not
	noted      INTEGER NOT NULL, -- when the row was written: one from the future is of a clock that was wrong
	PRIMARY KEY (event, minutes, due)
) STRICT, WITHOUT ROWID;
CREATE INDEX agenda_alarms_due ON agenda_alarms (state, due);
CREATE INDEX agenda_alarms_noted ON agenda_alarms (noted);

-- The address at which other programs read a user's agenda, by a secret that is kept as a hash.
CREATE TABLE agenda_feeds (
	id        TEXT PRIMARY KEY, -- the part of the secret that is not secret
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	hash      BLOB NOT NULL,
	created   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX agenda_feeds_user ON agenda_feeds (household, user_name);
