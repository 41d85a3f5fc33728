// Package telegram lets people talk to their assistant in Telegram, and brings them their messages there. It asks the Bot API for
// what is new, so it needs no address that the internet reaches.
//
// A process that is killed at any moment loses nothing and repeats nothing. An update is handled until that has worked, and
// what follows from it has a name that follows from it. What is about to be said is written down before it is sent, and
// looked for afterwards.
package telegram

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/follow/talk"
	"rein/household/channels"
	"rein/store"
)

// A Store is what a bot reads, watches and keeps its rows in.
type Store interface {
	store.Reader
	store.Tables
}

// Options are a bot's. Log and Now may be left out.
type Options struct {
	Store   Store
	Answers deliver.Answers
	Desk    *talk.Desk
	// Token returns the bot's token each time it is needed. It is never kept.
	Token func() string
	// BaseURL is a server of the Bot API; empty: Telegram's.
	BaseURL string
	// Language returns the language of a user, such as nl.
	Language func(ctx context.Context, household, user string) string
	Log      *slog.Logger     // gets what goes wrong, without the token and without words of people
	Now      func() time.Time // nil means time.Now
}

// A Bot is one bot. New makes it.
type Bot struct {
	opts  Options
	api   *client
	news  *store.Notes[bool]
	turns *turns

	strangers *limiter // the polite line
	guesses   *limiter // codes that are none

	mu      sync.Mutex
	me      *me
	trouble string // what is wrong now; empty: nothing

	pause func(ctx context.Context, d time.Duration) // waits between tries
	hook  func(step string)                          // tests look at the steps
}

var _ deliver.Channel = (*Bot)(nil)

// New makes a bot, which does nothing until it is served.
func New(o Options) *Bot {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Bot{
		opts: o, api: newClient(o.BaseURL, o.Token), news: store.NewNotes[bool](), turns: newTurns(),
		strangers: &limiter{most: 1, mostOfAll: 30, span: time.Hour},
		guesses:   &limiter{most: 5, mostOfAll: 50, span: CodeLife},
		pause:     pause, hook: func(string) {},
	}
}

// Name implements deliver.Channel.
func (b *Bot) Name() string { return string(channels.Telegram) }

// Serve handles what people write, and says what there is to say, until the context ends.
func (b *Bot) Serve(ctx context.Context) error {
	stop := b.news.Watch(b.opts.Store, func(held *bool, marks []store.Mark) bool {
		for _, m := range marks {
			if m.Kind == rein.AskOpened || m.Kind == rein.RunBlocked || m.Kind.Command() != "" || m.Kind.Ends() {
				return true
			}
		}
		return false
	})
	defer stop()
	defer b.api.http.CloseIdleConnections()
	var self *me
	for self == nil && ctx.Err() == nil {
		var err error
		if self, err = b.self(ctx); err != nil {
			b.rest(ctx, "cannot be reached", err)
		}
	}
	if self == nil {
		return nil
	}
	var working sync.WaitGroup
	working.Go(func() { b.tell(ctx, self.ID) })
	working.Go(func() { b.poll(ctx, self) })
	working.Wait()
	return nil
}

// self returns who the bot is, which is asked once.
func (b *Bot) self(ctx context.Context) (*me, error) {
	b.mu.Lock()
	known := b.me
	b.mu.Unlock()
	if known != nil {
		return known, nil
	}
	var self me
	if err := b.api.call(ctx, "getMe", callLimit, struct{}{}, &self); err != nil {
		return nil, err
	}
	if self.ID == 0 {
		return nil, fmt.Errorf("telegram: getMe: the answer names no bot")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.me = &self
	return &self, nil
}

// works notes that nothing is wrong any more.
func (b *Bot) works() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trouble = ""
}

// rest notes what is wrong, and waits as long as it takes to hope that it is over. What is wrong for long is logged once.
func (b *Bot) rest(ctx context.Context, what string, err error) {
	if ctx.Err() != nil {
		return
	}
	wait, why := 5*time.Second, err.Error()
	if no := refused(err); no != nil {
		switch {
		case no.after > 0:
			wait = no.after
		case no.code == 409:
			wait, why = 30*time.Second, "another program already asks for this bot's updates, or they go to a webhook: stop that program, or give rein a bot of its own"
		case no.code == 401 || no.code == 404:
			wait, why = time.Minute, "Telegram does not know the token: check what telegram.token names"
		}
	}
	b.mu.Lock()
	news := b.trouble != why
	b.trouble = why
	b.mu.Unlock()
	if news {
		b.opts.Log.Warn("telegram: the bot "+what+"; rein tries again", "why", why)
	}
	b.pause(ctx, wait)
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// Send implements deliver.Channel.
func (b *Bot) Send(ctx context.Context, to deliver.To, m deliver.Message) (receipt string, err error) {
	chat, err := strconv.ParseInt(to.Address, 10, 64)
	if err != nil {
		return "", deliver.Never(rein.Errorf(rein.CodeInvalid, "telegram: the address is not the ID of a chat"))
	}
	sent := int64(0)
	if m.Ask != nil {
		sent, err = b.sendAsk(ctx, to, chat, *m.Ask)
	} else {
		text := m.Text
		if m.Link != "" {
			text += "\n\n" + m.Link
		}
		sent, err = b.say(ctx, post{chat: chat, key: "message " + m.ID, household: to.Household, user: to.User, run: m.Run, text: text})
	}
	if err != nil {
		return "", b.judge(err)
	}
	return strconv.FormatInt(sent, 10), nil
}

// sendAsk shows an ask that waits for a person, unless it is shown already.
func (b *Bot) sendAsk(ctx context.Context, to deliver.To, chat int64, q deliver.Question) (int64, error) {
	ask, err := b.opts.Store.Ask(ctx, q.ID)
	if err != nil || ask.State != rein.AskPending || ask.Shown != q.Shown {
		return 0, err
	}
	sent, err := b.showAsk(ctx, chat, to.Household, to.User, ask, to.Language, "")
	b.look() // it may be closed since
	return sent, err
}

// judge says what becomes of a message that was not sent.
func (b *Bot) judge(err error) error {
	no := refused(err)
	switch {
	case no == nil:
		return err
	case no.code == 429:
		return deliver.Again(no.after, err)
	case isGone(no):
		return deliver.Gone(err)
	case no.code == 400:
		return deliver.Never(err)
	}
	return err
}

// isGone reports whether a refusal means that the chat takes no messages any more.
func isGone(no *refusal) bool {
	return no.code == 403 || no.code == 400 && (contains(no.why, "chat not found") || contains(no.why, "upgraded to a supergroup") || contains(no.why, "user is deactivated"))
}
