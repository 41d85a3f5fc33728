package memory

import (
	"context"

	"rein/store"
)

// A Count says how much is known of a user, and not what.
type Count struct {
	User        string `json:"user"`
	Memories    int    `json:"memories"` // also those that were replaced
	Preferences int    `json:"preferences"`
	Snapshots   int    `json:"snapshots"`
	Summaries   int    `json:"summaries"`
}

// Counts counts what is known of each user of a household of whom anything is, by name.
func Counts(ctx context.Context, q store.Query, household string) ([]Count, error) {
	rows, err := q.QueryContext(ctx, `SELECT who, sum(memories), sum(preferences), sum(snapshots), sum(summaries) FROM (
		SELECT user_name AS who, 1 AS memories, 0 AS preferences, 0 AS snapshots, 0 AS summaries FROM memories WHERE household = ? AND forgotten = 0
		UNION ALL SELECT CASE user_name WHEN '' THEN set_by ELSE user_name END, 0, 1, 0, 0 FROM preferences WHERE household = ?
		UNION ALL SELECT user_name, 0, 0, 1, 0 FROM snapshots WHERE household = ?
		UNION ALL SELECT user_name, 0, 0, 0, 1 FROM session_summaries WHERE household = ?) AS kept GROUP BY who ORDER BY who`,
		household, household, household, household)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []Count{}
	for rows.Next() {
		var c Count
		if err := rows.Scan(&c.User, &c.Memories, &c.Preferences, &c.Snapshots, &c.Summaries); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, rows.Err()
}
