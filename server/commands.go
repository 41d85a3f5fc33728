package server

import (
	"context"
	"net/http"

	"rein"
	"rein/server/port"
	"rein/server/wire"
)

// command sends a run what the caller wants of it.
func (s *server) command(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var c rein.Command
	if err := wire.ReadJSON(w, r, &c); err != nil {
		return err
	}
	if c.Mode != "" && c.Kind != rein.CommandMode {
		return rein.Errorf(rein.CodeInvalid, "the field mode is only for the command mode, not for %.40q: leave it out", string(c.Kind))
	}
	if c.Cause != "" || c.Child != "" || c.End != "" {
		return rein.Errorf(rein.CodeInvalid, "rein sets the fields cause, child and end: leave them out")
	}
	return s.send(w, r, c, who)
}

// send passes a command on. Who sends it, the server says.
func (s *server) send(w http.ResponseWriter, r *http.Request, c rein.Command, who rein.Identity) error {
	key, err := keyOf(r)
	if err != nil {
		return err
	}
	if key != "" && c.Key != "" && c.Key != key {
		return rein.Errorf(rein.CodeInvalid, "the key of the command is %.80q, and the header %s has another one: send only one of them", c.Key, idempotencyKey)
	}
	if key != "" {
		c.Key = key
	}
	ctx, cancel := lasting(r)
	defer cancel()
	if c.Kind == rein.CommandAnswer {
		err = port.Answering(ctx, s.Store, &c, who)
	} else {
		err = s.mayCommand(ctx, c, who)
	}
	if err != nil {
		return err
	}
	if c.By != "" || c.Answer.By != "" {
		return rein.Errorf(rein.CodeInvalid, "the server sets the field by from your credential: leave it out")
	}
	if c.By = who.User; c.Kind == rein.CommandAnswer {
		c.Answer.By = who.User
	}
	receipt, err := s.Engine.Command(ctx, c)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, receipt)
}

func (s *server) mayCommand(ctx context.Context, c rein.Command, who rein.Identity) error {
	if c.Ask != "" {
		return rein.Errorf(rein.CodeInvalid, "the field ask is only for an answer, not for %.40q: leave it out", string(c.Kind))
	}
	info, err := port.Changeable(ctx, s.Store, c.Run, who)
	if err == nil && c.Kind == rein.CommandMode {
		err = maySetMode(c.Mode, info.User, who)
	}
	return err
}
