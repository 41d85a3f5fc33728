package assist

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"rein"
	"rein/server/port"
	"rein/store"
)

// KeyHeader names a message, so that sending it again is no second one.
const KeyHeader = "Idempotency-Key"

// The keys of the commands that a message becomes: with the turn's run ID behind them. What Say sends the
// engine keys.
const (
	answerKey = "chat-"
	sayKey    = "say-"
)

// keyedID is the run that the caller's message with this key starts.
func keyedID(who rein.Identity, key string) rein.RunID {
	sum := sha256.Sum256([]byte(strings.Join([]string{who.Household, who.User, key}, "\x00")))
	return rein.RunID(port.KeyedPrefix + "c" + hex.EncodeToString(sum[:16]))
}

// sentBefore finds what became of a message that was sent before: the run that it started, or the one of
// the session that it steered or answered. The turn is that one's then.
func (d *dialect) sentBefore(ctx context.Context, t *turn) (bool, error) {
	info, err := d.Store.Run(ctx, t.id)
	if err == nil && (info.Household != t.who.Household || info.User != t.who.User) {
		return false, rein.Errorf(rein.CodeConflict, "another message already has this %s: send another key", KeyHeader)
	}
	if err == nil {
		t.started(t.id)
		return true, nil
	}
	if rein.CodeOf(err) != rein.CodeNotFound {
		return false, err
	}
	for info, err := range d.Store.Runs(ctx, store.Filter{Session: t.task.Session}) {
		if err != nil {
			return false, err
		}
		receipts, err := d.Store.Receipts(ctx, info.ID)
		if err != nil {
			return false, err
		}
		for _, r := range receipts {
			if r.Key == answerKey+string(t.id) || r.Key == sayKey+string(t.id) {
				t.since, t.steers, t.reached = r.Command, r.Kind == rein.CommandMessage, true
				return true, d.catchUp(ctx, t, info.ID.Root())
			}
		}
	}
	return false, nil
}
