package server

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"rein"
	"rein/api"
	"rein/store"
)

// scopeOf returns whose runs a sum or an audit is of: the whole household's for who may manage it, else
// the sender's own.
func scopeOf(who rein.Identity, user string) (household, of string, err error) {
	switch {
	case user == "" && who.May(rein.ScopeAdmin):
		return who.Household, "", nil
	case user == "" || user == who.User:
		return who.Household, who.User, nil
	case who.May(rein.ScopeAdmin):
		return who.Household, user, nil
	}
	return "", "", rein.Errorf(rein.CodeForbidden, "only an admin, with the scope %[2]q, may see what %.80[1]q did", user, rein.ScopeAdmin)
}

// audit tells who did what, from the logs.
func (s *server) audit(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	query := r.URL.Query()
	filter := store.ActFilter{Tree: rein.RunID(query.Get("tree")), By: query.Get("by"), Limit: number(r, "limit", api.DefaultLimit)}
	var err error
	if filter.Household, filter.User, err = scopeOf(who, query.Get("user")); err != nil {
		return err
	}
	if filter.Tree != "" {
		if _, err := s.run(r.Context(), filter.Tree, who); err != nil {
			return err
		}
	}
	if before := query.Get("before"); before != "" {
		if filter.Before, err = strconv.ParseInt(before, 10, 64); err != nil || filter.Before < 1 {
			return rein.Errorf(rein.CodeInvalid, "parameter before is %.60q; it must be the next of a previous page", before)
		}
	}
	acts, err := s.Store.Acts(r.Context(), filter)
	if err != nil {
		return err
	}
	page := api.Acts{Acts: append([]rein.Act{}, acts...)}
	if len(acts) == filter.Limit {
		page.Next = acts[len(acts)-1].N
	}
	return answer(w, http.StatusOK, page)
}

// sumsBy is what usage can be summed up by.
var sumsBy = []string{store.ByDay, store.BySession, store.ByUser, store.ByFlow}

// usage sums up what runs have used.
func (s *server) usage(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	query := r.URL.Query()
	zone := time.UTC
	if name := query.Get("zone"); name != "" {
		var err error
		if zone, err = time.LoadLocation(name); err != nil || name == "Local" {
			return rein.Errorf(rein.CodeInvalid, "parameter zone is %.60q; it must be a time zone, for example Europe/Amsterdam", name)
		}
	}
	filter := store.UsageFilter{By: cmp.Or(query.Get("by"), sumsBy[0]), Zone: zone, After: query.Get("after")}
	var err error
	if filter.Household, filter.User, err = scopeOf(who, query.Get("user")); err != nil {
		return err
	}
	if filter.By == store.BySession {
		filter.Limit = number(r, "limit", api.DefaultLimit)
	}
	sums, next, err := s.counter.By(r.Context(), s.Store, filter)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Usage{By: filter.By, Sums: sums, Next: next})
}
