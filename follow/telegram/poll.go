package telegram

import (
	"context"
	"strings"
	"time"
)

func contains(text, part string) bool { return strings.Contains(strings.ToLower(text), part) }

// poll asks for updates and handles them, in order. An update is asked for again until it is handled.
func (b *Bot) poll(ctx context.Context, self *me) {
	for ctx.Err() == nil {
		updates, err := b.fetch(ctx, self.ID)
		if err != nil {
			b.rest(ctx, "cannot ask for messages", err)
			continue
		}
		b.works()
		b.hook("fetched")
		for _, group := range grouped(updates) {
			b.handleUntil(ctx, self, group)
			if ctx.Err() != nil {
				return
			}
			b.hook("handled")
			for err := b.setNext(ctx, self.ID, group[len(group)-1].ID+1); err != nil && ctx.Err() == nil; err = b.setNext(ctx, self.ID, group[len(group)-1].ID+1) {
				b.rest(ctx, "cannot note what is handled", err)
			}
			b.hook("offset")
		}
	}
}

func (b *Bot) fetch(ctx context.Context, bot int64) (updates []update, err error) {
	next, err := b.next(ctx, bot)
	if err != nil {
		return nil, err
	}
	err = b.api.call(ctx, "getUpdates", pollWait+callLimit, map[string]any{
		"offset": next, "timeout": int(pollWait.Seconds()), "allowed_updates": []string{"message", "callback_query"},
	}, &updates)
	if err == nil && len(updates) == 0 {
		b.idle(ctx)
	}
	return updates, err
}

// idlePause keeps a server that does not hold polls from being asked without end.
const idlePause = 100 * time.Millisecond

func (b *Bot) idle(ctx context.Context) { pause(ctx, idlePause) }

// grouped puts the photos of an album together: each is an update, and they are one thing that a person said.
func grouped(updates []update) (groups [][]update) {
	for _, u := range updates {
		if n := len(groups); n > 0 && u.Message != nil && u.Message.Album != "" {
			before := groups[n-1][0].Message
			if before != nil && before.Album == u.Message.Album && before.Chat.ID == u.Message.Chat.ID {
				groups[n-1] = append(groups[n-1], u)
				continue
			}
		}
		groups = append(groups, []update{u})
	}
	return groups
}

// mostTries is how often an update is tried that cannot be handled. Then it is passed over, so that others are heard.
const mostTries = 5

func (b *Bot) handleUntil(ctx context.Context, self *me, group []update) {
	wait := time.Second
	for try := 1; ctx.Err() == nil; try++ {
		err := b.handle(ctx, self, group)
		if err == nil || ctx.Err() != nil {
			return
		}
		b.opts.Log.Warn("telegram: an update cannot be handled", "update", group[0].ID, "try", try, "error", err)
		if try == mostTries {
			b.regret(ctx, group[0])
			return
		}
		if no := refused(err); no != nil && no.after > wait {
			wait = no.after
		}
		b.pause(ctx, wait)
		wait *= 2
	}
}

// handle handles an update, or the updates of an album. It is safe to repeat.
func (b *Bot) handle(ctx context.Context, self *me, group []update) error {
	switch first := group[0]; {
	case first.Callback != nil:
		return b.press(ctx, self, first.ID, first.Callback)
	case first.Message == nil || first.Message.From == nil || first.Message.From.Bot:
		return nil
	case first.Message.Chat.Type == "private":
		return b.private(ctx, self, group)
	case first.Message.Chat.Type == "group" || first.Message.Chat.Type == "supergroup":
		return b.group(ctx, self, group)
	}
	return nil
}

// regret says to a person whom the bot knows that their message could not be handled.
func (b *Bot) regret(ctx context.Context, u update) {
	if u.Message == nil {
		return
	}
	c, err := b.owner(ctx, u.Message.Chat.ID)
	if err != nil {
		return
	}
	_ = b.reply(ctx, c, u.Message.Chat.ID, u.ID, "broken") // it is logged that it was not handled
}
