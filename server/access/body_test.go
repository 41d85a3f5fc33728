package access_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"rein"

	"rein/server/access"
)

// TestBodiesTakeTurns sends more bodies at once than one user may: they wait for each other, and nobody
// else waits for them.
func TestBodiesTakeTurns(t *testing.T) {
	r := newRig(t, access.Options{})
	r.add("ann", rein.Member)
	r.add("bob", rein.Member)
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

// TestLargeBodiesTakeTurns sends large bodies whose requests are not answered yet: one user has a few of
// them at a time and leaves room for others, whoever closes a body early makes room, and small ones do not
// wait.
//
// Attack: 23
func TestLargeBodiesTakeTurns(t *testing.T) {
	r := newRig(t, access.Options{})
	r.add("ann", rein.Member)
	r.add("bob", rein.Member)
	ann, _ := r.token("ann")
	bob, _ := r.token("bob")
	const sent, most, size = 8, 3, 1 << 20
	read, answer := make(chan io.Closer, sent+1), make(chan struct{})
	handler := r.access.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		if n, err := io.Copy(io.Discard, q.Body); err != nil || n != size {
			t.Errorf("%d bytes were read: %v", n, err)
		}
		read <- q.Body
		<-answer
	}))
	var all sync.WaitGroup
	send := func(token string) {
		all.Go(func() {
			q := post("/act", bearer(token)).http()
			q.Body, q.ContentLength = io.NopCloser(io.LimitReader(zeros{}, size)), size
			handler.ServeHTTP(httptest.NewRecorder(), q)
		})
	}
	for range sent {
		send(ann)
	}
	var last io.Closer
	for range most {
		last = <-read
	}
	send(bob)
	<-read // of bob: else the test hangs
	r.want(request{"POST", "/act", []string{bearer(ann)}, "hello"}, http.StatusOK, "ann sent 5")
	if len(read) != 0 {
		t.Error("there is one too many")
	}
	if err := last.Close(); err != nil {
		t.Error(err)
	}
	<-read // the next of ann
	close(answer)
	all.Wait()
	if left := sent - most - 1; len(read) != left {
		t.Errorf("%d more were read, want %d", len(read), left)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
