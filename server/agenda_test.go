package server_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rein"
	"rein/api"
)

// Events are added, changed, found, exported, imported and deleted through the API; what is wrong gets a clear answer.
//
// Covers: NEU-56
func TestAgenda(t *testing.T) {
	r := newRig(t)
	ctx, bob := t.Context(), r.as("bob")
	_, err := r.AddUser(ctx, "bob", rein.Member)
	check(t, err)
	weekly, err := r.AddAgendaEvent(ctx, api.NewAgendaEvent{Title: "yoga", Start: "2096-11-19T19:00", Rule: "FREQ=WEEKLY;COUNT=4", Shared: true, Alarms: []int{30}, Key: "once"})
	check(t, err)
	again, err := r.AddAgendaEvent(ctx, api.NewAgendaEvent{Title: "yoga", Start: "2096-11-19T19:00", Rule: "FREQ=WEEKLY;COUNT=4", Shared: true, Alarms: []int{30}, Key: "once"})
	check(t, err)
	if again.Event.ID != weekly.Event.ID {
		t.Error("one key makes two events")
	}
	dinner, err := bob.AddAgendaEvent(ctx, api.NewAgendaEvent{Title: "dinner", Start: "2096-11-26T18:30"})
	check(t, err)
	if len(dinner.Conflicts) != 1 || dinner.Conflicts[0].Other.Title != "yoga" {
		t.Errorf("conflicts: %+v", dinner.Conflicts)
	}
	moved := "2096-11-27T19:00"
	changed, err := r.ChangeAgendaEvent(ctx, weekly.Event.ID, api.AgendaEventEdit{Scope: "following", Occurrence: "2096-11-26T19:00", Start: &moved})
	check(t, err)
	if changed.Next == nil || changed.Next.Start != moved || changed.Next.Rule != "FREQ=WEEKLY;COUNT=3" {
		t.Errorf("the event was not split: %+v", changed)
	}
	_, err = r.ChangeAgendaEvent(ctx, weekly.Event.ID, api.AgendaEventEdit{Scope: "all", Place: &moved, Version: weekly.Event.Version})
	wantCode(t, "a change of what was changed", err, rein.CodeConflict, "changed meanwhile")
	list, err := bob.Agenda(ctx, "2096-11-19", "2096-12-31")
	check(t, err)
	var titles []string
	for _, o := range list.Occurrences {
		titles = append(titles, o.Start.Format("01-02 ")+o.Title)
	}
	if got, want := strings.Join(titles, ", "), "11-19 yoga, 11-26 dinner, 11-27 yoga, 12-04 yoga, 12-11 yoga"; got != want {
		t.Errorf("bob sees %s, want %s", got, want)
	}
	free, err := r.FreeTime(ctx, api.AgendaFreeQuery{From: "2096-11-19", To: "2096-11-19", Minutes: 60, DayEnd: "21:00"})
	check(t, err)
	if len(free) != 2 || free[0].End.Format("15:04") != "19:00" || free[1].Start.Format("15:04") != "20:00" {
		t.Errorf("free: %+v", free)
	}
	file, err := r.ExportAgenda(ctx)
	check(t, err)
	done, err := r.ImportAgenda(ctx, file)
	check(t, err)
	if done.Unchanged != 2 || done.Added+done.Updated+len(done.Skipped) > 0 {
		t.Errorf("the same file again: %+v", done)
	}
	if done, err = bob.ImportAgenda(ctx, file); err != nil || done.Added != 2 {
		t.Errorf("bob imports it: %+v %v", done, err)
	}
	check(t, r.DeleteAgendaEvent(ctx, weekly.Event.ID, "all", "", ""))
	_, err = r.AgendaEvent(ctx, weekly.Event.ID)
	wantCode(t, "an event that is gone", err, rein.CodeNotFound)
}

// Whoever has the address of a feed reads what its user sees, without a log-in, until it is revoked or replaced. Others
// learn nothing, and nobody sees the address again.
func TestAgendaFeed(t *testing.T) {
	r := newRig(t)
	ctx, bob := t.Context(), r.as("bob")
	for _, user := range []string{"owner", "bob"} {
		_, err := r.people.AddUser(ctx, rein.Host(), user, rein.Member)
		if user == "bob" {
			check(t, err)
		}
	}
	for _, e := range []api.NewAgendaEvent{{Title: "mine", Start: "2096-11-19"}, {Title: "ours", Start: "2096-11-20", Shared: true}} {
		_, err := bob.AddAgendaEvent(ctx, e)
		check(t, err)
		e.Title += " of the owner"
		_, err = r.AddAgendaEvent(ctx, e)
		check(t, err)
	}
	_, err := bob.AgendaFeed(ctx)
	wantCode(t, "no feed", err, rein.CodeNotFound)
	feed, err := bob.NewAgendaFeed(ctx)
	check(t, err)
	read := func(path string) (int, string) {
		w := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodGet, path, nil)
		request.Header.Set("X-User", "nobody")
		r.handler.ServeHTTP(w, request)
		return w.Code, w.Body.String()
	}
	status, body := read(feed.Path)
	for text, in := range map[string]bool{"SUMMARY:mine\r": true, "SUMMARY:ours\r": true, "SUMMARY:ours of the owner\r": true, "SUMMARY:mine of the owner\r": false} {
		if status != 200 || strings.Contains(body, text) != in {
			t.Errorf("%d: %q in the feed: %v", status, text, !in)
		}
	}
	if kept, err := bob.AgendaFeed(ctx); err != nil || kept.URL != "" || kept.Path != "" {
		t.Errorf("the address is shown again: %+v %v", kept, err)
	}
	other, err := bob.NewAgendaFeed(ctx)
	check(t, err)
	wrong := []string{feed.Path, other.Path[:len(other.Path)-5] + "x.ics", "/v1/agenda/feed/" + strings.Repeat("a", 500), "/v1/agenda/feed/-.ics"}
	check(t, bob.EndAgendaFeed(ctx))
	for _, path := range append(wrong, other.Path) {
		if status, body := read(path); status != 404 || strings.Contains(body, "mine") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}
