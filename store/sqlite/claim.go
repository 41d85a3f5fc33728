package sqlite

import (
	"context"
	"database/sql"
	"time"

	"rein"
)

// Claim implements store.Writer.
func (s *Store) Claim(ctx context.Context, run rein.RunID, now time.Time) (info rein.RunInfo, claimed bool, err error) {
	err = s.submit(ctx, &request{safe: true, do: func(w *writer) error {
		h, err := w.head(run)
		if err != nil {
			return err
		}
		claimed = claimable(h, now)
		if claimed {
			h.status, h.wake, h.epoch = rein.StatusRunning, sql.NullInt64{}, h.epoch+1
			w.setDriven(h, true)
			if err := w.saveHead(h); err != nil {
				return err
			}
		}
		info, err = w.info(h)
		return err
	}})
	if err != nil {
		return rein.RunInfo{}, false, err
	}
	return info, claimed, nil
}

func claimable(h *head, now time.Time) bool {
	switch h.status {
	case rein.StatusReady, rein.StatusRunning:
		return true
	case rein.StatusWaiting, rein.StatusBlocked:
		return h.wake.Valid && h.wake.Int64 <= now.UnixMicro()
	}
	return false
}

// Resume implements store.Writer.
func (s *Store) Resume(ctx context.Context, run rein.RunID, by string, at time.Time) error {
	p, err := newPayload(nil)
	if err != nil {
		return err
	}
	return s.submit(ctx, &request{do: func(w *writer) error {
		h, err := w.head(run)
		if err != nil {
			return err
		}
		if h.done {
			return h.finished()
		}
		switch h.status {
		case rein.StatusWaiting:
		case rein.StatusBlocked:
			if h.wake.Valid {
				break // it was resumed before and nobody has claimed it yet
			}
			if _, err := w.append(h, rein.Event{Kind: rein.RunResumed, By: by, At: at}, p); err != nil {
				return err
			}
		default:
			return nil
		}
		h.wakeBy(at)
		return w.saveHead(h)
	}})
}
