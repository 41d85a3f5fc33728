package server

import (
	"errors"
	"net/http"
	"net/url"

	"rein"
	"rein/api"
	"rein/follow/hook"
	"rein/follow/notify"
	"rein/server/wire"
)

// withHooks is do for a server that has webhooks of users.
func (s *server) withHooks(do handler) handler {
	if s.Hooks != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process has no hooks: `rein serve` does")
	}
}

func shownHook(k hook.Hook) api.Hook {
	shown := api.Hook{ID: k.ID, Label: k.Label, Answers: k.Answers, Created: k.Created}
	if u, err := url.Parse(k.URL); err == nil {
		shown.Host = u.Host
	}
	return shown
}

func (s *server) listHooks(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	own, err := s.Hooks.List(r.Context(), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Hooks{Hooks: each(own, shownHook)})
}

func (s *server) addHook(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewHook
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	made, secret, err := s.Hooks.Add(ctx, who, body.Label, body.URL, body.Answers)
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, api.MadeHook{Hook: shownHook(made), Secret: secret})
}

func (s *server) removeHook(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Hooks.Remove(ctx, who, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// callHook takes a request of a program. Its signature says whose it is, so it brings no credential.
func (s *server) callHook(w http.ResponseWriter, r *http.Request, _ rein.Identity) error {
	body, err := wire.ReadBody(w, r, hook.MaxBody)
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		return wire.Refuse(http.StatusRequestEntityTooLarge, rein.Errorf(rein.CodeInvalid, "the body has more than %d bytes: send less", hook.MaxBody))
	}
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "the body cannot be read: %w", err)
	}
	ctx, cancel := lasting(r)
	defer cancel()
	receipt, err := s.Hooks.Receive(ctx, r.PathValue("id"), r.Header.Get(notify.SignatureHeader), body)
	if rein.CodeOf(err) == rein.CodeUnauthenticated {
		w.Header().Set("WWW-Authenticate", notify.SignatureHeader)
	}
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.HookReceipt(receipt))
}

func (s *server) hookOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/hooks", name: "listHooks", tag: "messages", summary: "List your webhooks: where messages go, and through which your programs talk to your assistant",
			needs: rein.ScopeRead, answers: ok(api.Hooks{}), do: s.withHooks(s.listHooks),
		},
		{
			method: "POST", path: "/v1/hooks", name: "addHook", tag: "messages", summary: "Create a webhook. The answer shows its secret; nothing shows it again",
			needs: rein.ScopeAct, body: api.NewHook{}, answers: []reply{{status: http.StatusCreated, value: api.MadeHook{}}}, do: s.withHooks(s.addHook),
		},
		{
			method: "DELETE", path: "/v1/hooks/{id}", name: "removeHook", tag: "messages", summary: "Remove a webhook. Nothing is sent or taken there any more",
			needs: rein.ScopeAct, answers: []reply{{status: http.StatusNoContent}}, do: s.withHooks(s.removeHook),
		},
		{
			method: "POST", path: "/v1/hooks/{id}", name: "callHook", tag: "messages", summary: "Say something to your assistant, or answer an ask, through a webhook. It takes no credential: the header Rein-Signature signs the body with the secret of the hook, as docs/hooks.md shows",
			signed: true, body: api.HookRequest{}, answers: ok(api.HookReceipt{}), do: s.withHooks(s.callHook),
		},
	}
}
