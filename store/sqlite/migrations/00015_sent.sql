-- +goose Up

-- The calls that a session has sent out into the world are looked for before an equal one is made.
CREATE INDEX events_sent ON events (run_n, seq) WHERE kind IN ('step.intent', 'step.checked');
