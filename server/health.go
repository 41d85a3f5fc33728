package server

import (
	"net/http"

	"rein"

	"rein/api"
)

// health reports which process this is. Where it runs and how much it does is for its operators.
func (s *server) health(w http.ResponseWriter, _ *http.Request, who rein.Identity) error {
	health := s.Health()
	if !who.Operates() {
		health.Data, health.PID, health.Live, health.Settings, health.Restart, health.Check = "", 0, 0, "", nil, ""
	}
	return answer(w, http.StatusOK, health)
}

// alive tells everyone that the process answers, and nothing else.
func (s *server) alive(w http.ResponseWriter, _ *http.Request, _ rein.Identity) error {
	return answer(w, http.StatusOK, api.Alive{OK: true})
}

// ready tells everyone whether the process takes work.
func (s *server) ready(w http.ResponseWriter, _ *http.Request, _ rein.Identity) error {
	if s.Ready != nil {
		if err := s.Ready(); err != nil {
			return err
		}
	}
	return answer(w, http.StatusOK, api.Alive{OK: true})
}
