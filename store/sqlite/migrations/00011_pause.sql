-- +goose Up

-- 1: a person paused the run; nothing begins in it until it is resumed.
ALTER TABLE runs ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
