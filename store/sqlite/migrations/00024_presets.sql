-- +goose Up

-- Tasks that were saved under a name. Those of the settings come first.
CREATE TABLE presets (
	household TEXT NOT NULL,
	user_name TEXT NOT NULL, -- whose it is; empty: the household's
	name      TEXT NOT NULL,
	about     TEXT NOT NULL,
	task      TEXT NOT NULL, -- JSON
	run       TEXT NOT NULL, -- that it was made from; empty: none
	by_user   TEXT NOT NULL,
	changed   INTEGER NOT NULL,
	PRIMARY KEY (household, user_name, name)
) STRICT, WITHOUT ROWID;
