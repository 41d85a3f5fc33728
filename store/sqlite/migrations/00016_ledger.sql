-- +goose Up

-- The ledger of a tree is in the row of its root, so that an append that spends changes one row.
ALTER TABLE runs ADD COLUMN cap BLOB; -- of a root
ALTER TABLE runs ADD COLUMN cap_depth INTEGER;
ALTER TABLE runs ADD COLUMN used BLOB;
ALTER TABLE runs ADD COLUMN overrun BLOB;
UPDATE runs SET (cap, cap_depth, used, overrun) = (SELECT l.cap, l.depth, l.used, l.overrun FROM ledgers l WHERE l.run_n = runs.n)
	WHERE n IN (SELECT run_n FROM ledgers);
DROP TABLE ledgers;
CREATE VIEW ledgers AS SELECT n AS run_n, cap, cap_depth AS depth, used, overrun FROM runs WHERE cap IS NOT NULL;
