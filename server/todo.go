package server

import (
	"net/http"

	"rein"
	"rein/household/past"
)

// showTodo shows the list of things to do that holds in a run.
func (s *server) showTodo(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	info, err := s.run(r.Context(), rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	place := rein.Place{Household: info.Household, User: info.User, Session: info.Session}
	origins, err := s.origins(r.Context(), place)
	if err != nil {
		return err
	}
	list, err := past.Todo(r.Context(), s.Store, info.ID, place, info.Started, origins)
	if err != nil {
		return err
	}
	if list.Items == nil {
		list.Items = []rein.TodoItem{}
	}
	return answer(w, http.StatusOK, list)
}
