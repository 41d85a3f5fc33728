package server

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"unicode/utf8"

	"rein"
	"rein/api"
	"rein/server/port"
	"rein/server/wire"
	"rein/store"
)

// sessionOf returns the user whose session it is, if the sender may see it. Another's does not exist
// for them.
func (s *server) sessionOf(ctx context.Context, id string, who rein.Identity) (user string, err error) {
	for info, err := range s.Store.Runs(ctx, store.Filter{Session: id, Roots: true, Limit: 1}) {
		if err != nil {
			return "", err
		}
		if who.Sees(info.Household, info.User) {
			return info.User, nil
		}
	}
	return "", noSession(id)
}

// maySpeak refuses what is said in a session that the sender sees and that is another's. One that they
// do not see is new, or the engine refuses it.
func (s *server) maySpeak(ctx context.Context, id string, who rein.Identity) error {
	if id == "" {
		return nil
	}
	user, err := s.sessionOf(ctx, id, who)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound && port.IsReserved(id):
		return noSession(id) // it would take the place of one that is to come
	case rein.CodeOf(err) == rein.CodeNotFound:
		return nil
	case err == nil && user != who.User:
		return rein.Errorf(rein.CodeForbidden, "session %.100q belongs to %s: start your own", id, user)
	}
	return err
}

// taken tells the engine's refusal of another's session as one that says nothing about it.
func taken(session string, err error) error {
	if rein.CodeOf(err) == rein.CodeForbidden {
		return rein.Errorf(rein.CodeConflict, "session %.100q is taken: choose another ID", session)
	}
	return err
}

const maxSession = 200

// checkSession says what is wrong with the name of a session, if anything.
func checkSession(id string) error {
	if id == "" || len(id) > maxSession || !utf8.ValidString(id) || strings.ContainsFunc(id, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return rein.Errorf(rein.CodeInvalid, "session %.100q: its ID must have 1 to %d bytes of UTF-8, without control characters", id, maxSession)
	}
	return nil
}

func noSession(id string) error {
	return rein.Errorf(rein.CodeNotFound, "there is no session %.100q", id)
}

// say brings a message to a session of the sender. It steers the run that is under way there, or
// starts one; the receipt tells which.
func (s *server) say(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewMessage
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	session := r.PathValue("id")
	if err := checkSession(session); err != nil {
		return err
	}
	if body.Task.Session != "" && body.Task.Session != session {
		return rein.Errorf(rein.CodeInvalid, "the task names session %.100q and the message goes to %.100q: leave the session of the task out", body.Task.Session, session)
	}
	if strings.TrimSpace(body.Text) == "" {
		return rein.Errorf(rein.CodeInvalid, "the message has no text: write what you want to say")
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
	if err := cmp.Or(s.maySpeak(ctx, session, who), s.mayName(ctx, task, who)); err != nil {
		return err
	}
	receipt, err := s.Engine.Say(ctx, id, task, who.User, body.Text)
	if err != nil {
		return taken(session, err)
	}
	return answer(w, http.StatusOK, receipt)
}
