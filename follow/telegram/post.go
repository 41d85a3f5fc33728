package telegram

import (
	"context"
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"rein"
)

// A post is something that the bot says in a chat. Of one key only the first is sent, however often it is tried.
type post struct {
	chat            int64
	key             string
	household, user string
	run             rein.RunID
	text            string
	ask             *rein.Ask // that it shows; nil: none
	language        string    // of the buttons
}

// say sends a post, in as many messages as it takes, and returns the number of the last one, which has the buttons.
func (b *Bot) say(ctx context.Context, p post) (last int64, err error) {
	self, err := b.self(ctx)
	if err != nil {
		return 0, err
	}
	defer b.turns.take(p.chat)()
	parts := split(p.text)
	for i, text := range parts {
		r := row{bot: self.ID, chat: p.chat, key: p.key, household: p.household, user: p.user, run: p.run}
		if i < len(parts)-1 {
			r.key += "/" + strconv.Itoa(i)
		} else if p.ask != nil {
			r.ask, r.shown, r.nonce, r.expires = p.ask.ID, p.ask.Shown, rand.Text(), lifeOf(*p.ask, b.now())
		}
		if last, err = b.sendOnce(ctx, r, text, p); err != nil {
			return 0, err
		}
	}
	return last, nil
}

// sendOnce sends one message, unless it was sent. That it is about to be sent is written down first: after a crash, or without
// an answer, it may be there, so it is looked for before it is sent again.
func (b *Bot) sendOnce(ctx context.Context, r row, text string, p post) (int64, error) {
	r, fresh, err := b.reserve(ctx, r)
	if err != nil || r.message > 0 {
		return r.message, err
	}
	content := map[string]any{"chat_id": r.chat, "text": text, "link_preview_options": map[string]bool{"is_disabled": true}}
	if r.ask != "" && p.ask != nil {
		if k := buttons(*p.ask, p.language, r.nonce); k != nil {
			content["reply_markup"] = k
		}
	}
	var sent message
	if !fresh {
		if sent.ID, err = b.find(ctx, r, content); err != nil {
			return 0, err
		}
	}
	if sent.ID == 0 {
		err = b.api.call(ctx, "sendMessage", callLimit, content, &sent)
		if refused(err) != nil { // it was surely not sent
			if wrong := b.write(ctx, run(`DELETE FROM telegram_posts WHERE bot = ? AND chat = ? AND key = ? AND message = 0`, r.bot, r.chat, r.key)); wrong != nil {
				return 0, wrong
			}
		}
		if err != nil {
			return 0, err
		}
	}
	b.hook("sent")
	return sent.ID, b.write(ctx, run(`UPDATE telegram_posts SET message = ?, at = ? WHERE bot = ? AND chat = ? AND key = ?`, sent.ID, b.now().UnixMicro(), r.bot, r.chat, r.key))
}

// reserve writes down that a message is about to be sent. If that was done before it returns what is known of it.
func (b *Bot) reserve(ctx context.Context, r row) (_ row, fresh bool, err error) {
	err = b.opts.Store.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx rein.Tx) error {
		known, err := posts(ctx, tx, "bot = ? AND chat = ? AND key = ?", r.bot, r.chat, r.key)
		if err != nil {
			return err
		}
		if len(known) > 0 {
			r = known[0]
			return nil
		}
		fresh = true
		if r.known, err = newest(ctx, tx, r.bot, r.chat); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO telegram_posts (bot, chat, key, household, user_name, run, ask, shown, nonce, expires, known, message, closed, at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?)`,
			r.bot, r.chat, r.key, r.household, r.user, string(r.run), string(r.ask), r.shown, r.nonce, r.expires.UnixMicro(), r.known, b.now().UnixMicro())
		return err
	})
	return r, fresh, err
}

// mostTried is how many numbers are tried to find a message that may have been sent.
const mostTried = 30

// unchanged is how Telegram refuses to change a message into what it is.
const unchanged = "message is not modified"

// find looks for a message that may have been sent; 0: it was not. The Bot API lists no messages, but it refuses to change a
// message that is not there, or is a person's, and one that says the same already. Messages are numbered in order, and
// nothing else of the bot's was sent to the chat meanwhile: so a message that can be changed into this one is this one.
func (b *Bot) find(ctx context.Context, r row, content map[string]any) (int64, error) {
	change := map[string]any{}
	for k, v := range content {
		change[k] = v
	}
	for id := r.known + 1; id <= r.known+mostTried; id++ {
		change["message_id"] = id
		var found message
		err := b.api.call(ctx, "editMessageText", callLimit, change, &found)
		switch no := refused(err); {
		case err == nil && found.ID == id, no != nil && strings.Contains(no.why, unchanged):
			return id, nil
		case err == nil: // an answer that names no message says nothing
		case no == nil || no.code != 400:
			return 0, err
		}
	}
	return 0, nil
}

// A turns lets one at a time say something in a chat.
type turns struct {
	mu    chan struct{}
	chats map[int64]chan struct{}
}

func newTurns() *turns { return &turns{mu: make(chan struct{}, 1), chats: map[int64]chan struct{}{}} }

// take waits for a turn and returns how to end it. Every call that is made in one has a time limit.
func (t *turns) take(chat int64) (leave func()) {
	t.mu <- struct{}{}
	mine := t.chats[chat]
	if mine == nil {
		mine = make(chan struct{}, 1)
		t.chats[chat] = mine
	}
	<-t.mu
	mine <- struct{}{}
	return func() { <-mine }
}

// closeAsk says in a message that showed an ask what became of it, and takes its buttons away.
func (b *Bot) closeAsk(ctx context.Context, r row, ask rein.Ask, language string) error {
	defer b.turns.take(r.chat)()
	if r.message > 0 {
		text, said := "", decided(ask, language)
		if parts := split(askText(ask)); len(parts) > 0 {
			text = parts[len(parts)-1]
		}
		if text += "\n\n" + said; units(text) > maxText {
			text = said
		}
		err := b.api.call(ctx, "editMessageText", callLimit, map[string]any{
			"chat_id": r.chat, "message_id": r.message, "text": strings.TrimSpace(text), "reply_markup": keyboard{Rows: [][]button{}},
			"link_preview_options": map[string]bool{"is_disabled": true},
		}, nil)
		if no := refused(err); err != nil && (no == nil || no.code == 429 || no.code >= 500) {
			return err
		}
	}
	return b.write(ctx, run(`UPDATE telegram_posts SET closed = 1 WHERE bot = ? AND chat = ? AND key = ?`, r.bot, r.chat, r.key))
}

// openPosts returns the posts that show an ask and from which something can follow.
func (b *Bot) openPosts(ctx context.Context, bot int64) ([]row, error) {
	return read(ctx, b, posts, "bot = ? AND ask <> '' AND closed = 0 ORDER BY at", bot)
}

// isNewest reports whether nothing was said in a chat after a message.
func (b *Bot) isNewest(ctx context.Context, r row) (bool, error) {
	later, err := read(ctx, b, posts, "bot = ? AND chat = ? AND message > ? LIMIT 1", r.bot, r.chat, r.message)
	return len(later) == 0, err
}

func (b *Bot) now() time.Time { return b.opts.Now().UTC() }
