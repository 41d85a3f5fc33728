-- +goose Up
-- Lists of a household, such as groceries. Who added what stays with each item.
CREATE TABLE lists (
	id        TEXT PRIMARY KEY,
	household TEXT NOT NULL,
	owner     TEXT NOT NULL, -- the only user who sees it; empty: everyone of the household does
	key       TEXT NOT NULL, -- the name as it is compared
	name      TEXT NOT NULL,
	kind      TEXT NOT NULL, -- groceries, or empty
	maker     TEXT NOT NULL, -- who made it; empty: they were erased
	named_by  TEXT NOT NULL, -- who gave it its name
	run       TEXT NOT NULL, -- that made it; empty: a person did
	next      INTEGER NOT NULL, -- the number of the next item
	version   INTEGER NOT NULL, -- grows with each change of the list or of an item
	created   INTEGER NOT NULL,
	changed   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX lists_name ON lists (household, owner, key);

CREATE TABLE list_items (
	id       TEXT PRIMARY KEY,
	list     TEXT NOT NULL,
	number   INTEGER NOT NULL, -- within the list, never used again
	place    INTEGER NOT NULL, -- the order
	key      TEXT NOT NULL, -- the text as it is compared
	text     TEXT NOT NULL,
	amount   INTEGER NOT NULL, -- thousandths; 0: none
	unit     TEXT NOT NULL,
	category TEXT NOT NULL,
	by_user  TEXT NOT NULL, -- who added it
	wrote    TEXT NOT NULL, -- who wrote the text as it is now
	run      TEXT NOT NULL, -- that added it; empty: a person did
	origin   TEXT NOT NULL, -- of the write that last changed it: the same one changes nothing twice
	added    INTEGER NOT NULL,
	done_by  TEXT NOT NULL, -- who did it; empty: nobody yet
	done     INTEGER NOT NULL, -- when; 0: not yet
	version  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX list_items_number ON list_items (list, number);
