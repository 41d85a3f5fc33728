package deliver

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/household/channels"
	"rein/household/post"
	"rein/internal/speech"
	"rein/store"
)

// gather writes the deliveries of messages that are new: one for each address that takes them.
func (p *Post) gather(ctx context.Context, now time.Time) error {
	for {
		var fresh []post.Kept
		err := p.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
			fresh, err = post.New(ctx, q)
			return err
		})
		if err != nil || len(fresh) == 0 {
			return err
		}
		err = p.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
			for _, m := range fresh {
				if err := p.address(ctx, tx, m, now); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		p.step("gathered")
		for _, m := range fresh {
			p.opts.Arrived(m.Household, m.User)
		}
	}
}

// address writes the deliveries of one message.
func (p *Post) address(ctx context.Context, tx rein.Tx, m post.Kept, now time.Time) error {
	own, err := channels.For(ctx, tx, m.Household, m.User)
	if err != nil {
		return err
	}
	due := now
	if patient := m.At.Add(p.opts.Patient); m.Ask != "" && patient.After(due) {
		due = patient
	}
	for _, c := range own {
		if !c.Takes(m.Kind) || !p.serves(c.Kind) {
			continue
		}
		if err := add(ctx, tx, Delivery{Message: m.ID, Channel: c.ID, Household: m.Household, User: m.User, Due: due}, now); err != nil {
			return err
		}
	}
	return post.Gathered(ctx, tx, m.ID)
}

// messageOf is the ID of the message that tells a reader that an ask waits. One for all adults is a message to each of them.
func messageOf(ask rein.Ask, reader string) string {
	if ask.For == rein.ForAdults {
		return "ask:" + string(ask.ID) + " " + reader
	}
	return "ask:" + string(ask.ID)
}

// readAsks writes a message for each ask that waits and has none, and closes those of asks that do not wait any more.
func (p *Post) readAsks(ctx context.Context, now time.Time) error {
	asks, err := p.opts.Store.Asks(ctx, store.AskFilter{Pending: true})
	if err != nil {
		return err
	}
	var known []post.Kept
	err = p.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		known, err = post.Unanswered(ctx, q)
		return err
	})
	if err != nil {
		return err
	}
	written, pending := map[string]bool{}, map[rein.AskID]bool{}
	for _, m := range known {
		written[m.ID] = true
	}
	var fresh []post.Message
	for _, ask := range asks {
		pending[ask.ID] = true
		all, err := p.asking(ctx, ask)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(m post.Message) bool { return written[m.ID] || m.Household == "" || m.User == "" })
		if slices.ContainsFunc(all, func(m post.Message) bool { return m.Ask != "" }) { // what is said beside them is said with the first
			fresh = append(fresh, all...)
		}
	}
	return p.writeAsks(ctx, fresh, known, pending, now)
}

// asking are the messages that say that an ask waits: one for each of those who are asked. Adults read who wants it, and whoever
// wants it reads who was asked.
func (p *Post) asking(ctx context.Context, ask rein.Ask) (all []post.Message, err error) {
	of, err := p.opts.Store.Run(ctx, ask.Run)
	if err != nil {
		return nil, err
	}
	readers := []string{cmp.Or(ask.For, of.User)}
	if ask.For == rein.ForAdults {
		readers = ask.Asked
	}
	for _, reader := range readers {
		all = append(all, post.Message{
			ID: messageOf(ask, reader), Household: of.Household, User: reader, Kind: post.Asking, Text: cmp.Or(rein.Clip(ask.Text, maxText), string(ask.Kind)),
			Session: of.Session, Run: ask.Run, Ask: ask.ID, At: ask.Opened,
		})
	}
	if ask.For == rein.ForAdults {
		all = p.askingAdults(ask, all)
	}
	return all, nil
}

func (p *Post) askingAdults(ask rein.Ask, all []post.Message) []post.Message {
	if len(all) == 0 {
		return nil
	}
	waits := all[0]
	waits.ID, waits.User, waits.Kind, waits.Ask = "asked:"+string(ask.ID), ask.Asker, post.Notice, ""
	waits.Text = askedWords.Say(p.homeLanguage(), "asked", strings.Join(ask.Asked, ", ")) + "\n\n" + waits.Text
	for i := range all {
		all[i].Text = p.wanted(ask) + all[i].Text
	}
	return append(all, waits)
}

// wanted says who wants what is put to the adults; of any other ask it says nothing.
func (p *Post) wanted(ask rein.Ask) string {
	if ask.For != rein.ForAdults {
		return ""
	}
	return askedWords.Say(p.homeLanguage(), "wants", ask.Asker) + "\n\n"
}

func (p *Post) homeLanguage() (language string) {
	if p.opts.Home != nil {
		language, _ = p.opts.Home()
	}
	return language
}

var askedWords = speech.Words{
	"en": {"asked": "I asked an adult about this: %s.", "wants": "%s asked for this:"},
	"nl": {"asked": "Ik heb dit aan een volwassene gevraagd: %s.", "wants": "%s vraagt hierom:"},
}

// maxText is the most of a question that is kept; the whole is where the ask is.
const maxText = 8000

func (p *Post) writeAsks(ctx context.Context, fresh []post.Message, known []post.Kept, pending map[rein.AskID]bool, now time.Time) error {
	var over []post.Kept
	for _, m := range known {
		if !pending[m.Ask] {
			over = append(over, m)
		}
	}
	if len(fresh)+len(over) == 0 {
		return nil
	}
	err := p.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		for _, m := range fresh {
			if err := post.Put(ctx, tx, m); err != nil {
				return err
			}
		}
		for _, m := range over {
			if err := post.Close(ctx, tx, m.ID, now); err != nil {
				return err
			}
			if err := drop(ctx, tx, closedEarlier, now, `message = ?`, m.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		for _, m := range over {
			p.opts.Arrived(m.Household, m.User)
		}
	}
	return err
}

const closedEarlier = "the ask was closed before it was sent"

// sweepAll ends the deliveries that nobody can make any more.
func (p *Post) sweepAll(ctx context.Context, now time.Time) error {
	return p.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := drop(ctx, tx, "the channel was removed", now, `channel NOT IN (SELECT id FROM channels)`); err != nil {
			return err
		}
		for _, kind := range channels.Kinds() {
			if p.serves(kind) {
				continue
			}
			err := drop(ctx, tx, "nothing sends to channels of this kind now: the settings do not name it", now,
				`next_at < ? AND channel IN (SELECT id FROM channels WHERE kind = ?)`, now.Add(-Patience).UnixMicro(), string(kind))
			if err != nil {
				return err
			}
		}
		return nil
	})
}
