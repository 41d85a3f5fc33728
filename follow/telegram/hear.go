package telegram

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/follow/talk"
	"rein/household/channels"
	"rein/internal/picture"
)

// owner returns the channel that a chat is; CodeNotFound: it is nobody's.
func (b *Bot) owner(ctx context.Context, chat int64) (channels.Channel, error) {
	return b.opts.Answers.Book.At(ctx, channels.Telegram, strconv.FormatInt(chat, 10))
}

// isFrom reports whether somebody is the person who paired a chat. In a group others write too.
func isFrom(c channels.Channel, from int64) bool {
	var d data
	return json.Unmarshal(c.Data, &d) == nil && d.From != 0 && d.From == from
}

// private handles what somebody wrote to the bot alone.
func (b *Bot) private(ctx context.Context, self *me, group []update) error {
	m := group[0].Message
	code := codeIn(m.Text)
	c, err := b.owner(ctx, m.Chat.ID)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound:
		return b.stranger(ctx, self, group[0].ID, m, code)
	case err != nil:
		return err
	case code != "":
		if done, err := b.paired(ctx, self, group[0].ID, m, code); done || err != nil {
			return err
		}
	}
	if !isFrom(c, m.From.ID) {
		return nil
	}
	return b.hear(ctx, self, c, group, m.Text)
}

// stranger answers somebody who is not known: one line, now and then, that says nothing. A code makes the chat theirs.
func (b *Bot) stranger(ctx context.Context, self *me, id int64, m *message, code string) error {
	if code != "" {
		if done, err := b.paired(ctx, self, id, m, code); done || err != nil {
			return err
		}
	}
	if b.strangers.allows(m.Chat.ID, b.now()) {
		err := b.api.call(ctx, "sendMessage", callLimit, map[string]any{"chat_id": m.Chat.ID, "text": words.Say(m.From.Language, "stranger")}, nil)
		if err != nil {
			b.opts.Log.Warn("telegram: a stranger could not be answered", "error", err)
		}
	}
	return nil
}

// paired takes a code, and greets whose chat it is now. Codes cannot be guessed: wrong ones are counted, and then not looked at.
func (b *Bot) paired(ctx context.Context, self *me, id int64, m *message, code string) (bool, error) {
	if !b.guesses.allows(m.Chat.ID, b.now()) {
		return false, nil
	}
	_, paired, err := b.pair(ctx, intent{bot: self.ID, update: id}, m, code)
	if err != nil || !paired {
		return false, err
	}
	c, err := b.owner(ctx, m.Chat.ID)
	if err != nil {
		return true, nil // it was removed meanwhile
	}
	greeting := "paired"
	if m.Chat.Type != "private" {
		greeting = "group"
	}
	return true, b.reply(ctx, c, m.Chat.ID, id, greeting, c.User)
}

// group handles what somebody wrote in a group: only what the person who paired it writes to the bot.
func (b *Bot) group(ctx context.Context, self *me, group []update) error {
	m := group[0].Message
	text, toMe := addressed(m, self)
	if !toMe {
		return nil
	}
	if code := codeIn(text); code != "" {
		if done, err := b.paired(ctx, self, group[0].ID, m, code); done || err != nil {
			return err
		}
	}
	c, err := b.owner(ctx, m.Chat.ID)
	if rein.CodeOf(err) == rein.CodeNotFound || err == nil && !isFrom(c, m.From.ID) {
		return nil
	}
	if err != nil {
		return err
	}
	return b.hear(ctx, self, c, group, text)
}

// addressed returns what a message in a group says to the bot: after its name, as a command, or as a reply to it.
func addressed(m *message, self *me) (text string, toMe bool) {
	text = strings.TrimSpace(m.Text + m.Caption)
	mention := "@" + self.Name
	if at := indexFold(text, mention); self.Name != "" && at >= 0 {
		return strings.TrimSpace(text[:at] + text[at+len(mention):]), true
	}
	command, _, _ := strings.Cut(text, " ")
	if strings.HasPrefix(command, "/") && !strings.Contains(command, "@") {
		return text, true
	}
	return text, m.ReplyTo != nil && m.ReplyTo.From != nil && m.ReplyTo.From.ID == self.ID
}

func indexFold(text, part string) int {
	for i := 0; i+len(part) <= len(text); i++ {
		if strings.EqualFold(text[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}

// hear handles what the person said whose chat it is.
func (b *Bot) hear(ctx context.Context, self *me, c channels.Channel, group []update, text string) error {
	m, id := group[0].Message, group[0].ID
	who, err := b.opts.Answers.Identity(ctx, c.ID)
	if err != nil {
		if code := rein.CodeOf(err); code == rein.CodeNotFound || code == rein.CodeUnauthenticated || code == rein.CodeForbidden {
			return nil // they are disabled: nobody is told so here
		}
		return err
	}
	if !who.May(rein.ScopeAct) {
		return b.reply(ctx, c, m.Chat.ID, id, "viewer")
	}
	in, again, err := b.intend(ctx, intent{bot: self.ID, update: id, chat: m.Chat.ID, message: m.ID, household: c.Household, user: c.User}, func() (string, error) {
		return b.opts.Desk.SessionFor(ctx, who)
	})
	if err != nil {
		return err
	}
	b.hook("intended")
	if in.session == "" { // it paired the chat
		return nil
	}
	switch command, _, _ := strings.Cut(strings.ToLower(text), " "); command {
	case "/start", "/help":
		return b.reply(ctx, c, m.Chat.ID, id, "help")
	case "/stop":
		return b.stop(ctx, c, who, in)
	}
	said := talk.Words{
		Who: who, Key: key(self.ID, id), Session: in.session, Language: b.opts.Language(ctx, c.Household, c.User), Text: text, Again: again,
	}
	trouble, err := b.attach(ctx, &said, group)
	if err != nil {
		return err
	}
	if trouble != "" {
		return b.reply(ctx, c, m.Chat.ID, id, trouble)
	}
	leave := b.turns.take(m.Chat.ID) // what is being shown is shown before
	said.Last, err = b.last(ctx, self.ID, m.Chat.ID, m.ID)
	leave()
	if err != nil {
		return err
	}
	return b.bring(ctx, c, in, said)
}

// key names what a person said.
func key(bot, update int64) string { return fmt.Sprintf("telegram %d %d", bot, update) }

// attach adds the pictures of a message to what was said, or returns what is wrong with it.
func (b *Bot) attach(ctx context.Context, said *talk.Words, group []update) (trouble string, err error) {
	if first := group[0].Message; first.Text != "" {
		return "", nil
	}
	for _, u := range group {
		if u.Message.Caption != "" && said.Text == "" {
			said.Text = u.Message.Caption
		}
		file, trouble := pictureOf(u.Message)
		if trouble != "" {
			return trouble, nil
		}
		content, err := b.api.download(ctx, file, picture.MaxBytes)
		if rein.CodeOf(err) == rein.CodeInvalid {
			return "too large", nil
		}
		if err != nil {
			return "", err
		}
		image, err := picture.Look(rein.Image{Data: content})
		if err != nil {
			return "not photo", nil
		}
		image.Name = fmt.Sprintf("telegram-%d%s", u.Message.ID, extension(image.Type))
		said.Images = append(said.Images, image)
	}
	if said.Text == "" {
		said.Text = words.Say(b.opts.Language(ctx, said.Who.Household, said.Who.User), "photo")
	}
	return "", nil
}

func extension(kind string) string { return "." + strings.TrimPrefix(kind, "image/") }

// pictureOf returns the file of a picture: the largest size that a model takes.
func pictureOf(m *message) (file, trouble string) {
	sizes := slices.DeleteFunc(slices.Clone(m.Photo), func(p photo) bool { return p.Size > picture.MaxBytes })
	switch {
	case len(sizes) > 0:
		return slices.MaxFunc(sizes, func(a, b photo) int { return int(a.Width*a.Height - b.Width*b.Height) }).File, ""
	case m.Document != nil && strings.HasPrefix(m.Document.Type, "image/") && m.Document.Size <= picture.MaxBytes:
		return m.Document.File, ""
	case len(m.Photo) > 0, m.Document != nil && strings.HasPrefix(m.Document.Type, "image/"):
		return "", "too large"
	}
	return "", "media"
}

// bring brings what was said to the assistant, and notes that the chat shows what becomes of it.
func (b *Bot) bring(ctx context.Context, c channels.Channel, in intent, said talk.Words) error {
	heard, err := b.opts.Desk.Hear(ctx, said)
	if err != nil {
		return b.refuse(ctx, c, in, err)
	}
	b.hook("heard")
	switch {
	case heard.Closed:
		return b.reply(ctx, c, in.chat, in.update, "closed")
	case len(heard.Which) > 0:
		return b.showAgain(ctx, c, in, heard.Which)
	case heard.Run != "":
		err = b.write(ctx, run(`INSERT INTO telegram_talks (chat, run, command, household, user_name, since) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			in.chat, string(heard.Run), string(heard.Command), c.Household, c.User, b.now().UnixMicro()))
	}
	b.look()
	return err
}

// refuse says what was wrong with a message that can never be brought. What may work later is tried again.
func (b *Bot) refuse(ctx context.Context, c channels.Channel, in intent, err error) error {
	switch rein.CodeOf(err) {
	case rein.CodeInvalid, rein.CodeForbidden, rein.CodeQuota, rein.CodeLimit, rein.CodeBudget, rein.CodeConflict, rein.CodeNotFound:
		return b.reply(ctx, c, in.chat, in.update, "failed", rein.FailureOf(err).Msg)
	}
	return err
}

// stop stops what works in the session of the chat.
func (b *Bot) stop(ctx context.Context, c channels.Channel, who rein.Identity, in intent) error {
	stopped, err := b.opts.Desk.Stop(ctx, who, in.session, key(in.bot, in.update))
	if err != nil {
		return err
	}
	b.look()
	if stopped {
		return b.reply(ctx, c, in.chat, in.update, "stopped")
	}
	return b.reply(ctx, c, in.chat, in.update, "idle")
}

// reply says one of the bot's own sentences, once for each update.
func (b *Bot) reply(ctx context.Context, c channels.Channel, chat, update int64, what string, args ...any) error {
	_, err := b.say(ctx, post{
		chat: chat, key: fmt.Sprintf("reply %d %s", update, what), household: c.Household, user: c.User,
		text: words.Say(b.opts.Language(ctx, c.Household, c.User), what, args...),
	})
	return b.given(ctx, c, err)
}

// given passes on an error of saying something, unless it can never be said: then the chat is gone, and nobody reads it.
func (b *Bot) given(ctx context.Context, c channels.Channel, err error) error {
	no := refused(err)
	if no == nil || no.code == 429 || no.code >= 500 {
		return err
	}
	if !isGone(no) {
		b.opts.Log.Warn("telegram: something could not be said", "error", err)
		return nil
	}
	return b.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		return channels.SetGone(ctx, tx, c.ID, no.why, b.now())
	})
}
