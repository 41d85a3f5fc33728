-- +goose Up
-- What people are told: reminders, alarms, notices. A message is written in the transaction of what causes it.
CREATE TABLE messages (
	id        TEXT PRIMARY KEY, -- follows from what it is about, so that it is written once
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	kind      TEXT NOT NULL,
	text      TEXT NOT NULL,
	session   TEXT NOT NULL, -- where it belongs; empty: nowhere
	run       TEXT NOT NULL, -- the run that it is about; empty: none
	ask       TEXT NOT NULL, -- the ask that it is about; empty: none
	urgent    INTEGER NOT NULL, -- 1: quiet hours do not hold it up
	created   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_user ON messages (household, user_name, created);
