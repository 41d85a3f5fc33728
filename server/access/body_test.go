package access_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"rein/people"
	"rein/server/access"
)

// TestBodiesTakeTurns sends more bodies at once than one user may: they wait for each other, and nobody
// else waits for them.
func TestBodiesTakeTurns(t *testing.T) {
	r := newRig(t, access.Options{})
	r.add("ann", people.Member)
	r.add("bob", people.Member)
	ann, _ := r.token("ann")
	bob, _ := r.token("bob")
	const sent, most = 20, 16
	began, done := make(chan struct{}, sent), make(chan int, sent)
	rest := make(chan struct{})
	for range sent {
		go func() {
			q := post("/act", bearer(ann)).http()
			q.Body, q.ContentLength = io.NopCloser(&slowBody{began: began, rest: rest}), -1
			w := httptest.NewRecorder()
			r.handler.ServeHTTP(w, q)
			done <- w.Code
		}()
	}
	for range most {
		<-began
	}
	q := request{"POST", "/act", []string{bearer(bob)}, "hello"}
	r.want(q, http.StatusOK, "bob sent 5")
	r.want(post("/act", bearer(ann)), http.StatusOK) // without a body there is nothing to wait for
	select {
	case <-began:
		t.Error("there is one too many")
	default:
	}
	close(rest)
	for range sent {
		if code := <-done; code != http.StatusOK {
			t.Errorf("a body that waited: %d", code)
		}
	}
	if len(began) != sent-most {
		t.Errorf("%d more began, want %d", len(began), sent-most)
	}
}

// slowBody says when it is read first, and ends when it is told.
type slowBody struct {
	began chan<- struct{}
	rest  <-chan struct{}
}

func (s *slowBody) Read([]byte) (int, error) {
	s.began <- struct{}{}
	<-s.rest
	return 0, io.EOF
}
