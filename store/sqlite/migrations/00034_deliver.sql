-- +goose Up
-- Where people get messages outside of rein, and what became of each message there.

CREATE TABLE channels (
	id           TEXT PRIMARY KEY,
	household    TEXT NOT NULL,
	user_name    TEXT NOT NULL,
	kind         TEXT NOT NULL, -- mail, push, telegram or webhook
	address      TEXT NOT NULL, -- an address of mail, a push endpoint, a chat, a URL
	label        TEXT NOT NULL, -- what its user calls it
	data         TEXT NOT NULL, -- what else is needed to send, as JSON; empty: nothing
	muted        TEXT NOT NULL, -- kinds of messages that do not go there, separated by spaces
	verified     INTEGER NOT NULL, -- since when it is known to belong to the user; 0: it is not, and nothing is sent there
	code_sha256  BLOB NOT NULL, -- of the code that verifies it; empty: there is none
	code_expires INTEGER NOT NULL,
	code_tries   INTEGER NOT NULL, -- how many more wrong codes it takes
	gone         INTEGER NOT NULL, -- since when it takes no messages any more; 0: it does
	why          TEXT NOT NULL,
	created      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX channels_user ON channels (household, user_name, kind, address);
-- A chat and a browser are one person's: what comes from there is said by that person.
CREATE UNIQUE INDEX channels_own ON channels (kind, address) WHERE kind IN ('telegram', 'push');

CREATE TABLE delivery_preferences (
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	quiet     TEXT NOT NULL, -- the quiet hours, as JSON
	zone      TEXT NOT NULL, -- empty: that of the settings
	language  TEXT NOT NULL, -- empty: that of the settings
	changed   INTEGER NOT NULL,
	PRIMARY KEY (household, user_name)
) STRICT, WITHOUT ROWID;

ALTER TABLE messages ADD COLUMN gathered INTEGER NOT NULL DEFAULT 0; -- 1: its deliveries are written
ALTER TABLE messages ADD COLUMN seen INTEGER NOT NULL DEFAULT 0; -- when its reader has read it; 0: not yet
CREATE INDEX messages_new ON messages (id) WHERE gathered = 0;
CREATE INDEX messages_ask ON messages (ask) WHERE ask <> '';

-- One message at one address. What it says is read when it is sent.
CREATE TABLE deliveries (
	id         TEXT PRIMARY KEY, -- follows from message and channel
	message    TEXT NOT NULL,
	channel    TEXT NOT NULL,
	household  TEXT NOT NULL,
	user_name  TEXT NOT NULL,
	state      TEXT NOT NULL, -- waiting, delivered, dropped or given up
	tries      INTEGER NOT NULL,
	created    INTEGER NOT NULL,
	due        INTEGER NOT NULL, -- when it could be sent first; quiet hours move it
	next_at    INTEGER NOT NULL, -- when it is tried next; a claim moves it
	claimed_by TEXT NOT NULL, -- who sends it now; empty: nobody
	changed    INTEGER NOT NULL,
	receipt    TEXT NOT NULL, -- what the other side called it
	last_error TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX deliveries_one ON deliveries (message, channel);
CREATE INDEX deliveries_due ON deliveries (next_at) WHERE state = 'waiting';
CREATE INDEX deliveries_user ON deliveries (household, user_name, created);
CREATE INDEX deliveries_changed ON deliveries (changed);
