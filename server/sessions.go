package server

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/people"
)

// mySessions returns the sessions that the sender may see, newest first.
func (s *server) mySessions(ctx context.Context, who people.Identity) ([]api.Session, error) {
	mine := []api.Session{}
	for info, err := range s.Store.Sessions(ctx) {
		if err != nil {
			return nil, err
		}
		if who.Sees(info.Household, info.User) {
			mine = append(mine, info)
		}
	}
	slices.Reverse(mine)
	return mine, nil
}

func (s *server) listSessions(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	mine, err := s.mySessions(r.Context(), who)
	if err != nil {
		return err
	}
	if after := r.URL.Query().Get("after"); after != "" {
		i := slices.IndexFunc(mine, func(info api.Session) bool { return info.ID == after })
		if i < 0 {
			return noSession(after)
		}
		mine = mine[i+1:]
	}
	page := api.Sessions{Sessions: mine}
	if limit := number(r, "limit", api.DefaultLimit); len(mine) > limit {
		page.Sessions, page.Next = mine[:limit], mine[limit-1].ID
	}
	return answer(w, http.StatusOK, page)
}

func (s *server) showSession(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	info, err := s.session(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, info)
}

// session returns a session that the sender may see. Another's does not exist for them.
func (s *server) session(ctx context.Context, id string, who people.Identity) (api.Session, error) {
	mine, err := s.mySessions(ctx, who)
	if err != nil {
		return api.Session{}, err
	}
	i := slices.IndexFunc(mine, func(info api.Session) bool { return info.ID == id })
	if i < 0 {
		return api.Session{}, noSession(id)
	}
	return mine[i], nil
}

func noSession(id string) error {
	return rein.Errorf(rein.CodeNotFound, "there is no session %.100q", id)
}

// say brings a message to a session of the sender. It steers the run that is under way there, or
// starts one; the receipt tells which.
func (s *server) say(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	var body api.NewMessage
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	session := r.PathValue("id")
	if body.Task.Session != "" && body.Task.Session != session {
		return rein.Errorf(rein.CodeInvalid, "the task is of session %.100q and the message of %.100q: leave the task's out", body.Task.Session, session)
	}
	if strings.TrimSpace(body.Text) == "" {
		return rein.Errorf(rein.CodeInvalid, "the message has no text")
	}
	id, err := newID(r, body.ID, who)
	if err != nil {
		return err
	}
	task, err := s.taskOf(body.Preset, body.Task, who)
	if err != nil {
		return err
	}
	task.Session = session
	ctx, cancel := lasting(r)
	defer cancel()
	info, err := s.session(ctx, session, who)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound: // it is new, or another's, which the engine refuses
	case err != nil:
		return err
	case info.User != who.User:
		return rein.Errorf(rein.CodeForbidden, "session %.100q is of %s: start one of your own", session, info.User)
	}
	receipt, err := s.Engine.Say(ctx, id, task, who.User, body.Text)
	if rein.CodeOf(err) == rein.CodeForbidden {
		return rein.Errorf(rein.CodeConflict, "session %.100q is taken: choose another ID", session)
	}
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, receipt)
}
