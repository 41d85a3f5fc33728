package trust

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"rein"
	"rein/store"
)

// Keep keeps files of skills by their sums.
func (b Book) Keep(ctx context.Context, files map[string][]byte) error {
	missing, err := b.missing(ctx, files)
	if err != nil || len(missing) == 0 {
		return err
	}
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		for _, sum := range missing {
			if _, err := tx.ExecContext(ctx, `INSERT INTO skill_files (sum, data) VALUES (?, ?) ON CONFLICT DO NOTHING`, sum, files[sum]); err != nil {
				return err
			}
		}
		return nil
	})
}

// missing lists the sums of files that are not kept yet.
func (b Book) missing(ctx context.Context, files map[string][]byte) (sums []string, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		for sum := range files {
			there, err := has(ctx, q, sum)
			if err != nil {
				return err
			}
			if !there {
				sums = append(sums, sum)
			}
		}
		return nil
	})
	return sums, err
}

func has(ctx context.Context, q store.Query, sum string) (there bool, err error) {
	rows, err := q.QueryContext(ctx, `SELECT 1 FROM skill_files WHERE sum = ?`, sum)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	there = rows.Next()
	return there, rows.Err()
}

// File returns a file of a skill by its sum. What is not what its sum says is CodeNotFound: somebody changed it.
func (b Book) File(ctx context.Context, sum string) (data []byte, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT data FROM skill_files WHERE sum = ?`, sum)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := rows.Scan(&data); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	if err != nil {
		return nil, err
	}
	if got := sha256.Sum256(data); hex.EncodeToString(got[:]) != sum {
		return nil, rein.Errorf(rein.CodeNotFound, "the file of the skill is not kept as it was when the run started")
	}
	return data, nil
}
