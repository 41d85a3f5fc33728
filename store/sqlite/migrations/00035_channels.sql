-- +goose Up
-- Channels in which people can say something: Telegram and webhooks. How far updates are handled, which chats are whose, and
-- what was shown there.

CREATE TABLE pairing_codes (
	sha256    BLOB PRIMARY KEY, -- of the code, which is not kept
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	kind      TEXT NOT NULL, -- of the channel that it pairs
	expires   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pairing_codes_user ON pairing_codes (household, user_name);

CREATE TABLE telegram_bots (
	bot  INTEGER PRIMARY KEY, -- the ID that Telegram gave it
	next INTEGER NOT NULL -- the first update that is not handled
) STRICT, WITHOUT ROWID;

-- An update that is being handled, or was. It is written before anything follows from it.
CREATE TABLE telegram_updates (
	bot        INTEGER NOT NULL,
	update_id  INTEGER NOT NULL,
	chat       INTEGER NOT NULL,
	message    INTEGER NOT NULL, -- 0: it is none
	household  TEXT NOT NULL,
	user_name  TEXT NOT NULL,
	session    TEXT NOT NULL, -- that it is brought to; empty: none
	at         INTEGER NOT NULL,
	PRIMARY KEY (bot, update_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX telegram_updates_at ON telegram_updates (at);

-- A run whose asks and end are shown in a chat.
CREATE TABLE telegram_talks (
	chat      INTEGER NOT NULL,
	run       TEXT NOT NULL,
	command   TEXT NOT NULL, -- the message to the run; empty: it began the run
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	since     INTEGER NOT NULL,
	PRIMARY KEY (chat, run, command)
) STRICT, WITHOUT ROWID;

-- What the bot said, without the words. One of a key is sent once.
CREATE TABLE telegram_posts (
	bot       INTEGER NOT NULL,
	chat      INTEGER NOT NULL,
	key       TEXT NOT NULL, -- follows from what it is about
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	run       TEXT NOT NULL, -- that it is about; empty: none
	ask       TEXT NOT NULL, -- that it shows; empty: none
	shown     TEXT NOT NULL, -- the digest of what it shows of the ask
	nonce     TEXT NOT NULL, -- of its buttons; empty: it has none
	expires   INTEGER NOT NULL, -- when its buttons stop working
	known     INTEGER NOT NULL, -- the newest message that was known before it was sent
	message   INTEGER NOT NULL, -- as Telegram calls it; 0: it may be sent or not
	closed    INTEGER NOT NULL, -- 1: nothing can follow from it any more
	at        INTEGER NOT NULL,
	PRIMARY KEY (bot, chat, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX telegram_posts_message ON telegram_posts (bot, chat, message);
CREATE INDEX telegram_posts_open ON telegram_posts (bot, ask) WHERE closed = 0 AND ask <> '';

-- A webhook of a user, for both ways. Its secret is among the user's secrets.
CREATE TABLE hooks (
	id        TEXT PRIMARY KEY,
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	label     TEXT NOT NULL, -- what its user calls it
	url       TEXT NOT NULL, -- where messages go; empty: nowhere
	answers   INTEGER NOT NULL, -- 1: it may answer asks
	created   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX hooks_user ON hooks (household, user_name, created);

-- A request that came through a webhook, so that the same one again is no second one.
CREATE TABLE hook_requests (
	hook      TEXT NOT NULL,
	id        TEXT NOT NULL, -- of the sender
	sha256    BLOB NOT NULL, -- of the body
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	session   TEXT NOT NULL, -- that it is brought to; empty: none
	run       TEXT NOT NULL, -- whose end is the reply; empty: none, or not yet
	command   TEXT NOT NULL, -- the message to the run; empty: it began the run
	receipt   TEXT NOT NULL, -- what was answered, as JSON; empty: nothing yet
	reply     INTEGER NOT NULL, -- when the reply is tried next; 0: there is none to send
	tries     INTEGER NOT NULL,
	at        INTEGER NOT NULL,
	PRIMARY KEY (hook, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX hook_requests_reply ON hook_requests (reply) WHERE reply <> 0;
CREATE INDEX hook_requests_at ON hook_requests (at);
