package keeper

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"rein/store"
)

// chatPrefix begins the IDs of the sessions that SessionFor names. What a user does in sessions of
// their own choosing is not mixed with them.
const chatPrefix = "chat-"

// SessionFor returns the session that a message of the user belongs to: the one in which they talked
// last or, after so much silence, a new one. A session in which a run is under way is not over,
// however long it waits for an answer; one whose run is blocked is, unless it waits for an answer.
// Zero silence means Silence. Until the new session has a run, everyone who asks gets the same.
func SessionFor(ctx context.Context, v store.Views, household, user string, now time.Time, silence time.Duration) (string, error) {
	var last store.SessionInfo
	for s, err := range v.Sessions(ctx) {
		if err != nil {
			return "", err
		}
		if s.Household == household && s.User == user && strings.HasPrefix(s.ID, chatPrefix) && !s.Changed.Before(last.Changed) {
			last = s
		}
	}
	goesOn, err := isOpen(ctx, v, last)
	if err != nil {
		return "", err
	}
	if last.ID != "" && (goesOn || now.Sub(last.Changed) < cmp.Or(silence, Silence)) {
		return last.ID, nil
	}
	return chatPrefix + digest(household, user, last.ID, strconv.FormatInt(last.Changed.UnixMicro(), 10)), nil
}

// isOpen reports whether a run of the session is under way and can go on.
func isOpen(ctx context.Context, v store.Views, s store.SessionInfo) (bool, error) {
	if s.Active == "" {
		return false, nil
	}
	info, err := v.Run(ctx, s.Active)
	if err != nil || info.Status != store.Blocked {
		return err == nil && !info.Status.Ended(), err
	}
	asks, err := v.Asks(ctx, store.AskFilter{Tree: s.Active, Pending: true})
	return len(asks) > 0, err
}
