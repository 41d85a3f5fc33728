package server

import (
	"net/http"
	"time"

	"rein"
)

// mayCheckpoint refuses who may not see the process as a whole: a checkpoint is of all households.
func (s *server) mayCheckpoint(who rein.Identity) error {
	if !who.Operates() {
		return rein.Errorf(rein.CodeForbidden, "a checkpoint covers every household: only admins of the household that owns the server may use it")
	}
	if s.Checkpoints == nil {
		return rein.Errorf(rein.CodeUnavailable, "this process does not make checkpoints")
	}
	return nil
}

// lastHead tells the newest checkpoint.
func (s *server) lastHead(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := s.mayCheckpoint(who); err != nil {
		return err
	}
	last, err := s.Checkpoints.LastCheckpoint(r.Context())
	if err == nil && last.N == 0 {
		err = rein.Errorf(rein.CodeNotFound, "there is no checkpoint yet: POST /v1/audit/head creates one")
	}
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, last)
}

// newHead makes a checkpoint.
func (s *server) newHead(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := s.mayCheckpoint(who); err != nil {
		return err
	}
	made, err := s.Checkpoints.Checkpoint(r.Context(), time.Now())
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, made)
}
