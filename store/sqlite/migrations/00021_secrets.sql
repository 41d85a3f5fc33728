-- +goose Up

-- What people typed and nobody reads back. Values are sealed with a key that is in a file, and bound to household,
-- user and name.
CREATE TABLE secrets (
	household TEXT NOT NULL,
	user_name TEXT NOT NULL, -- whose it is; empty: the household's
	name      TEXT NOT NULL,
	key_id    TEXT NOT NULL, -- names the key, and tells nothing of it
	sealed    BLOB NOT NULL,
	changed   INTEGER NOT NULL,
	PRIMARY KEY (household, user_name, name)
) STRICT, WITHOUT ROWID;
