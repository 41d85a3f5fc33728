package server

import (
	"net/http"

	"rein"
	"rein/api"
	"rein/household/secrets"
	"rein/server/wire"
)

// withSecrets is do for a server that keeps secrets.
func (s *server) withSecrets(do handler) handler {
	if s.Secrets != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process keeps no secrets")
	}
}

// listSecrets lists the sender's secrets and those of their household, by name.
func (s *server) listSecrets(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	list := api.Secrets{Secrets: []api.Secret{}}
	for _, o := range []secrets.Owner{{Household: who.Household, User: who.User}, {Household: who.Household}} {
		entries, err := s.Secrets.Names(r.Context(), o)
		if err != nil {
			return err
		}
		for _, e := range entries {
			list.Secrets = append(list.Secrets, secretOf(e, o.User == ""))
		}
	}
	return answer(w, http.StatusOK, list)
}

func secretOf(e secrets.Entry, shared bool) api.Secret {
	return api.Secret{Name: e.Name, Changed: e.Changed, Shared: shared, Lost: e.Lost}
}

func (s *server) setSecret(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewSecret
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	shared := flag(r, "shared")
	entry, err := s.Secrets.Set(ctx, who, shared, r.PathValue("name"), []byte(body.Value))
	if rein.CodeOf(err) == rein.CodeDamaged && !who.Operates() {
		err = rein.Errorf(rein.CodeUnavailable, "secrets cannot be kept now: whoever runs this server finds out why with rein doctor")
	}
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, secretOf(entry, shared))
}

func (s *server) removeSecret(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Secrets.Remove(ctx, who, flag(r, "shared"), r.PathValue("name")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// rekey seals the secrets of everyone again: it is for whoever runs the process.
func (s *server) rekey(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if !who.Operates() {
		return rein.Errorf(rein.CodeForbidden, "the key is that of the whole server: only admins of the household that owns the server may change it")
	}
	ctx, cancel := lasting(r)
	defer cancel()
	done, err := s.Secrets.Rekey(ctx)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Rekeyed{Sealed: done.Sealed, Lost: append([]string{}, done.Lost...)})
}

func (s *server) secretOperations() []operation {
	shared := []parameter{{name: "shared", about: "the secret belongs to the household, not to you; only for admins", flag: true}}
	return []operation{
		{
			method: "GET", path: "/v1/secrets", name: "listSecrets", tag: "people", summary: "List secrets, without their values: your own and those of the household",
			needs: rein.ScopeRead, answers: ok(api.Secrets{}), do: s.withSecrets(s.listSecrets),
		},
		{
			method: "PUT", path: "/v1/secrets/{name}", name: "setSecret", tag: "people", summary: "Keep a secret, such as a key or a password. It is sealed, and nothing shows its value again",
			needs: rein.ScopeAct, body: api.NewSecret{}, query: shared, answers: ok(api.Secret{}), do: s.withSecrets(s.setSecret),
		},
		{
			method: "DELETE", path: "/v1/secrets/{name}", name: "removeSecret", tag: "people", summary: "Remove a secret",
			needs: rein.ScopeAct, query: shared, answers: []reply{{status: http.StatusNoContent}}, do: s.withSecrets(s.removeSecret),
		},
		{
			method: "POST", path: "/v1/secret-key", name: "rekeySecrets", tag: "people", summary: "Make a new key and seal every secret with it. Only for admins of the household that owns the server",
			needs: rein.ScopeAdmin, answers: ok(api.Rekeyed{}), do: s.withSecrets(s.rekey),
		},
	}
}
