-- +goose Up

-- How much of a run's work waits for a person, as its log has it; empty: ask. mode_at is when a command last set it,
-- in microseconds; NULL: none has.
ALTER TABLE runs ADD COLUMN mode TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN mode_at INTEGER;
CREATE INDEX runs_moded ON runs (session_n, mode_at) WHERE mode_at IS NOT NULL;
