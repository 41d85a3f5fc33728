package app

import (
	"context"
	"time"

	"rein"
	"rein/api"
	"rein/follow/deliver"
	"rein/follow/talk"
	"rein/follow/telegram"
	"rein/household/channels"
	"rein/server/port"
)

// makeTelegram makes the bot that the settings name, if they do.
func (s *Service) makeTelegram() {
	set := s.settings.Telegram
	if set.Token == "" {
		return
	}
	s.telegram = telegram.New(telegram.Options{
		Store: &Data{Store: s.store, seen: s.seen}, Answers: s.answers(), Desk: s.desk(), BaseURL: set.BaseURL, Language: s.languageOf, Log: s.log,
		Token: func() string {
			now, _ := s.live.now()
			return s.setup.variables(now).Get(set.TokenName())
		},
	})
	s.pairing = pairer{s.telegram}
	s.parts = append(s.parts, part{"telegram", s.telegram.Serve})
}

// A pairer makes codes for chats.
type pairer struct{ *telegram.Bot }

// NewCode implements server.Pairer.
func (p pairer) NewCode(ctx context.Context, who rein.Identity) (api.PairingCode, error) {
	made, err := p.Bot.NewCode(ctx, who)
	return api.PairingCode(made), err
}

// answers takes answers to asks from channels.
func (s *Service) answers() deliver.Answers {
	return deliver.Answers{Book: s.book(), Who: s.people.Reached, Do: s.answerAsk}
}

func (s *Service) answerAsk(ctx context.Context, who rein.Identity, ask rein.AskID, answer rein.Answer) (rein.Receipt, error) {
	return port.AnswerAsk(ctx, s.seen, s.engine, who, ask, answer)
}

// book has the channels of people.
func (s *Service) book() channels.Book { return channels.Book{Tables: s.store} }

// desk brings what people say in channels to their assistant, in the session of POST /chat.
func (s *Service) desk() *talk.Desk {
	return &talk.Desk{Engine: s.engine, Store: s.seen, SessionFor: s.chatSession, Task: s.chatTask, Answer: s.answerAsk}
}

// chatSession returns the session that a message of a person to their assistant belongs to now.
func (s *Service) chatSession(ctx context.Context, who rein.Identity) (string, error) {
	return s.names.SessionFor(ctx, s.store, who.Household, who.User, time.Now(), 0)
}

// chatTask is what a run begins with that a message starts. Tasks are completed when they start; who speaks with people knows
// the language before.
func (s *Service) chatTask(_ context.Context, _ rein.Identity, flow string) (rein.Task, error) {
	now, _ := s.live.now()
	return rein.Task{Flow: flow, Language: now.Language}, nil
}

// languageOf is the language of a user: their own choice, or else that of the settings.
func (s *Service) languageOf(ctx context.Context, household, user string) string {
	now, _ := s.live.now()
	wishes, err := s.book().Preferences(ctx, household, user)
	if err != nil {
		return now.Language
	}
	_, language := wishes.In(time.UTC, now.Language)
	return language
}
