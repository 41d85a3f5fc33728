package telegram

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rein"
	"rein/household/channels"
	"rein/store"
)

const (
	typingEvery = 4500 * time.Millisecond // Telegram shows it for five seconds
	typingFor   = 10 * time.Minute        // who waits longer does something else meanwhile
	sweepEvery  = 5 * time.Minute
	againAfter  = 10 * time.Second // something could not be said
	pruneEvery  = time.Hour
)

// look has what there is to say looked for.
func (b *Bot) look() {
	b.news.Note(func(*bool) bool { return true })
}

// tell says what there is to say, until the context ends. It goes by what is written down, so it does not matter what it has
// missed.
func (b *Bot) tell(ctx context.Context, bot int64) {
	var pruned time.Time
	for ctx.Err() == nil {
		b.news.Read()
		wait := b.sayAll(ctx, bot)
		if now := b.now(); now.Sub(pruned) >= pruneEvery {
			if err := b.prune(ctx); err != nil {
				b.opts.Log.Warn("telegram: old rows cannot be removed", "error", err)
			}
			pruned = now
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-b.news.Some:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// sayAll says all that there is to say, and returns when to look again at the latest.
func (b *Bot) sayAll(ctx context.Context, bot int64) (wait time.Duration) {
	wait = sweepEvery
	failed := func(what string, err error) {
		if err == nil || ctx.Err() != nil {
			return
		}
		pause := againAfter
		if no := refused(err); no != nil && no.after > 0 {
			pause = no.after
		}
		wait = min(wait, pause)
		b.opts.Log.Warn("telegram: "+what+"; rein tries again", "error", err)
	}
	all, err := read(ctx, b, follows, "1 = 1 ORDER BY since, run, command")
	failed("what to follow cannot be read", err)
	typing := map[int64]bool{}
	for _, f := range all {
		working, err := b.follow(ctx, bot, f)
		failed("a chat could not be told something", err)
		if working {
			typing[f.chat] = true
		}
	}
	failed("a question could not be closed in its chat", b.closeAsks(ctx, bot))
	for chat := range typing {
		wait = min(wait, typingEvery)
		_ = b.api.call(ctx, "sendChatAction", callLimit, map[string]any{"chat_id": chat, "action": "typing"}, nil) // a courtesy
	}
	return wait
}

// follow says in a chat what a run asks, and how it ended. It reports whether the run is working.
func (b *Bot) follow(ctx context.Context, bot int64, f follow) (working bool, err error) {
	c, err := b.owner(ctx, f.chat)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound || err == nil && (c.Household != f.household || c.User != f.user):
		return false, b.forget(ctx, f) // the chat is somebody else's, or gone
	case err != nil:
		return false, err
	}
	info, err := b.opts.Store.Run(ctx, f.run)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return false, b.forget(ctx, f)
	}
	if err != nil {
		return false, err
	}
	language := b.opts.Language(ctx, f.household, f.user)
	asks, err := b.opts.Store.Asks(ctx, store.AskFilter{Tree: f.run, Pending: true})
	if err != nil {
		return false, err
	}
	asks = slices.DeleteFunc(asks, func(a rein.Ask) bool { return a.For != "" && a.For != f.user })
	for _, ask := range asks {
		if _, err := b.showAsk(ctx, f.chat, f.household, f.user, ask, language, ""); err != nil {
			return false, b.given(ctx, c, err)
		}
	}
	switch {
	case info.Status.Ended():
		return false, b.given(ctx, c, b.end(ctx, bot, f, info, language))
	case info.Status == rein.StatusBlocked:
		_, err := b.say(ctx, post{chat: f.chat, key: fmt.Sprintf("blocked %s %d", f.run, info.Seq), household: f.household, user: f.user, run: f.run, text: words.Say(language, "blocked")})
		return false, b.given(ctx, c, err)
	}
	return len(asks) == 0 && !info.Paused && b.now().Sub(f.since) < typingFor, nil
}

// forget follows a run no longer.
func (b *Bot) forget(ctx context.Context, f follow) error {
	return b.write(ctx, run(`DELETE FROM telegram_talks WHERE chat = ? AND run = ? AND command = ?`, f.chat, string(f.run), string(f.command)))
}

// end says how a run ended, follows what began after it, and shows again what still waits.
func (b *Bot) end(ctx context.Context, bot int64, f follow, info rein.RunInfo, language string) error {
	p := post{chat: f.chat, key: "end " + string(f.run), household: f.household, user: f.user, run: f.run, text: endText(info, language)}
	if _, err := b.say(ctx, p); err != nil {
		return err
	}
	after := []statement{run(`DELETE FROM telegram_talks WHERE chat = ? AND run = ? AND command = ?`, f.chat, string(f.run), string(f.command))}
	if f.command != "" {
		receipt, err := b.receipt(ctx, f)
		if err != nil {
			return err
		}
		switch receipt.State {
		case rein.ReceiptStarted:
			after = append(after, run(`INSERT INTO telegram_talks (chat, run, command, household, user_name, since) VALUES (?, ?, '', ?, ?, ?) ON CONFLICT DO NOTHING`,
				f.chat, string(receipt.Started), f.household, f.user, b.now().UnixMicro()))
			defer b.look()
		case rein.ReceiptNotApplied:
			p.key, p.text = "unread "+string(f.command), words.Say(language, "unread")
			if _, err := b.say(ctx, p); err != nil {
				return err
			}
		}
	}
	if err := b.showWaiting(ctx, bot, f, language); err != nil {
		return err
	}
	return b.write(ctx, after...)
}

func (b *Bot) receipt(ctx context.Context, f follow) (rein.Receipt, error) {
	receipts, err := b.opts.Store.Receipts(ctx, f.run)
	for _, r := range receipts {
		if r.Command == f.command {
			return r, err
		}
	}
	return rein.Receipt{}, err
}

// showWaiting shows again, below a reply, what still waits for an answer in the chat, the newest last.
func (b *Bot) showWaiting(ctx context.Context, bot int64, f follow, language string) error {
	open, err := b.openPosts(ctx, bot)
	if err != nil {
		return err
	}
	latest := map[rein.AskID]row{}
	var order []rein.AskID
	for _, r := range open {
		if r.chat != f.chat || r.household != f.household || r.user != f.user { // the chat was somebody else's then
			continue
		}
		if _, known := latest[r.ask]; !known {
			order = append(order, r.ask)
		}
		latest[r.ask] = r
	}
	for _, id := range order {
		ask, err := b.opts.Store.Ask(ctx, id)
		if rein.CodeOf(err) == rein.CodeNotFound || err == nil && ask.State != rein.AskPending {
			continue
		}
		if err != nil {
			return err
		}
		newest, err := b.isNewest(ctx, latest[id])
		if err != nil {
			return err
		}
		if newest {
			continue
		}
		if _, err := b.showAsk(ctx, f.chat, f.household, f.user, ask, language, " after "+string(f.run)); err != nil {
			return err
		}
	}
	return nil
}

// showAgain shows the asks that a yes or a no could mean.
func (b *Bot) showAgain(ctx context.Context, c channels.Channel, in intent, which []rein.Ask) error {
	if err := b.reply(ctx, c, in.chat, in.update, "which"); err != nil {
		return err
	}
	language := b.opts.Language(ctx, c.Household, c.User)
	for _, ask := range which[max(0, len(which)-5):] {
		if _, err := b.showAsk(ctx, in.chat, c.Household, c.User, ask, language, fmt.Sprintf(" for %d", in.update)); err != nil {
			return b.given(ctx, c, err)
		}
	}
	return nil
}

// showAsk shows an ask with its buttons. What it shows, where and why is its name, so that it is not shown twice for one reason.
func (b *Bot) showAsk(ctx context.Context, chat int64, household, user string, ask rein.Ask, language, why string) (int64, error) {
	p := post{
		chat: chat, key: "ask " + string(ask.ID) + " " + ask.Shown + why, household: household, user: user, run: ask.Run.Root(),
		text: askText(ask), ask: &ask, language: language,
	}
	if isLong(ask) { // no word here counts as an answer to it
		p.text, p.ask = split(p.text)[0]+"\n\n"+words.Say(language, "long"), nil
	}
	return b.say(ctx, p)
}

// closeAsks says below each question that is closed what became of it.
func (b *Bot) closeAsks(ctx context.Context, bot int64) error {
	open, err := b.openPosts(ctx, bot)
	if err != nil {
		return err
	}
	for _, r := range open {
		ask, err := b.opts.Store.Ask(ctx, r.ask)
		if rein.CodeOf(err) == rein.CodeNotFound {
			ask, err = rein.Ask{State: rein.AskWithdrawn}, nil
		}
		if err != nil {
			return err
		}
		if ask.State == rein.AskPending {
			continue
		}
		c, err := b.owner(ctx, r.chat)
		switch {
		case rein.CodeOf(err) == rein.CodeNotFound || err == nil && (c.Household != r.household || c.User != r.user):
			r.message = 0 // nobody there is to read what was decided
		case err != nil:
			return err
		}
		if err := b.closeAsk(ctx, r, ask, b.opts.Language(ctx, r.household, r.user)); err != nil {
			return err
		}
	}
	return nil
}
