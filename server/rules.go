package server

import (
	"net/http"

	"rein"
	"rein/api"
	"rein/household/people"
	"rein/store"
)

// A masker hides secrets in what does not come from the store that people see, which does so elsewhere.
type masker interface {
	Rule(rein.Rule) rein.Rule
	Info(rein.RunInfo) rein.RunInfo
	Verdict(store.Verdict) store.Verdict
}

// seenInfo is a run as people see it.
func (s *server) seenInfo(info rein.RunInfo) rein.RunInfo {
	if m, ok := s.Store.(masker); ok {
		return m.Info(info)
	}
	return info
}

// seenRule is a rule as people see it.
func (s *server) seenRule(r rein.Rule) rein.Rule {
	if m, ok := s.Store.(masker); ok {
		return m.Rule(r)
	}
	return r
}

// listRules lists the sender's rules, or those of their household if they are an admin.
func (s *server) listRules(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	query := r.URL.Query()
	found, more, err := s.People.ListRules(r.Context(), who, people.RuleFilter{
		User: query.Get("user"), Workspace: query.Get("workspace"), Revoked: flag(r, "revoked"), After: query.Get("after"), Limit: number(r, "limit", api.MaxLimit),
	})
	if err != nil {
		return err
	}
	list := api.Rules{Rules: []rein.Rule{}}
	for _, rule := range found {
		list.Rules = append(list.Rules, s.seenRule(rule))
	}
	if more {
		list.Next = found[len(found)-1].ID
	}
	return answer(w, http.StatusOK, list)
}

func (s *server) revokeRule(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	revoked, err := s.People.RevokeRule(ctx, who, r.PathValue("id"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, s.seenRule(revoked))
}

func (s *server) ruleOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/rules", name: "listRules", tag: "rules", summary: "List the rules that approvals with the scope session or always made: your own, or those of the whole household if you are an admin",
			needs: rein.ScopeRead, answers: ok(api.Rules{}), do: s.withPeople(s.listRules),
			query: []parameter{
				{name: "user", about: "only rules for the runs of this user"},
				{name: "workspace", about: "only rules of this workspace"},
				{name: "revoked", about: "list revoked rules too", flag: true},
				{name: "after", about: "only rules after this one: `next` of the previous page"},
				{name: "limit", about: "how many at most; default: 1000", most: api.MaxLimit},
			},
		},
		{
			method: "DELETE", path: "/v1/rules/{id}", name: "revokeRule", tag: "rules", summary: "Revoke a rule, together with those that allow the same in the same place. The next call is asked about again. Revoking it again changes nothing",
			needs: rein.ScopeAct, answers: ok(rein.Rule{}), do: s.withPeople(s.revokeRule),
		},
	}
}
