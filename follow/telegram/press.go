package telegram

import (
	"context"
	"crypto/subtle"
	"strconv"
	"strings"

	"rein"
	"rein/follow/deliver"
)

// press handles a button that somebody pressed. It answers exactly the ask that its message showed, as it was shown, and only
// for the person whom it was shown to.
func (b *Bot) press(ctx context.Context, self *me, id int64, p *callback) error {
	if p.Message == nil {
		return b.note(ctx, p, words.Say(p.From.Language, "press old"))
	}
	c, err := b.owner(ctx, p.Message.Chat.ID)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return b.note(ctx, p, words.Say(p.From.Language, "press forged"))
	}
	if err != nil {
		return err
	}
	language := b.opts.Language(ctx, c.Household, c.User)
	r, choice, err := b.pressed(ctx, self.ID, p)
	if err != nil {
		return err
	}
	switch {
	case r.nonce == "":
		return b.note(ctx, p, words.Say(language, "press forged"))
	case !isFrom(c, p.From.ID) || r.household != c.Household || r.user != c.User:
		return b.note(ctx, p, words.Say(language, "press other"))
	case b.now().After(r.expires):
		return b.note(ctx, p, words.Say(language, "press old"))
	}
	in := intent{bot: self.ID, update: id, chat: p.Message.Chat.ID, household: c.Household, user: c.User}
	_, again, err := b.intend(ctx, in, func() (string, error) { return "", nil })
	if err != nil {
		return err
	}
	b.hook("intended")
	answer, err := b.choose(ctx, c.ID, r, choice, again)
	if isPassing(err) {
		return err
	}
	b.hook("answered")
	b.look()
	return b.note(ctx, p, outcome(language, answer, err))
}

// pressed finds the post that a button belongs to; one without a nonce: there is none.
func (b *Bot) pressed(ctx context.Context, bot int64, p *callback) (row, int, error) {
	nonce, choice, ok := strings.Cut(p.Data, ":")
	n, err := strconv.Atoi(choice)
	if !ok || err != nil || nonce == "" {
		return row{}, 0, nil
	}
	b.turns.take(p.Message.Chat.ID)() // what is being shown is noted first
	found, err := read(ctx, b, posts, "bot = ? AND chat = ? AND message = ? AND ask <> ''", bot, p.Message.Chat.ID, p.Message.ID)
	for _, r := range found {
		if subtle.ConstantTimeCompare([]byte(r.nonce), []byte(nonce)) == 1 {
			return r, n, err
		}
	}
	return row{}, 0, err
}

// choose answers the ask of a post. A press that was handled before, by a process that died, is not refused for that.
func (b *Bot) choose(ctx context.Context, channel string, r row, choice int, again bool) (rein.Answer, error) {
	ask, err := b.opts.Store.Ask(ctx, r.ask)
	if err != nil {
		return rein.Answer{}, err
	}
	answer, ok := answerOf(ask, choice)
	if !ok {
		return answer, rein.Errorf(rein.CodeNotFound, "the ask has no such answer")
	}
	answer.Shown = r.shown
	if again && ask.State == answer.State && ask.Answer.By == r.user && ask.Answer.Text == answer.Text {
		return answer, nil
	}
	_, err = b.opts.Answers.Answer(ctx, channel, ask.ID, answer)
	return answer, err
}

// isPassing reports whether the same may work later.
func isPassing(err error) bool {
	switch rein.CodeOf(err) {
	case "", rein.CodeNotFound, rein.CodeForbidden, rein.CodeClosed, rein.CodeFinished, rein.CodeStopped, rein.CodeCancelled, rein.CodeDeleted, rein.CodeConflict, rein.CodeInvalid:
		return false
	}
	return true
}

// outcome is what a person reads after they pressed a button.
func outcome(language string, answer rein.Answer, err error) string {
	if rein.CodeOf(err) == rein.CodeConflict {
		return words.Say(language, "press changed")
	}
	return deliver.Outcome(language, answer, err)
}

// maxNote is how long the answer to a button may be.
const maxNote = 190

// note answers a button. It is only a courtesy: whether it arrives does not matter, and Telegram takes none for old buttons.
func (b *Bot) note(ctx context.Context, p *callback, text string) error {
	err := b.api.call(ctx, "answerCallbackQuery", callLimit, map[string]any{"callback_query_id": p.ID, "text": clip(text, maxNote), "show_alert": true}, nil)
	if err != nil {
		b.opts.Log.Warn("telegram: a button could not be answered", "error", err)
	}
	return nil
}
