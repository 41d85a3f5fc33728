package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
	"rein/household/erase"
	"rein/server/wire"
)

// An Eraser removes what was said, with everything that quotes it.
type Eraser interface {
	Plan(ctx context.Context, who rein.Identity, t erase.Target) (erase.Erasure, error)
	Erase(ctx context.Context, who rein.Identity, t erase.Target, shown string) (erase.Erasure, error)
}

func (s *server) eraseOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/erasures", name: "planErasure", tag: "erasures", summary: "List everything that erasing a run, a session or a user would remove. This erases nothing",
			needs: rein.ScopeAct, wide: true, unfinished: true, answers: ok(api.Erasure{}), do: s.withEraser(s.planErasure),
			query: []parameter{
				{name: "run", about: "the run to erase, with its whole tree"},
				{name: "session", about: "the session to erase"},
				{name: "user", about: "the user to erase; only admins may do this"},
			},
		},
		{
			method: "POST", path: "/v1/erasures", name: "erase", tag: "erasures", summary: "Erase a run, a session or a user, with everything that was listed. You cannot undo this",
			needs: rein.ScopeAct, body: api.NewErasure{}, answers: ok(api.Erasure{}), do: s.withEraser(s.erase),
		},
	}
}

// withEraser is do for a server that erases.
func (s *server) withEraser(do handler) handler {
	if s.Eraser != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process cannot erase")
	}
}

func (s *server) planErasure(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	query := r.URL.Query()
	plan, err := s.Eraser.Plan(r.Context(), who, erase.Target{Run: rein.RunID(query.Get("run")), Session: query.Get("session"), User: query.Get("user")})
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, apiErasure(plan))
}

func (s *server) erase(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewErasure
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	plan, err := s.Eraser.Erase(ctx, who, erase.Target(body.Target), body.Shown)
	if err != nil {
		return err
	}
	s.Live.Everything(who.Household)
	return answer(w, http.StatusOK, apiErasure(plan))
}
