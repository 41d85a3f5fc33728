-- +goose Up

-- What each user uses of what they may. A household's use is the sum of its rows; the row without a
-- user is for what is no user's. All of it but that can be counted again from the other tables, and
-- is, once, when the file is first opened by a program that knows this (accounts_built).
CREATE TABLE accounts (
	n           INTEGER PRIMARY KEY,
	household_n INTEGER NOT NULL REFERENCES households (n),
	user        TEXT NOT NULL,
	driven      INTEGER NOT NULL,
	bytes       INTEGER NOT NULL, -- of logs
	hour        INTEGER NOT NULL, -- hours since 1970
	frames      INTEGER NOT NULL, -- of that hour
	day         INTEGER NOT NULL, -- days since 1970, UTC
	tokens      INTEGER NOT NULL, -- of that day
	micros      INTEGER NOT NULL,
	UNIQUE (household_n, user)
) STRICT;

-- The days before the one that accounts are at.
CREATE TABLE account_days (
	account_n INTEGER NOT NULL REFERENCES accounts (n),
	day       INTEGER NOT NULL,
	tokens    INTEGER NOT NULL,
	micros    INTEGER NOT NULL,
	PRIMARY KEY (account_n, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts_built (version INTEGER NOT NULL) STRICT;

ALTER TABLE runs ADD COLUMN driven INTEGER NOT NULL DEFAULT 0; -- 1: by the process that has the file open
ALTER TABLE commands ADD COLUMN reason TEXT NOT NULL DEFAULT ''; -- why it was not applied

-- What users keep beside logs. Triggers count it, so that no statement can forget to.
CREATE TABLE kept_bytes (
	household TEXT NOT NULL,
	user_name TEXT NOT NULL,
	bytes     INTEGER NOT NULL,
	PRIMARY KEY (household, user_name)
) STRICT, WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER session_files_kept AFTER INSERT ON session_files BEGIN
	INSERT INTO kept_bytes VALUES (NEW.household, NEW.user_name, NEW.size)
		ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER session_files_gone AFTER DELETE ON session_files BEGIN
	UPDATE kept_bytes SET bytes = bytes - OLD.size WHERE household = OLD.household AND user_name = OLD.user_name;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER staged_notes_kept AFTER INSERT ON staged_notes BEGIN
	INSERT INTO kept_bytes VALUES (NEW.household, NEW.user_name, length(NEW.base) + length(NEW.content))
		ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER staged_notes_changed AFTER UPDATE ON staged_notes BEGIN
	UPDATE kept_bytes SET bytes = bytes + length(NEW.base) + length(NEW.content) - length(OLD.base) - length(OLD.content)
		WHERE household = NEW.household AND user_name = NEW.user_name;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER staged_notes_gone AFTER DELETE ON staged_notes BEGIN
	UPDATE kept_bytes SET bytes = bytes - length(OLD.base) - length(OLD.content)
		WHERE household = OLD.household AND user_name = OLD.user_name;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER note_commit_files_kept AFTER INSERT ON note_commit_files BEGIN
	INSERT INTO kept_bytes SELECT household, user_name, length(NEW.before) + length(NEW.after) FROM note_commits WHERE token = NEW.token
		ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER note_commit_files_gone AFTER DELETE ON note_commit_files BEGIN
	UPDATE kept_bytes SET bytes = bytes - length(OLD.before) - length(OLD.after)
		WHERE (household, user_name) = (SELECT household, user_name FROM note_commits WHERE token = OLD.token);
END;
-- +goose StatementEnd
