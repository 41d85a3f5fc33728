package erase

import (
	"context"

	"rein"
	"rein/follow/deliver"
	"rein/household/channels"
	"rein/household/post"
	"rein/store"
)

// told is what people were told outside of what they did, and how it reached them.
type told struct {
	messages    []post.Kept
	deliveries  []deliver.Delivery
	channels    []channels.Channel
	preferences []channels.Preferences
}

func readTold(ctx context.Context, q store.Query, household string) (t told, err error) {
	if t.messages, err = post.KeptOf(ctx, q, household); err != nil {
		return t, err
	}
	if t.deliveries, err = deliver.KeptOf(ctx, q, household); err != nil {
		return t, err
	}
	if t.channels, err = channels.KeptOf(ctx, q, household); err != nil {
		return t, err
	}
	t.preferences, err = channels.PreferencesKept(ctx, q, household)
	return t, err
}

// chooseTold keeps the messages about what goes, or to whom goes, with their deliveries. Where a user gets messages goes with
// the user alone.
func (p *plan) chooseTold() {
	about := map[string]bool{}
	for _, m := range p.all.told.messages {
		if p.has(m.Run) || p.isTarget(m.User, m.Session) {
			about[m.ID] = true
			p.goes.told.messages = append(p.goes.told.messages, m)
		}
	}
	user := func(name string) bool { return p.Target.User != "" && name == p.Target.User }
	for _, d := range p.all.told.deliveries {
		if about[d.Message] || user(d.User) {
			p.goes.told.deliveries = append(p.goes.told.deliveries, d)
		}
	}
	for _, c := range p.all.told.channels {
		if user(c.User) {
			p.goes.told.channels = append(p.goes.told.channels, c)
		}
	}
	for _, w := range p.all.told.preferences {
		if user(w.User) {
			p.goes.told.preferences = append(p.goes.told.preferences, w)
		}
	}
}

func (t told) erase(ctx context.Context, tx rein.Tx) error {
	if err := post.Erase(ctx, tx, t.messages); err != nil {
		return err
	}
	if err := deliver.Erase(ctx, tx, t.deliveries); err != nil {
		return err
	}
	if err := channels.Erase(ctx, tx, t.channels); err != nil {
		return err
	}
	return channels.ErasePreferences(ctx, tx, t.preferences)
}
