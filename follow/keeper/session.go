package keeper

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"rein"

	"rein/store"
)

// The prefixes of the sessions that a keeper names. What a user does in sessions of their own choosing is
// not mixed with them, and no client may begin one with such a name.
const (
	chatPrefix       = "chat-"
	backgroundPrefix = "background-"
)

// IsChat reports whether SessionFor made the name of a session.
func IsChat(session string) bool { return strings.HasPrefix(session, chatPrefix) }

// Names names sessions for people who chose none. Nobody can tell a name before it is used, so nobody can
// take it before the one whom it is for.
type Names struct{ key []byte }

// NewNames returns names with a secret of their own. Another process has others: until a new session has a
// run, each has its own name for it.
func NewNames() *Names { return &Names{key: []byte(rand.Text())} }

func (n *Names) name(prefix string, words ...string) string {
	h := hmac.New(sha256.New, n.key)
	h.Write([]byte(prefix + strings.Join(words, "\x00")))
	return prefix + hex.EncodeToString(h.Sum(nil)[:12])
}

// SessionFor returns the session that a message of the user belongs to: the one in which they talked
// last or, after so much silence, a new one. A session in which a run is under way is not over,
// however long it waits for an answer; one whose run is blocked is, unless it waits for an answer.
// Zero silence means Silence. Until the new session has a run, everyone who asks gets the same.
func (n *Names) SessionFor(ctx context.Context, v store.Reader, household, user string, now time.Time, silence time.Duration) (string, error) {
	last, err := lastSession(ctx, v, household, user, chatPrefix)
	if err != nil {
		return "", err
	}
	goesOn, err := isOpen(ctx, v, last)
	if err != nil {
		return "", err
	}
	if last.ID != "" && (goesOn || now.Sub(last.Changed) < cmp.Or(silence, Silence)) {
		return last.ID, nil
	}
	return n.name(chatPrefix, household, user, last.ID, strconv.FormatInt(last.Changed.UnixMicro(), 10)), nil
}

// background returns the session of a user's background runs: the one that they have, or a new one.
func (n *Names) background(ctx context.Context, v store.Reader, household, user string) (string, error) {
	last, err := lastSession(ctx, v, household, user, backgroundPrefix)
	if last.ID != "" || err != nil {
		return last.ID, err
	}
	return n.name(backgroundPrefix, household, user), nil
}

// lastSession returns the user's session with such a name that changed last, if there is one.
func lastSession(ctx context.Context, v store.Reader, household, user, prefix string) (last rein.SessionInfo, err error) {
	for s, err := range v.Sessions(ctx, store.SessionFilter{Household: household, User: user}) {
		if err != nil {
			return last, err
		}
		if strings.HasPrefix(s.ID, prefix) && !s.Changed.Before(last.Changed) {
			last = s
		}
	}
	return last, nil
}

// isOpen reports whether a run of the session is under way and can go on.
func isOpen(ctx context.Context, v store.Reader, s rein.SessionInfo) (bool, error) {
	if s.Active == "" {
		return false, nil
	}
	info, err := v.Run(ctx, s.Active)
	if err != nil || info.Status != rein.StatusBlocked {
		return err == nil && !info.Status.Ended(), err
	}
	asks, err := v.Asks(ctx, store.AskFilter{Tree: s.Active, Pending: true})
	return len(asks) > 0, err
}
