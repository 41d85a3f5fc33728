package server

import (
	"context"
	"net/http"
	"strings"

	"rein"
	"rein/api"
	"rein/people"
	"rein/store"
)

// states are what a list of asks can be narrowed to.
var states = []string{
	string(rein.AskPending), string(rein.AskApproved), string(rein.AskEdited), string(rein.AskRejected),
	string(rein.AskAnswered), string(rein.AskDeclined), string(rein.AskExpired), string(rein.AskWithdrawn),
}

// seesAsk reports whether an ask is the sender's business: they may see its run, or a run of their
// household put it to them.
func seesAsk(who people.Identity, ask rein.Ask, of store.RunInfo) bool {
	return who.Sees(of.Household, of.User) || who.Household == of.Household && ask.For != "" && ask.For == who.User
}

func (s *server) listAsks(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	query := r.URL.Query()
	state := query.Get("state")
	filter := store.AskFilter{Tree: rein.RunID(query.Get("tree")), Pending: state == string(rein.AskPending)}
	if filter.Tree != "" {
		if _, err := s.run(r.Context(), filter.Tree, who); err != nil {
			return err
		}
	}
	all, err := s.Store.Asks(r.Context(), filter)
	if err != nil {
		return err
	}
	list := api.Asks{Asks: []rein.Ask{}}
	roots := map[rein.RunID]store.RunInfo{} // a tree is of one user
	for _, ask := range all {
		if state != "" && ask.State != rein.AskState(state) {
			continue
		}
		if person := query.Get("for"); person != "" && ask.For != "" && ask.For != person {
			continue
		}
		root, known := roots[ask.Run.Root()]
		if !known {
			if root, err = s.Store.Run(r.Context(), ask.Run.Root()); err != nil {
				return err
			}
			roots[root.ID] = root
		}
		if seesAsk(who, ask, root) {
			list.Asks = append(list.Asks, ask)
		}
	}
	return answer(w, http.StatusOK, list)
}

func (s *server) showAsk(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	ask, _, err := s.ask(r.Context(), rein.AskID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, ask)
}

// ask returns an ask that the caller may see, and its run. Another's does not exist for them.
func (s *server) ask(ctx context.Context, id rein.AskID, who people.Identity) (rein.Ask, store.RunInfo, error) {
	none := func(err error) (rein.Ask, store.RunInfo, error) { return rein.Ask{}, store.RunInfo{}, err }
	if run, _, ok := strings.Cut(string(id), ":"); !ok || rein.RunID(run).Check() != nil {
		return none(rein.Errorf(rein.CodeInvalid, "%.100q is no ask ID: it is a run's ID, a colon and a step", string(id)))
	}
	ask, err := s.Store.Ask(ctx, id)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return none(noAsk(id))
	}
	if err != nil {
		return none(err)
	}
	of, err := s.Store.Run(ctx, ask.Run)
	if err != nil {
		return none(err)
	}
	if !seesAsk(who, ask, of) {
		return none(noAsk(id))
	}
	return ask, of, nil
}

func noAsk(id rein.AskID) error {
	return rein.Errorf(rein.CodeNotFound, "there is no ask %q", string(id))
}

// answerAsk closes an ask with what the sender says.
func (s *server) answerAsk(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	var body api.Answer
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	c := rein.Command{Kind: rein.CommandAnswer, Ask: rein.AskID(r.PathValue("id")), Answer: body.Answer, Key: body.Key}
	return s.send(w, r, c, who)
}
