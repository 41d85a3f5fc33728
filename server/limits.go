package server

import (
	"context"
	"net/http"
	"time"

	"rein"
	"rein/api"
)

// Accounts say what the users of a household use: a store.
type Accounts interface {
	Accounts(ctx context.Context, household, user string, at time.Time) ([]rein.Account, error)
}

// limits tells what the sender uses of what they may, and who manages the household what everyone does.
func (s *server) limits(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if s.Accounts == nil {
		return rein.Errorf(rein.CodeUnavailable, "this process does not count usage")
	}
	user := who.User
	if who.May(rein.ScopeAdmin) {
		user = ""
	}
	accounts, err := s.Accounts.Accounts(r.Context(), who.Household, user, time.Now())
	if err != nil {
		return err
	}
	told := api.Limits{Run: s.Ceiling, Accounts: accounts, Calls: []api.Calls{}}
	if s.Calls != nil {
		for _, a := range accounts {
			told.Calls = append(told.Calls, s.Calls(a.Household, a.User))
		}
	}
	return answer(w, http.StatusOK, told)
}
