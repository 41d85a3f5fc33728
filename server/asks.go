package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
	"rein/server/port"
	"rein/server/wire"
	"rein/store"
)

// states are what a list of asks can be narrowed to.
var states = []string{
	string(rein.AskPending), string(rein.AskApproved), string(rein.AskEdited), string(rein.AskRejected),
	string(rein.AskAnswered), string(rein.AskDeclined), string(rein.AskExpired), string(rein.AskWithdrawn),
}

func (s *server) listAsks(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	query, limit := r.URL.Query(), number(r, "limit", api.DefaultLimit)
	if who.Household == "" {
		return answer(w, http.StatusOK, api.Asks{Asks: []rein.Ask{}})
	}
	filter := store.AskFilter{
		Tree: rein.RunID(query.Get("tree")), State: rein.AskState(query.Get("state")), For: query.Get("for"),
		Household: who.Household, After: rein.AskID(query.Get("after")), Limit: limit + 1,
	}
	if !seesAll(who) {
		filter.User = who.User // and what is put to them
	}
	if answers(who) != "" {
		filter.Adult = who.Role.IsAdult()
	}
	if filter.Tree != "" {
		if _, err := s.run(r.Context(), filter.Tree, who); err != nil {
			return err
		}
	}
	if filter.After != "" {
		if _, _, err := port.Ask(r.Context(), s.Store, filter.After, who); err != nil {
			return err
		}
	}
	asks, err := s.Store.Asks(r.Context(), filter)
	if err != nil {
		return err
	}
	list := api.Asks{Asks: append([]rein.Ask{}, asks[:min(len(asks), limit)]...)}
	if len(asks) > limit {
		list.Next = asks[limit-1].ID
	}
	return answer(w, http.StatusOK, list)
}

// seesAll reports whether somebody sees the runs and asks of everyone in the household.
func seesAll(who rein.Identity) bool { return who.Role == rein.Owner || who.Role == rein.Viewer }

func (s *server) showAsk(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	id := rein.AskID(r.PathValue("id"))
	if flag(r, "reveal") {
		return s.revealAsk(w, r, id, who)
	}
	ask, _, err := port.Ask(r.Context(), s.Store, id, who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, ask)
}

// A revealer reads asks with their secrets, where the store that people see leaves them out.
type revealer interface {
	Reveal(context.Context, rein.AskID) (rein.Ask, error)
}

// revealAsk shows an ask with its secrets to the person who is to answer it.
func (s *server) revealAsk(w http.ResponseWriter, r *http.Request, id rein.AskID, who rein.Identity) error {
	ask, err := port.Answerable(r.Context(), s.Store, id, who)
	if plain, ok := s.Store.(revealer); ok && err == nil {
		ask, err = plain.Reveal(r.Context(), id)
	}
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, ask)
}

// answerAsk closes an ask with what the sender says.
func (s *server) answerAsk(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.Answer
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	c := rein.Command{Kind: rein.CommandAnswer, Ask: rein.AskID(r.PathValue("id")), Answer: body.Answer, Key: body.Key}
	return s.send(w, r, c, who)
}
