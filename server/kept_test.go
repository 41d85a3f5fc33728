package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"rein"
	"rein/api"
)

// TestPageIsKept keeps an object for each user, as it is, and refuses what is not one or too large.
func TestPageIsKept(t *testing.T) {
	r := newRig(t)
	ann, bob := r.as("ann"), r.as("bob")
	if kept, err := ann.Page(t.Context()); err != nil || string(kept.Page) != "{}" || !kept.Changed.IsZero() {
		t.Fatalf("ann begins with %s, %v", kept.Page, err)
	}
	for _, object := range []string{`{"views":[{"name":"mine"}]}`, `{"tour":true}`} {
		_, err := ann.KeepPage(t.Context(), json.RawMessage(object))
		check(t, err)
		kept, err := ann.Page(t.Context())
		check(t, err)
		if string(kept.Page) != object || kept.Changed.IsZero() {
			t.Errorf("kept is %s, changed %s; want %s", kept.Page, kept.Changed, object)
		}
	}
	if kept, err := bob.Page(t.Context()); err != nil || string(kept.Page) != "{}" {
		t.Errorf("bob has %s, %v", kept.Page, err)
	}
	for what, object := range map[string]string{"a list": `[]`, "a text": `"x"`, "null": `null`, "two keys": `{"a":1,"a":2}`} {
		_, err := ann.KeepPage(t.Context(), json.RawMessage(object))
		wantCode(t, what, err, rein.CodeInvalid)
	}
	for length, fits := range map[int]bool{64<<10 - 8: true, 64<<10 - 7: false, 1 << 20: false} {
		_, err := ann.KeepPage(t.Context(), json.RawMessage(`{"a":"`+strings.Repeat("x", length)+`"}`))
		if fits != (err == nil) {
			t.Errorf("an object of %d bytes: %v", length+8, err)
		}
	}
}

// TestFeedback gives, changes and removes what people think of a run, which its view shows.
func TestFeedback(t *testing.T) {
	r := newRig(t)
	ann, bob := r.as("ann"), r.as("bob")
	_, err := ann.Start(t.Context(), "a", task("chat", "hi"))
	check(t, err)
	follow(t, ann, "a", followAll).wantEnd()
	given := func(want ...string) {
		t.Helper()
		list, err := ann.Feedback(t.Context(), "a")
		check(t, err)
		var shown api.ShownRun
		check(t, json.Unmarshal(r.get("/v1/runs/a"), &shown))
		for what, all := range map[string][]api.Feedback{"the list": list, "the run": shown.Feedback} {
			var got []string
			for _, f := range all {
				got = append(got, f.User+" "+string(f.Rating)+" "+f.Comment)
			}
			if strings.Join(got, ", ") != strings.Join(want, ", ") {
				t.Errorf("%s has %q, want %q", what, got, want)
			}
		}
	}
	given()
	for _, f := range []api.NewFeedback{{Rating: "down", Comment: "wrong"}, {Rating: "up", Comment: " it was right\n"}} {
		_, err = ann.GiveFeedback(t.Context(), "a", f)
		check(t, err)
	}
	given("ann up it was right")
	_, err = r.GiveFeedback(t.Context(), "a", api.NewFeedback{Rating: "down"})
	check(t, err)
	given("ann up it was right", "owner down ")
	_, err = ann.GiveFeedback(t.Context(), "a", api.NewFeedback{})
	check(t, err)
	given("owner down ")
	for what, f := range map[string]api.NewFeedback{
		"another word": {Rating: "so-so"}, "a comment alone": {Comment: "hm"}, "a long comment": {Rating: "up", Comment: strings.Repeat("x", 4001)},
	} {
		_, err := ann.GiveFeedback(t.Context(), "a", f)
		wantCode(t, what, err, rein.CodeInvalid)
	}
	_, err = bob.GiveFeedback(t.Context(), "a", api.NewFeedback{Rating: "up"})
	wantCode(t, "the run of another", err, rein.CodeNotFound)
	_, err = bob.Feedback(t.Context(), "a")
	wantCode(t, "feedback on the run of another", err, rein.CodeNotFound)
}
