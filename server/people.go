package server

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"rein"
	"rein/api"
	"rein/household/people"
	"rein/server/wire"
)

// me tells the sender who they are here, and in which currency amounts are.
func (s *server) me(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	me := api.Me{Identity: who}
	if s.Currency != nil {
		me.Currency = s.Currency()
	}
	if s.People != nil {
		rights, err := s.People.Rights(r.Context(), who.Household, who.User)
		if err != nil {
			return err
		}
		me.Rights = &rights
	}
	if s.CSRF != nil {
		me.CSRF = s.CSRF(r)
	}
	return answer(w, http.StatusOK, me)
}

// withPeople is do for a server that has people.
func (s *server) withPeople(do handler) handler {
	if s.People != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process has no users and tokens: send the request to a process that was started with rein serve")
	}
}

func (s *server) listUsers(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	users, err := s.People.ListUsers(r.Context(), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Users{Users: append([]rein.UserInfo{}, users...)})
}

func (s *server) addUser(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewUser
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	user, err := s.People.AddUser(ctx, who, body.Name, body.Role)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/v1/users/"+url.PathEscape(user.Name))
	return answer(w, http.StatusCreated, user)
}

func (s *server) changeUser(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.ChangedUser
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	name := r.PathValue("name")
	if body.Role == "" && body.Disabled == nil {
		return rein.Errorf(rein.CodeInvalid, "the body changes nothing: send role or disabled")
	}
	if body.Role != "" && body.Disabled != nil {
		return rein.Errorf(rein.CodeInvalid, "the body changes two things: send one request for role and one for disabled")
	}
	ctx, cancel := lasting(r)
	defer cancel()
	var err error
	switch {
	case body.Role != "":
		err = s.People.SetRole(ctx, who, name, body.Role)
	case *body.Disabled:
		err = s.People.DisableUser(ctx, who, name)
	default:
		err = s.People.EnableUser(ctx, who, name)
	}
	if err != nil {
		return err
	}
	users, err := s.People.ListUsers(ctx, who)
	if err != nil {
		return err
	}
	for _, u := range users {
		if u.Name == name {
			return answer(w, http.StatusOK, u)
		}
	}
	return rein.Errorf(rein.CodeNotFound, "there is no user %.80q", name)
}

// newLink makes a link that logs a browser of the user in.
func (s *server) newLink(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	link, err := s.People.NewLoginLink(ctx, who, r.PathValue("name"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, api.LoginLink{Link: LoginPath(link)})
}

// LoginPath is where a browser goes with a login link.
func LoginPath(link string) string { return "/login?link=" + url.QueryEscape(link) }

// logoutUser ends what the browsers of the user may do.
func (s *server) logoutUser(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.People.LogoutEverywhere(ctx, who, r.PathValue("name")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *server) listTokens(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	tokens, err := s.People.ListTokens(r.Context(), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Tokens{Tokens: append([]rein.Token{}, tokens...)})
}

func (s *server) newToken(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewToken
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if most := int(people.MaxTokenLife / (24 * time.Hour)); body.Days < 0 || body.Days > most {
		return rein.Errorf(rein.CodeInvalid, "field days is %d; it must be from 1 to %d", body.Days, most)
	}
	ctx, cancel := lasting(r)
	defer cancel()
	text, token, err := s.People.NewToken(ctx, who, people.TokenRequest{
		User: body.User, Label: body.Label, Scopes: body.Scopes, Life: time.Duration(body.Days) * 24 * time.Hour,
	})
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, api.MadeToken{Token: token, Text: text})
}

func (s *server) revokeToken(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.People.RevokeToken(ctx, who, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// listChanges tells what was done to the people of the household.
func (s *server) listChanges(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	after, limit := int64(0), number(r, "limit", api.DefaultLimit)
	if v := r.URL.Query().Get("after"); v != "" {
		var err error
		if after, err = strconv.ParseInt(v, 10, 64); err != nil || after < 0 {
			return rein.Errorf(rein.CodeInvalid, "parameter after is %.60q; it must be the next of a previous page", v)
		}
	}
	changes, err := s.People.Changes(r.Context(), who, after, limit)
	if err != nil {
		return err
	}
	page := api.Changes{Changes: append([]rein.PeopleChange{}, changes...)}
	if len(changes) == limit {
		page.Next = changes[len(changes)-1].N
	}
	return answer(w, http.StatusOK, page)
}
