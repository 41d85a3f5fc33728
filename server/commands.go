package server

import (
	"net/http"

	"rein"
	"rein/people"
	"rein/server/port"
)

// command sends a run what the caller wants of it. Who that is, the server says.
func (s *server) command(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	var c rein.Command
	if err := readBody(w, r, &c); err != nil {
		return err
	}
	if c.Cause != "" || c.Child != "" || c.End != "" {
		return rein.Errorf(rein.CodeInvalid, "the fields cause, child and end are not for people: leave them out")
	}
	c.By, c.Answer.By = who.User, ""
	ctx, cancel := lasting(r)
	defer cancel()
	if c.Kind == rein.CommandAnswer {
		c.Answer.By = who.User
		if !who.May(people.Answer) {
			return rein.Errorf(rein.CodeForbidden, "this needs the scope %q: %s is %s, with a credential for %s", people.Answer, who.User, who.Role, list(who.Scopes))
		}
		ask, err := s.ask(ctx, c.Ask, who)
		if err != nil {
			return err
		}
		if c.Run == "" {
			c.Run = ask.Run
		}
		if c.Run != ask.Run {
			return rein.Errorf(rein.CodeInvalid, "ask %s is of run %s, not of %.100q: leave the run out", ask.ID, ask.Run, string(c.Run))
		}
	} else {
		if c.Ask != "" {
			return rein.Errorf(rein.CodeInvalid, "the field ask is of an answer, not of %.40q", string(c.Kind))
		}
		if _, err := port.Changeable(ctx, s.Store, c.Run, who); err != nil {
			return err
		}
	}
	receipt, err := s.Engine.Command(ctx, c)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, receipt)
}
