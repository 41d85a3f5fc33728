package access_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"rein"

	"rein/household/people"
	"rein/server/access"
	"rein/store"
)

// stayOpen begins a request that goes on, as a stream does.
func (r *rig) stayOpen(s *httptest.Server, header string) {
	r.Helper()
	q, err := http.NewRequestWithContext(r.Context(), "GET", s.URL+"/stay", nil)
	check(r, err)
	q.Header = get("/", header).http().Header
	answer, err := http.DefaultTransport.RoundTrip(q)
	check(r, err)
	r.Cleanup(func() { answer.Body.Close() })
	if answer.StatusCode != 200 {
		r.Fatal(answer.Status)
	}
	r.wait(r.stays, "begin")
}

func (r *rig) wait(c chan struct{}, what string) {
	r.Helper()
	select {
	case <-c:
	case <-time.After(30 * time.Second):
		r.Fatal("a stream does not " + what)
	}
}

// TestStreamsEnd: what stays open ends when who opened it is no longer welcome, and only then.
//
// Attack: 11
func TestStreamsEnd(t *testing.T) {
	for name, end := range map[string]func(r *rig, id string) error{
		"revoked": func(r *rig, id string) error { return r.RevokeToken(r.Context(), rein.Host(), id) },
		"disabled": func(r *rig, _ string) error {
			return r.DisableUser(r.Context(), rein.Host(), "ann")
		},
		"other role": func(r *rig, _ string) error {
			return r.SetRole(r.Context(), rein.Host(), "ann", rein.Viewer)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, access.Options{})
			s := httptest.NewServer(r.handler)
			t.Cleanup(s.Close)
			r.add("ann", rein.Member)
			token, id := r.token("ann", rein.ScopeRead)
			other, _ := r.token("owner")
			r.stayOpen(s, bearer(other))
			r.stayOpen(s, bearer(token))
			check(t, end(r, id))
			r.wait(r.ends, "end")
			if len(r.ends) != 0 {
				t.Error("the stream of another ended too")
			}
		})
	}
}

func TestStreamEndsWithLogout(t *testing.T) {
	r := newRig(t, access.Options{})
	s := httptest.NewServer(r.handler)
	t.Cleanup(s.Close)
	cookie := r.cookie("owner")
	r.stayOpen(s, session(cookie))
	r.want(post("/logout", session(cookie), ownPage, csrf(cookie)), 204)
	r.wait(r.ends, "end")
}

// signalled says of each read that it is done, if someone waits for it.
type signalled struct {
	store.Tables
	done chan struct{}
}

func (s *signalled) Read(ctx context.Context, do func(context.Context, store.Query) error) error {
	err := s.Tables.Read(ctx, do)
	select {
	case s.done <- struct{}{}:
	default:
	}
	return err
}

// TestStreamExpires needs no change of people: the guard looks again by itself.
func TestStreamExpires(t *testing.T) {
	r := newRig(t, access.Options{Recheck: time.Millisecond})
	s := httptest.NewServer(r.handler)
	t.Cleanup(s.Close)
	token, _ := r.token("owner")
	reads := &signalled{Tables: r.Tables, done: make(chan struct{})}
	r.Tables = reads
	r.stayOpen(s, bearer(token))
	r.pass(people.DefaultTokenLife - time.Second)
	for range 3 { // it looks again and again
		r.wait(reads.done, "be looked at")
	}
	if len(r.ends) != 0 {
		t.Error("it ended early")
	}
	r.pass(time.Second)
	r.wait(r.ends, "end")
}

func TestTooManyOpen(t *testing.T) {
	r := newRig(t, access.Options{Limits: access.Limits{Open: 2}})
	s := httptest.NewServer(r.handler)
	t.Cleanup(s.Close)
	r.add("ann", rein.Member)
	token, _ := r.token("owner")
	anns, id := r.token("ann")
	r.stayOpen(s, bearer(token))
	r.stayOpen(s, bearer(token))
	r.want(get("/v1/health", bearer(token)), 429, "open at the same time")
	for range 3 { // those that have ended do not count
		r.want(get("/v1/health", bearer(anns)), 200)
	}
	r.stayOpen(s, bearer(anns))
	check(t, r.RevokeToken(t.Context(), rein.Host(), id))
	r.wait(r.ends, "end")
}

func TestTooManyOpenOfAll(t *testing.T) {
	r := newRig(t, access.Options{Limits: access.Limits{OpenAll: 2}})
	s := httptest.NewServer(r.handler)
	t.Cleanup(s.Close)
	r.add("ann", rein.Member)
	token, _ := r.token("owner")
	anns, _ := r.token("ann")
	r.stayOpen(s, bearer(token))
	r.stayOpen(s, bearer(anns))
	r.want(get("/v1/health", bearer(token)), 429, "open at the same time")
}
