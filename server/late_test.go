package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"

	"rein/server"
)

// A body that comes too late, or not whole, is never answered as if what it asks for were done: the
// answer says that it did not arrive, and nothing has changed.
//
// Attack: 26
func TestLateBodies(t *testing.T) {
	h := newHouse(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	served := make(chan error, 1)
	go func() { served <- server.ServeWithin(t.Context(), l, h.outside, nil, 300*time.Millisecond, 100) }()
	t.Cleanup(func() { check(t, <-served) })
	a, tried := h.things(), 0
	h.quiet()
	for _, s := range bodies(t) {
		if slices.Contains(unwelcome, s.of) {
			continue
		}
		v, ok := h.welcome(s)
		if !ok {
			t.Errorf("%s: nobody is welcome", s.of)
			continue
		}
		for name, leave := range map[string]func(*net.TCPConn) error{
			"late":     func(*net.TCPConn) error { return nil }, // it stays, and sends no more
			"cut":      (*net.TCPConn).CloseWrite,
			"no byte":  nil,
			"no chunk": nil,
		} {
			before := h.print()
			status, said := sendPart(t, l.Addr().String(), s, v, a, name, leave)
			what := fmt.Sprintf("%s: %s %s, %s", s.of, s.method, s.target(a), name)
			if status != http.StatusRequestTimeout {
				t.Errorf("%s: the answer is %d %s, want 408", what, status, said)
			}
			for table, sum := range h.print() {
				if before[table] != sum {
					t.Errorf("%s: table %s has changed", what, table)
				}
			}
			tried++
		}
	}
	if tried < 52 {
		t.Errorf("only %d requests were tried", tried)
	}
}

// unwelcome are the operations that no credential opens over the network: a household is added on the machine itself, and
// a webhook signs its body.
var unwelcome = []string{"addHousehold", "callHook"}

// bodies are the samples of what takes a body, one for each operation.
func bodies(t *testing.T) []sample {
	t.Helper()
	var all []sample
	for _, o := range server.Operations() {
		if !o.TakesBody {
			continue
		}
		of := slices.IndexFunc(samples(), func(s sample) bool { return s.of == o.Name })
		if of < 0 {
			t.Fatalf("%s has no sample", o.Name)
		}
		s := samples()[of]
		s.method, s.needs = o.Method, o.Needs
		all = append(all, s)
	}
	for _, s := range mountSamples() {
		if s.body != nil {
			all = append(all, s)
		}
	}
	return append(all, sample{of: "/login", method: "POST", target: at("/login"), body: at("link=something"), rule: always(303)})
}

// welcome is someone whose request would be carried out, or at least looked at.
func (h *house) welcome(s sample) (visitor, bool) {
	if s.of == "/login" {
		return visitor{headers: []string{"Origin", "http://127.0.0.1:7717", "Sec-Fetch-Site", "same-origin", "Content-Type", "application/x-www-form-urlencoded"}}, true
	}
	for _, v := range []visitor{h.token("home", "ann", rein.ScopeRead, rein.ScopeAct, rein.ScopeAnswer), h.token("home", "owner", rein.Scopes()...)} {
		if code := s.status(v); code != http.StatusForbidden && code != http.StatusUnauthorized {
			return v, true
		}
	}
	return visitor{}, false
}

// sendPart sends the beginning of a request and returns the answer.
func sendPart(t *testing.T, address string, s sample, v visitor, a things, how string, leave func(*net.TCPConn) error) (int, string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	check(t, err)
	defer conn.Close()
	check(t, conn.SetDeadline(time.Now().Add(patience)))
	body := s.body(a)
	var b strings.Builder
	target, err := url.Parse(s.target(a))
	check(t, err)
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:7717\r\n", s.method, target.RequestURI())
	headers := slices.Concat(v.headers, s.headers)
	if !slices.Contains(headers, "Content-Type") {
		headers = append(headers, "Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		fmt.Fprintf(&b, "%s: %s\r\n", headers[i], headers[i+1])
	}
	switch how {
	case "no byte":
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(body))
	case "no chunk": // the JSON is whole, but not the body
		fmt.Fprintf(&b, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(body), body)
	default:
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body[:len(body)-1])
	}
	_, err = io.WriteString(conn, b.String())
	check(t, err)
	if leave != nil {
		check(t, leave(conn.(*net.TCPConn)))
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	said, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(said)
}

// A listener has so many connections at a time; who comes when there is room again is served.
func TestConnectionsAreBounded(t *testing.T) {
	r := newRig(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	served := make(chan error, 1)
	go func() { served <- server.ServeWithin(t.Context(), l, r.handler, nil, patience, 3) }()
	t.Cleanup(func() { check(t, <-served) })
	ask := func() (net.Conn, error) {
		conn, err := net.Dial("tcp", l.Addr().String())
		check(t, err)
		check(t, conn.SetDeadline(time.Now().Add(patience)))
		_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") // it may be closed by now
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil {
			err = answer.Body.Close()
		}
		return conn, err
	}
	var open []net.Conn
	for range 3 {
		conn, err := ask()
		check(t, err)
		open = append(open, conn)
	}
	for range 3 {
		if conn, err := ask(); err == nil {
			t.Error("one too many is served")
			conn.Close()
		}
	}
	for _, conn := range open {
		conn.Close()
	}
	for deadline := time.Now().Add(patience); ; { // the server has still to see that they are gone
		conn, err := ask()
		conn.Close()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("nobody is served any more")
		}
	}
}
