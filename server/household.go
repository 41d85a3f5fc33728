package server

import (
	"net/http"
	"net/url"
	"time"

	"rein"
	"rein/api"
	"rein/household/people"
	"rein/server/wire"
)

// householdOperations are about households, and how people and their devices get into them.
func (s *server) householdOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/household", name: "showHousehold", tag: "people", summary: "Get your household, with what each role may approve, use and spend",
			needs: rein.ScopeRead, answers: ok(api.Household{}), do: s.withPeople(s.showHousehold),
		},
		{
			method: "GET", path: "/v1/households", name: "listHouseholds", tag: "people", summary: "List all households of the server. Only on its machine",
			needs: rein.ScopeAdmin, answers: ok(api.Households{}), do: s.withPeople(s.listHouseholds),
		},
		{
			method: "POST", path: "/v1/households", name: "addHousehold", tag: "people", summary: "Create a household with its first owner. Only on the machine of the server",
			needs: rein.ScopeAdmin, body: api.NewHousehold{}, answers: []reply{{status: http.StatusCreated, value: api.MadeHousehold{}}}, do: s.withPeople(s.addHousehold),
		},
		{
			method: "POST", path: "/v1/households/{name}/users/{user}/link", name: "newHouseholdLink", tag: "people", summary: "Create a link that logs a user of any household in to a browser, once. Only on the machine of the server",
			needs: rein.ScopeAdmin, answers: []reply{{status: http.StatusCreated, value: api.LoginLink{}}}, do: s.withPeople(s.newHouseholdLink),
		},
		{
			method: "POST", path: "/v1/invites", name: "newInvite", tag: "people", summary: "Create a link with which one person joins the household, once",
			needs: rein.ScopeAdmin, body: api.NewInvite{}, answers: []reply{{status: http.StatusCreated, value: api.MadeInvite{}}}, do: s.withPeople(s.newInvite),
		},
		{
			method: "GET", path: "/v1/invites", name: "listInvites", tag: "people", summary: "List the invitations of the household, newest first",
			needs: rein.ScopeAdmin, answers: ok(api.Invites{}), do: s.withPeople(s.listInvites),
		},
		{
			method: "DELETE", path: "/v1/invites/{id}", name: "revokeInvite", tag: "people", summary: "Revoke an invitation that nobody has used",
			needs: rein.ScopeAdmin, answers: []reply{{status: http.StatusNoContent}}, do: s.withPeople(s.revokeInvite),
		},
		{
			method: "POST", path: "/v1/pairings", name: "newPairing", tag: "people", summary: "Create a short code that logs a device in, once. For another user, if you are an admin",
			needs: rein.ScopeRead, body: api.NewPairing{}, answers: []reply{{status: http.StatusCreated, value: api.MadePairing{}}}, do: s.withPeople(s.newPairing),
		},
		{
			method: "GET", path: "/v1/devices", name: "listDevices", tag: "people", summary: "List the browsers that are logged in, newest first",
			needs: rein.ScopeRead, answers: ok(api.Devices{}), do: s.withPeople(s.listDevices),
			query: []parameter{{name: "user", about: "whose; the default is you. Another user, if you are an admin"}},
		},
		{
			method: "DELETE", path: "/v1/devices/{id}", name: "revokeDevice", tag: "people", summary: "Log a browser out",
			needs: rein.ScopeRead, answers: []reply{{status: http.StatusNoContent}}, do: s.withPeople(s.revokeDevice),
		},
	}
}

func (s *server) showHousehold(w http.ResponseWriter, _ *http.Request, who rein.Identity) error {
	return answer(w, http.StatusOK, api.Household{Name: who.Household, Roles: s.People.Table()})
}

func (s *server) listHouseholds(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	found, err := s.People.Households(r.Context(), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Households{Households: append([]rein.HouseholdInfo{}, found...)})
}

func (s *server) addHousehold(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewHousehold
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	owner, err := s.People.AddHousehold(ctx, who, body.Name, body.Owner)
	if err != nil {
		return err
	}
	link, err := s.People.NewHouseholdLink(ctx, who, owner.Household, owner.Name)
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, api.MadeHousehold{Owner: owner, LoginLink: api.LoginLink{Link: LoginPath(link)}})
}

func (s *server) newHouseholdLink(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	link, err := s.People.NewHouseholdLink(ctx, who, r.PathValue("name"), r.PathValue("user"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, api.LoginLink{Link: LoginPath(link)})
}

func (s *server) newInvite(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewInvite
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if most := int(people.MaxInviteLife / (24 * time.Hour)); body.Days < 0 || body.Days > most {
		return rein.Errorf(rein.CodeInvalid, "field days is %d; it must be from 1 to %d", body.Days, most)
	}
	ctx, cancel := lasting(r)
	defer cancel()
	text, invite, err := s.People.NewInvite(ctx, who, people.InviteRequest{Role: body.Role, User: body.Name, Life: time.Duration(body.Days) * 24 * time.Hour})
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, api.MadeInvite{Invite: invite, LoginLink: api.LoginLink{Link: "/join?invite=" + url.QueryEscape(text)}})
}

func (s *server) listInvites(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	found, err := s.People.Invites(r.Context(), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Invites{Invites: append([]rein.Invite{}, found...)})
}

func (s *server) revokeInvite(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.People.RevokeInvite(ctx, who, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *server) newPairing(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewPairing
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	code, pairing, err := s.People.NewPairing(ctx, who, body.User)
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, api.MadePairing{Pairing: pairing, Code: code})
}

func (s *server) listDevices(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	found, err := s.People.Devices(r.Context(), who, r.URL.Query().Get("user"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Devices{Devices: append([]rein.Device{}, found...)})
}

func (s *server) revokeDevice(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.People.RevokeDevice(ctx, who, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
