package branches

import (
	"context"
	"fmt"

	"rein"
	"rein/store"
)

// Verified is what is looked at: the logs say which sessions began as branches.
type Verified interface {
	store.Logs
	store.Snapshots
}

// Verify compares the table of branches with the logs, and says what is wrong. Of a branch whose first run was erased the
// table alone knows where it leaves its origin.
func Verify(ctx context.Context, s Verified) (wrong []string, err error) {
	rows := map[string]Row{}
	err = s.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err := list(ctx, q, selectRows+` ORDER BY b.n`)
		for _, row := range all {
			rows[row.Session] = row
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	roots := map[rein.RunID]rein.RunInfo{}
	for info, err := range s.Runs(ctx, store.Filter{Roots: true}) {
		if err != nil {
			return nil, err
		}
		roots[info.ID] = info
		if string(info.ID) != info.Session || info.Erased {
			continue
		}
		row, has := rows[info.Session]
		if fault := unlike(ctx, s, info, row, has); fault != "" {
			wrong = append(wrong, fault)
		}
	}
	for _, row := range rows {
		at, known := roots[row.From.Run]
		if _, made := roots[row.First()]; !made || !known || at.Session != row.From.Session || !at.Started.Equal(row.Until) {
			wrong = append(wrong, fmt.Sprintf("session %q: it is a branch of session %q at run %s, which is not so there", row.Session, row.From.Session, row.From.Run))
		}
	}
	return wrong, nil
}

// unlike says how the table and the log of a first run differ; empty: they do not. A log that cannot be read is for the
// audit of its run.
func unlike(ctx context.Context, s store.Logs, info rein.RunInfo, row Row, has bool) string {
	e, err := s.Event(ctx, info.ID, 1)
	if err != nil {
		return ""
	}
	start, err := rein.Payload[rein.RunStart](e)
	switch from := start.Task.Branch; {
	case err != nil, from == nil && !has:
		return ""
	case from == nil:
		return fmt.Sprintf("session %q: it is kept as a branch of session %q, and its first run did not begin one", info.Session, row.From.Session)
	case !has || *from != row.From || row.User != info.User || row.Household != info.Household:
		return fmt.Sprintf("session %q: its first run began a branch of session %q at run %s, and it is not kept so", info.Session, from.Session, from.Run)
	}
	return ""
}
