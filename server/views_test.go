package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/engine/enginetest/flows"
)

var followAll = client.FollowOptions{}

// followFrom follows from a cursor.
func followFrom(cursor string) client.FollowOptions { return client.FollowOptions{After: cursor} }

// TestOthers keeps the runs and asks of other people out of sight, except an ask that is put to one.
func TestOthers(t *testing.T) {
	r := newRig(t)
	ann, bob, stranger := r.as("ann"), r.as("bob"), r.as("stranger")
	asking := task("ask", "")
	var err error
	asking.Settings, err = json.Marshal(flows.Settings{Question: rein.Question{Text: "Bob?", For: "bob"}})
	check(t, err)
	for id, task := range map[rein.RunID]rein.Task{"a": task("ask", ""), "b": asking} {
		_, err = ann.Start(t.Context(), id, task)
		check(t, err)
		follow(t, ann, id, followAll).untilKind(id, rein.RunParked)
	}
	for name, c := range map[string]*client.Client{"bob": bob, "stranger": stranger, "carol": r.as("carol")} {
		_, err := c.Run(t.Context(), "a")
		wantCode(t, name+" looks at a run", err, rein.CodeNotFound)
		_, err = c.Tree(t.Context(), "a")
		wantCode(t, name+" looks at a tree", err, rein.CodeNotFound)
		_, err = c.Events(t.Context(), "a", "", false)
		wantCode(t, name+" reads a log", err, rein.CodeNotFound)
		for _, err := range c.Follow(t.Context(), "a", followAll) {
			wantCode(t, name+" follows a run", err, rein.CodeNotFound)
		}
		_, err = c.Ask(t.Context(), "a:1.ask")
		wantCode(t, name+" looks at an ask", err, rein.CodeNotFound)
		_, err = c.Runs(t.Context(), api.RunQuery{Tree: "a"})
		wantCode(t, name+" lists a tree", err, rein.CodeNotFound)
		for _, kind := range []rein.CommandKind{rein.CommandStop, rein.CommandDelete, rein.CommandMessage} {
			_, err = c.Command(t.Context(), rein.Command{Kind: kind, Run: "a", Text: "x"})
			wantCode(t, name+" sends "+string(kind), err, rein.CodeNotFound)
		}
		_, err = c.Command(t.Context(), rein.Command{Kind: rein.CommandAnswer, Ask: "a:1.ask", Answer: rein.Answer{State: rein.AskAnswered}})
		wantCode(t, name+" answers", err, rein.CodeNotFound)
		wantCode(t, name+" resumes", c.Resume(t.Context(), "a"), rein.CodeNotFound)
		_, err = c.Start(t.Context(), "a", task("ask", ""))
		wantCode(t, name+" takes the ID", err, rein.CodeConflict)
		if page, err := c.Runs(t.Context(), api.RunQuery{}); err != nil || len(page.Runs) > 0 {
			t.Errorf("%s sees %+v, %v", name, page, err)
		}
		asks, err := c.Asks(t.Context(), api.AskQuery{})
		if check(t, err); len(asks) != map[string]int{"bob": 1}[name] {
			t.Errorf("%s sees %+v", name, asks)
		}
	}
	_, err = ann.Command(t.Context(), rein.Command{Kind: rein.CommandAnswer, Ask: "b:1.ask", Answer: rein.Answer{State: rein.AskAnswered}})
	wantCode(t, "ann answers for bob", err, rein.CodeForbidden, "bob")
	put, err := bob.Ask(t.Context(), "b:1.ask")
	check(t, err)
	_, err = bob.Command(t.Context(), put.Reply(rein.Answer{State: rein.AskAnswered, Text: "yes"}))
	check(t, err)
	if lines := follow(t, ann, "b", followAll).wantEnd(); !strings.Contains(string(lines[len(lines)-1].Event.Data), "answered yes by bob") {
		t.Errorf("the run ended with %s", lines[len(lines)-1].Event.Data)
	}
}

// TestLists narrows and pages the list of runs.
func TestLists(t *testing.T) {
	r := newRig(t)
	for i := range 5 {
		id := rein.RunID(fmt.Sprintf("r%d", i))
		one := task("once", "hello")
		one.Session = []string{"even", "odd"}[i%2]
		r.start(id, one)
		follow(t, r.Client, id, followAll).wantEnd()
	}
	r.start("asks", task("ask", ""))
	follow(t, r.Client, "asks", followAll).untilKind("asks", rein.RunParked)
	r.start("parent", family(t, task("once", "x")))
	follow(t, r.Client, "parent", followAll).wantEnd()
	for _, c := range []struct {
		query api.RunQuery
		want  string
	}{
		{api.RunQuery{}, "r0 r1 r2 r3 r4 asks parent parent.1"},
		{api.RunQuery{Roots: true}, "r0 r1 r2 r3 r4 asks parent"},
		{api.RunQuery{Session: "odd"}, "r1 r3"},
		{api.RunQuery{Session: "none"}, ""},
		{api.RunQuery{Status: api.Unfinished}, "asks"},
		{api.RunQuery{Status: string(rein.StatusWaiting)}, "asks"},
		{api.RunQuery{Status: "done", After: "r2"}, "r3 r4 parent parent.1"},
		{api.RunQuery{Status: "failed"}, ""},
		{api.RunQuery{Tree: "parent"}, "parent parent.1"},
		{api.RunQuery{Limit: 3}, "r0 r1 r2 …r2"},
		{api.RunQuery{Limit: 3, After: "r2"}, "r3 r4 asks …asks"},
		{api.RunQuery{Limit: 2, After: "asks"}, "parent parent.1"},
	} {
		page, err := r.Runs(t.Context(), c.query)
		check(t, err)
		var got []string
		for _, run := range page.Runs {
			got = append(got, string(run.ID))
		}
		if page.Next != "" {
			got = append(got, "…"+string(page.Next))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %q, want %q", c.query, got, c.want)
		}
	}
}

// TestStartAnswers checks status and place of what was started, and that a missing ID is made.
func TestStartAnswers(t *testing.T) {
	r := newRig(t)
	post := func(body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodPost, "/v1/runs", strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json; charset=utf-8")
		r.handler.ServeHTTP(w, request)
		return w
	}
	for _, status := range []int{http.StatusCreated, http.StatusOK} {
		w := post(`{"id":"r","task":{"flow":"ask"}}`)
		if w.Code != status || w.Header().Get("Location") != "/v1/runs/r" {
			t.Errorf("answer is %d %v %s", w.Code, w.Header(), w.Body)
		}
	}
	w := post(`{"task":{"flow":"ask"}}`)
	var run api.Run
	check(t, json.Unmarshal(w.Body.Bytes(), &run))
	if w.Code != http.StatusCreated || run.ID.Check() != nil || w.Header().Get("Location") != "/v1/runs/"+string(run.ID) {
		t.Errorf("answer is %d %v %s", w.Code, w.Header(), w.Body)
	}
	health, err := r.Health(t.Context())
	if err != nil || health.Version != "test" {
		t.Errorf("health is %+v, %v", health, err)
	}
	if made, err := r.Start(t.Context(), "", task("ask", "")); err != nil || made.ID < api.NewRunID(time.Unix(0, 0)) {
		t.Errorf("started %+v, %v", made, err)
	}
}

// TestLastEventID goes on where a browser was.
//
// Attack: 4
func TestLastEventID(t *testing.T) {
	r := newRig(t)
	r.start("r", task("once", "x"))
	follow(t, r.Client, "r", followAll).wantEnd()
	w := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodGet, "/v1/runs/r/events?after=1", nil)
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Last-Event-ID", "3")
	r.handler.ServeHTTP(w, request)
	if text := w.Body.String(); strings.Count(text, "event: event\n") != 1 || !strings.Contains(text, "\nid: 4\n") || !strings.HasSuffix(text, "event: end\ndata: {}\n\n") {
		t.Errorf("the stream is %s", text)
	}
}
