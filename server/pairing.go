package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
)

// A Pairer makes codes with which people make a chat theirs.
type Pairer interface {
	NewCode(ctx context.Context, who rein.Identity) (api.PairingCode, error)
}

func (s *server) newPairingCode(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if s.Pairing == nil {
		return rein.Errorf(rein.CodeUnavailable, "there is no Telegram bot: make one with @BotFather, name its token in the settings with telegram.token, and start `rein serve`; docs/telegram.md shows how")
	}
	for _, needs := range []rein.Scope{rein.ScopeRead, rein.ScopeAnswer} { // whoever has the chat reads and answers
		if !who.May(needs) {
			return lacks(who, needs)
		}
	}
	ctx, cancel := lasting(r)
	defer cancel()
	code, err := s.Pairing.NewCode(ctx, who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, code)
}

func (s *server) pairingOperations() []operation {
	return []operation{
		{
			method: "POST", path: "/v1/channels/pair", name: "newPairingCode", tag: "messages", summary: "Create a code that makes a Telegram chat yours: send it to the bot. It works once, for ten minutes",
			needs: rein.ScopeAct, answers: []reply{{status: http.StatusCreated, value: api.PairingCode{}}}, do: s.newPairingCode,
		},
	}
}
