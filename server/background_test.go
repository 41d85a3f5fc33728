package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/server"
)

// jobs are commands in the background that end when they are stopped.
type jobs struct{ all []api.BackgroundCommand }

func (j *jobs) Running(household string) ([]api.BackgroundCommand, error) {
	if household != "home" {
		return nil, nil
	}
	return slices.Clone(j.all), nil
}

func (j *jobs) Stop(_ context.Context, _, id string) error {
	j.all = slices.DeleteFunc(j.all, func(c api.BackgroundCommand) bool { return c.ID == id })
	return nil
}

// People see and end the commands of their own runs; admins those of their household; nobody else knows of them.
func TestBackgroundCommands(t *testing.T) {
	as := func(household, user string, role rein.UserRole) rein.Identity {
		return rein.Identity{Household: household, User: user, Role: role, Scopes: role.Scopes()}
	}
	for _, c := range []struct {
		who             rein.Identity
		method, target  string
		status          int
		shows, notShown string
	}{
		{as("home", "ann", rein.Member), "GET", "/v1/background", 200, "bg-ann", "bg-bob"},
		{as("home", "eve", rein.Owner), "GET", "/v1/background", 200, "bg-bob", "none"},
		{as("else", "ann", rein.Owner), "GET", "/v1/background", 200, "[]", "bg-"},
		{as("home", "ann", rein.Member), "DELETE", "/v1/background/bg-bob", 404, "bg-bob", "sleep"},
		{as("else", "ann", rein.Owner), "DELETE", "/v1/background/bg-ann", 404, "", "sleep"},
		{as("home", "vi", rein.Viewer), "GET", "/v1/background", 200, "bg-ann", "none"},
		{as("home", "vi", rein.Viewer), "DELETE", "/v1/background/bg-ann", 403, "", "sleep"},
		{as("home", "ann", rein.Member), "DELETE", "/v1/background/bg-ann", 200, "sleep 1", "bg-bob"},
		{as("home", "eve", rein.Owner), "DELETE", "/v1/background/bg-bob", 200, "sleep 2", "bg-ann"},
	} {
		have := &jobs{[]api.BackgroundCommand{{ID: "bg-ann", User: "ann", Command: "sleep 1"}, {ID: "bg-bob", User: "bob", Command: "sleep 2"}}}
		h := server.New(server.Options{Background: have, Who: func(*http.Request) (rein.Identity, error) { return c.who, nil }})
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.target, nil))
		if body := w.Body.String(); w.Code != c.status || !strings.Contains(body, c.shows) || strings.Contains(body, c.notShown) {
			t.Errorf("%s %s of %+v: %d %s", c.method, c.target, c.who, w.Code, body)
		}
		if left := len(have.all); (left == 1) != (c.method == "DELETE" && c.status == 200) {
			t.Errorf("%s %s of %+v leaves %d", c.method, c.target, c.who, left)
		}
	}
}
