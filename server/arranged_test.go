package server_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/api/client"
)

// talk has a user say something in a session, to its end.
func (r *rig) talk(user, session string, run rein.RunID, text string) {
	r.Helper()
	_, err := r.as(user).Start(r.Context(), run, rein.Task{Flow: "chat", Session: session, Messages: []rein.Message{{Role: rein.User, Text: text}}})
	check(r, err)
	follow(r.T, r.as(user), run, followAll).wantEnd()
}

func (r *rig) sessions(user string, f client.SessionFilter) string {
	r.Helper()
	var ids []string
	for {
		page, err := r.as(user).FindSessions(r.Context(), f)
		check(r, err)
		for _, s := range page.Sessions {
			ids = append(ids, s.ID)
		}
		if f.After = page.Next; f.After == "" {
			return strings.Join(ids, " ")
		}
	}
}

func yes[T any](v T) *T { return &v }

// TestArrangedSessions gives sessions titles, pins and archives them: what the list shows follows, and each is found by
// its title and by what was typed.
func TestArrangedSessions(t *testing.T) {
	r := newRig(t)
	r.talk("ann", "s1", "r1", "Water the roses.\nAnd the tulips.")
	r.talk("ann", "s2", "r2", "Paint the shed.")
	r.talk("ann", "s3", "r3", "Feed the cat.")
	r.talk("bob", "s4", "r4", "Water the lawn.")
	r.talk("ann", "s1", "r5", "Again.") // so it is the most recent
	ann := r.as("ann")
	wantList := func(what string, f client.SessionFilter, want string) {
		t.Helper()
		if got := r.sessions("ann", f); got != want {
			t.Errorf("%s: the sessions are %q, want %q", what, got, want)
		}
	}
	wantList("at first", client.SessionFilter{}, "s1 s3 s2")
	first, err := ann.Session(t.Context(), "s1")
	check(t, err)
	if first.Title != "Water the roses." || first.Status != "done" || first.Flow != "chat" || first.Runs != 2 {
		t.Errorf("the session is %+v", first)
	}
	change := func(id string, c api.ChangedSession) api.Session {
		t.Helper()
		s, err := ann.ChangeSession(t.Context(), id, c)
		check(t, err)
		return s
	}
	if s := change("s2", api.ChangedSession{Title: yes("  Émile's HOUSE "), Pinned: yes(true)}); s.Title != "Émile's HOUSE" || !s.Pinned || s.Archived {
		t.Errorf("the changed session is %+v", s)
	}
	wantList("pinned", client.SessionFilter{}, "s2 s1 s3")
	change("s3", api.ChangedSession{Archived: yes(true)})
	wantList("archived", client.SessionFilter{}, "s2 s1")
	wantList("the archive", client.SessionFilter{Archived: true}, "s3")
	for text, want := range map[string]string{"émile": "s2", "SHED": "s2", "tulips": "s1", "again": "s1", "water": "s1", "the": "s2 s1", "cat": "", "lawn": "", "echo": ""} {
		wantList(text, client.SessionFilter{Text: text}, want)
	}
	wantList("found in the archive", client.SessionFilter{Text: "cat", Archived: true}, "s3")
	if s := change("s2", api.ChangedSession{Title: yes("")}); s.Title != "Paint the shed." || !s.Pinned {
		t.Errorf("without its title it is %+v", s)
	}
	change("s2", api.ChangedSession{Archived: yes(true)})
	wantList("archived and pinned", client.SessionFilter{}, "s1")
	wantList("the archive has both", client.SessionFilter{Archived: true}, "s3 s2")
}

// TestArrangedPages lists pinned sessions and others page by page.
func TestArrangedPages(t *testing.T) {
	r := newRig(t)
	for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
		r.talk("ann", id, rein.RunID(id), "hi")
	}
	for _, id := range []string{"a", "b", "c"} {
		_, err := r.as("ann").ChangeSession(t.Context(), id, api.ChangedSession{Pinned: yes(id != "c"), Archived: yes(id == "c")})
		check(t, err)
	}
	for _, limit := range []string{"1", "2", "3", "4", "9"} {
		var got []string
		for after := ""; ; {
			var page api.Sessions
			w := r.request("GET", "/v1/sessions?limit="+limit+"&after="+after, "ann", nil)
			check(t, json.Unmarshal(w.Body.Bytes(), &page))
			for _, s := range page.Sessions {
				got = append(got, s.ID)
			}
			if after = page.Next; after == "" {
				break
			}
		}
		if want := []string{"b", "a", "f", "e", "d"}; !slices.Equal(got, want) {
			t.Errorf("with pages of %s the sessions are %q, want %q", limit, got, want)
		}
	}
}

// TestArrangedByOthers: an admin of the household sees and changes what others arranged; nobody else learns of it.
func TestArrangedByOthers(t *testing.T) {
	r := newRig(t)
	r.talk("ann", "s1", "r1", "Water the roses.")
	title := api.ChangedSession{Title: yes("Garden")}
	for user, code := range map[string]rein.Code{"bob": rein.CodeNotFound, "stranger": rein.CodeNotFound} {
		_, err := r.as(user).ChangeSession(t.Context(), "s1", title)
		wantCode(t, user, err, code)
		if got := r.sessions(user, client.SessionFilter{Text: "roses"}); got != "" {
			t.Errorf("%s finds %q", user, got)
		}
	}
	if s, err := r.Client.ChangeSession(t.Context(), "s1", title); err != nil || s.Title != "Garden" || s.User != "ann" {
		t.Errorf("the owner gets %+v, %v", s, err)
	}
	if s, err := r.as("ann").Session(t.Context(), "s1"); err != nil || s.Title != "Garden" {
		t.Errorf("ann gets %+v, %v", s, err)
	}
	if got := r.sessions("ann", client.SessionFilter{Text: "garden"}); got != "s1" {
		t.Errorf("ann finds %q", got)
	}
	for target, status := range map[string]int{
		"/v1/sessions?user=bob": http.StatusForbidden, "/v1/sessions?user=ann": http.StatusOK, "/v1/sessions?archived=perhaps": http.StatusBadRequest,
	} {
		if w := r.request("GET", target, "ann", nil); w.Code != status {
			t.Errorf("GET %s: %d %s", target, w.Code, w.Body)
		}
	}
	for _, body := range []map[string]any{{}, {"title": "two\nlines"}, {"title": strings.Repeat("x", 201)}, {"titel": "x"}, {"pinned": "yes"}} {
		if w := r.request("PATCH", "/v1/sessions/s1", "ann", body); w.Code != http.StatusBadRequest {
			t.Errorf("%v: %d %s", body, w.Code, w.Body)
		}
	}
}

// TestSessionsWaiting counts the asks that the sender may answer, and says how the newest run stands.
func TestSessionsWaiting(t *testing.T) {
	r := newRig(t)
	_, err := r.as("ann").Start(t.Context(), "a", task("ask", ""))
	check(t, err)
	follow(t, r.as("ann"), "a", followAll).untilKind("a", rein.RunParked)
	for user, want := range map[string]int64{"ann": 1, "": 0} {
		s, err := r.as(user).Session(t.Context(), "a")
		check(t, err)
		if s.Waiting != want || s.Status != rein.StatusWaiting || s.Active != "a" {
			t.Errorf("%q sees %+v", user, s)
		}
	}
}
