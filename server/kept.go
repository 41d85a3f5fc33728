package server

import (
	"net/http"
	"strings"

	"rein"
	"rein/api"
	"rein/household/page"
	"rein/server/wire"
)

// keptOperations are about what a web page keeps for its user.
func (s *server) keptOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/me/page", name: "readPage", tag: "people", summary: "Get the object that the web page keeps for you",
			needs: rein.ScopeRead, answers: ok(api.Page{}), do: s.withPage(s.readPage),
		},
		{
			method: "PUT", path: "/v1/me/page", name: "keepPage", tag: "people", summary: "Replace the object that the web page keeps for you. A token needs the scope `act`",
			needs: rein.ScopeRead, body: api.NewPage{}, answers: ok(api.Page{}), do: s.withPage(s.keepPage),
		},
	}
}

func (s *server) readPage(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	kept, err := s.Page.Kept(r.Context(), who.Household, who.User)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Page{Page: kept.Data, Changed: kept.Changed})
}

// keepPage lets people who may only look keep how they look, in their browser; a token to read changes nothing.
func (s *server) keepPage(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if !who.May(rein.ScopeAct) && (who.Bare || !strings.HasPrefix(who.Via, "browser:")) {
		return wire.May(who, rein.ScopeAct)
	}
	var body api.NewPage
	if err := wire.ReadLongJSON(w, r, &body, page.MaxKept+1<<10); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Page.Keep(ctx, who.Household, who.User, body.Page); err != nil {
		return err
	}
	return s.readPage(w, r.WithContext(ctx), who)
}
