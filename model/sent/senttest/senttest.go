// Package senttest is the contract of a model that keeps what it has written of a talk: each request is the same as if
// nothing had been kept, and one more message costs the same in a long talk as in a short one.
package senttest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"

	"rein"
)

// A Server answers whatever it is asked, and remembers what it was sent last.
type Server struct {
	Answer string
	Body   []byte
	Err    error
	Unread bool // it answers before it has read all
}

// RoundTrip implements http.RoundTripper.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	body := bytes.NewBuffer(s.Body[:0])
	_, _ = body.ReadFrom(r.Body)
	s.Body = body.Bytes()
	if !s.Unread { // as a transport says it when all is written
		httptrace.ContextClientTrace(r.Context()).WroteRequest(httptrace.WroteRequestInfo{})
	}
	if s.Err != nil {
		return nil, s.Err
	}
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(s.Answer)),
	}, nil
}

// Client returns a client of the server.
func (s *Server) Client() *http.Client { return &http.Client{Transport: s} }

// A Talker makes conversations of every kind.
type Talker struct {
	Model func(r *rand.Rand, s *Server) rein.Model
	More  func(r *rand.Rand) []rein.Message        // what a conversation may go on with
	Vary  func(r *rand.Rand, q *rein.ModelRequest) // all else that changes from request to request
}

// Whole sends conversations as they grow. Each request is the same, byte for byte, as that of somebody who sends the
// whole for the first time: whatever came before it.
func Whole(t *testing.T, by Talker) {
	t.Helper()
	joined := 0
	for seed := range uint64(300) {
		r, s := rand.New(rand.NewPCG(seed, 6)), &Server{}
		m := by.Model(r, s)
		q := rein.ModelRequest{Talk: &rein.Talk{}}
		for range 12 {
			for range r.IntN(3) {
				q.Messages = append(q.Messages, by.More(r)...)
			}
			by.Vary(r, &q)
			s.Err, s.Unread = nil, r.IntN(6) == 0
			if r.IntN(6) == 0 {
				s.Err = errors.New("the connection is gone")
			}
			if kept := q.Talk.Take(); kept != nil {
				joined++
				q.Talk.Keep(kept)
			}
			got, want := s.send(m, q, q.Talk), s.send(m, q, nil)
			if !bytes.Equal(got, want) {
				t.Fatalf("seed %d: %d messages to %+v are sent as\n%s\nwant\n%s", seed, len(q.Messages), m.Info(), got, want)
			}
		}
	}
	if joined < 1000 {
		t.Errorf("only %d requests were written behind earlier ones", joined)
	}
}

// send returns what the server is sent.
func (s *Server) send(m rein.Model, q rein.ModelRequest, talk *rein.Talk) []byte {
	q.Talk = talk
	s.Body = s.Body[:0]
	_, _ = m.Generate(context.Background(), q, nil)
	return bytes.Clone(s.Body)
}

// Unread says that a body is left alone which a client still reads.
func Unread(t *testing.T, m rein.Model, s *Server, q rein.ModelRequest) {
	t.Helper()
	q.Talk, s.Unread = &rein.Talk{}, true
	if _, err := m.Generate(t.Context(), q, nil); err != nil {
		t.Fatal(err)
	}
	if q.Talk.Take() != nil {
		t.Error("the body is kept, and will be written to, while it is being sent")
	}
	s.Unread = false
	if _, err := m.Generate(t.Context(), q, nil); err != nil {
		t.Fatal(err)
	}
	if q.Talk.Take() == nil {
		t.Error("the body is not kept")
	}
}

// OneMore says that one more message costs the same in a long conversation as in a short one. A round is what the
// conversation is made of.
func OneMore(t *testing.T, m rein.Model, round []rein.Message) {
	t.Helper()
	allocated := func(n int) float64 {
		q := rein.ModelRequest{Talk: &rein.Talk{}}
		send := func() {
			q.Messages = append(q.Messages, rein.Message{Role: rein.User, Text: "And now?"})
			q.Messages = append(q.Messages, round...)
			if _, err := m.Generate(context.Background(), q, nil); err != nil {
				t.Fatal(err)
			}
		}
		for range n {
			q.Messages = append(q.Messages, round...)
		}
		send()
		fewest := testing.AllocsPerRun(20, send)
		for range 4 { // whatever else runs in the process allocates too, but not each time
			fewest = min(fewest, testing.AllocsPerRun(20, send))
		}
		return fewest
	}
	if short, long := allocated(2), allocated(1000); long > short+10 {
		t.Errorf("a message makes %.0f allocations after 1,000 and %.0f after 2", long, short)
	}
}
