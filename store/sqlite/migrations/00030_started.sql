-- +goose Up

-- Runs are found by when they began (views_runs.go).
CREATE INDEX runs_started ON runs (started);
