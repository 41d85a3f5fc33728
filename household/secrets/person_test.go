package secrets_test

import (
	"fmt"
	"strings"
	"testing"

	"rein"
	"rein/household/people"
	"rein/store"
)

type storeQuery = store.Query

// Who set and removed what is noted, without the value; the household's secrets are for admins.
func TestPersons(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	host := rein.Host()
	member := rein.Identity{Household: "home", User: "ann", Role: rein.Member, Scopes: rein.Scopes(), Via: "token:1"}
	viewer := rein.Identity{Household: "home", User: "vic", Role: rein.Viewer, Scopes: rein.Scopes()}
	entry, err := r.box.Set(t.Context(), member, false, "API_KEY", []byte("value-of-ann"))
	if err != nil || entry.Name != "API_KEY" || entry.Changed.IsZero() || entry.Lost {
		t.Errorf("set: %+v %v", entry, err)
	}
	_, err = r.box.Set(t.Context(), host, true, "API_KEY", []byte("value-of-all"))
	r.check(err)
	for _, who := range []rein.Identity{member, viewer, {}} {
		if _, err := r.box.Set(t.Context(), who, true, "API_KEY", []byte("mine")); rein.CodeOf(err) != rein.CodeForbidden {
			t.Errorf("%s sets for all: %v", who.User, err)
		}
		if err := r.box.Remove(t.Context(), who, true, "API_KEY"); rein.CodeOf(err) != rein.CodeForbidden {
			t.Errorf("%s removes for all: %v", who.User, err)
		}
	}
	if _, err := r.box.Set(t.Context(), viewer, false, "API_KEY", []byte("mine")); rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("a viewer sets: %v", err)
	}
	if _, err := r.box.Set(t.Context(), member, false, "mcp/files/token", []byte("forged")); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("a name of rein's own: %v", err)
	}
	r.gets(ann, "API_KEY", "value-of-ann", "")
	r.gets(all, "API_KEY", "value-of-all", "")
	r.check(r.box.Remove(t.Context(), member, false, "API_KEY"))
	changes, err := (&people.People{Tables: r.store}).Changes(t.Context(), host, 0, 0)
	r.check(err)
	var noted []string
	for _, c := range changes {
		if strings.HasPrefix(string(c.What), "secret") {
			noted = append(noted, fmt.Sprintf("%s: %s of %q: %s", c.By, c.What, c.On, c.Detail))
		}
	}
	want := `ann: secret set of "ann": API_KEY
owner: secret set of "": API_KEY
ann: secret removed of "ann": API_KEY`
	if got := strings.Join(noted, "\n"); got != want {
		t.Errorf("noted:\n%s\nwant:\n%s", got, want)
	}
	verdict, err := people.Verify(t.Context(), r.store)
	if err != nil || len(verdict.Wrong) > 0 {
		t.Errorf("people: %q %v", verdict.Wrong, err)
	}
}
