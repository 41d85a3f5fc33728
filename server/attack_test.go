package server_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"rein/server"
)

// open serves the house on a port, and returns its address.
func (h *house) open() string {
	h.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(h, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, l, h.outside, slog.New(slog.NewTextHandler(h.log, nil))) }()
	h.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			h.Errorf("serve: %v", err)
		}
	})
	return l.Addr().String()
}

// raw writes bytes to a new connection and reads the answers until it closes, or there are n of them.
func raw(t testing.TB, addr string, text []byte, n int) (statuses []int, bodies string) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	check(t, err)
	defer c.Close()
	check(t, c.SetDeadline(time.Now().Add(patience)))
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = c.Write(text) // who is refused early is not read to the end
	}()
	in := bufio.NewReader(c)
	for len(statuses) < n {
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			break
		}
		body, _ := io.ReadAll(answer.Body)
		statuses, bodies = append(statuses, answer.StatusCode), bodies+string(body)
	}
	c.Close()
	<-written
	return statuses, bodies
}

const head = "Host: localhost:7717\r\n"

// TestBadHeads sends requests that no client should: with too much before the body, with two meanings,
// and with paths that mean something else to something else. Each is refused, and the one after it on
// the same connection is never read as part of it.
//
// Covers: NEU-3
// Attack: 21
func TestBadHeads(t *testing.T) {
	h := newHouse(t)
	a := h.things()
	bob, ann := h.token("home", "bob"), h.token("home", "ann")
	by := func(v visitor) string { return "Authorization: " + v.headers[1] + "\r\n" }
	addr := h.open()
	smuggled := "GET /v1/runs/" + string(a.run) + " HTTP/1.1\r\n" + head + by(ann) + "\r\n"
	for _, c := range []struct {
		name, text string
		want       []int // of the first answer
	}{
		{"a header of 1 MB", "GET /healthz HTTP/1.1\r\n" + head + "X: " + strings.Repeat("x", 1<<20) + "\r\n\r\n", []int{431}},
		{"a line of 1 MB", "GET /" + strings.Repeat("x", 1<<20) + " HTTP/1.1\r\n" + head + "\r\n", []int{431}},
		{"10,000 headers", "GET /healthz HTTP/1.1\r\n" + head + strings.Repeat("X: x\r\n", 10_000) + "\r\n", []int{431}},
		{"101 headers", "GET /healthz HTTP/1.1\r\n" + head + strings.Repeat("X: x\r\n", 101) + "\r\n", []int{431}},
		{"40 KB of headers", "GET /healthz HTTP/1.1\r\n" + head + "X: " + strings.Repeat("x", 40_000) + "\r\n\r\n", []int{431}},
		{"two lengths", "POST /v1/runs HTTP/1.1\r\n" + head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}" + smuggled, []int{400}},
		{"a negative length", "POST /v1/runs HTTP/1.1\r\n" + head + "Content-Length: -1\r\n\r\n{}" + smuggled, []int{400}},
		{"a signed length", "POST /v1/runs HTTP/1.1\r\n" + head + "Content-Length: +2\r\n\r\n{}" + smuggled, []int{400}},
		{"an unknown coding", "POST /v1/runs HTTP/1.1\r\n" + head + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + smuggled, []int{501}},
		{"two codings", "POST /v1/runs HTTP/1.1\r\n" + head + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + smuggled, []int{501}},
		{"a bad chunk", "POST /v1/runs HTTP/1.1\r\n" + head + by(bob) + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + smuggled, []int{400}},
		{"a space in a name", "GET /v1/me HTTP/1.1\r\n" + head + "Content-Length : 0\r\n\r\n", []int{400}},
		{"a folded header", "GET /v1/me HTTP/1.1\r\n" + head + "X: a\r\n b\r\n\r\n", []int{400, 401}},
		{"a bare return", "GET /v1/me HTTP/1.1\r\n" + head + "X: a\rAuthorization: b\r\n\r\n", []int{400}},
		{"a zero byte", "GET /v1/me HTTP/1.1\r\n" + head + "X: a\x00b\r\n\r\n", []int{400}},
		{"no host", "GET /v1/me HTTP/1.1\r\n\r\n", []int{400}},
		{"two hosts", "GET /v1/me HTTP/1.1\r\n" + head + "Host: evil.example\r\n\r\n", []int{400}},
		{"another's name", "GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n", []int{421}},
		{"a name that begins well", "GET /healthz HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", []int{421}},
		{"a name with a user", "GET /healthz HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n", []int{400, 421}},
		{"an address elsewhere", "GET http://evil.example/healthz HTTP/1.1\r\n" + head + "\r\n", []int{421}},
		{"an address here", "GET http://localhost:7717/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n", []int{200}},
		{"a file address", "GET file:///etc/passwd HTTP/1.1\r\n" + head + "\r\n", []int{400, 421, 404}},
		{"HTTP/0.9", "GET /healthz\r\n\r\n", []int{400}},
		{"HTTP/9.9", "GET /healthz HTTP/9.9\r\n" + head + "\r\n", []int{505, 400}},
		{"not HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", []int{400}},
		{"an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []int{400, 404, 421, 505}},
		{"a method of junk", "G\x7fT /healthz HTTP/1.1\r\n" + head + "\r\n", []int{400}},
		{"TRACE", "TRACE /v1/me HTTP/1.1\r\n" + head + by(ann) + "\r\n", []int{405}},
		{"CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n", []int{421}},
		{"CONNECT here", "CONNECT localhost:7717 HTTP/1.1\r\nHost: localhost:7717\r\n\r\n", []int{404}},
		{"OPTIONS *", "OPTIONS * HTTP/1.1\r\n" + head + "\r\n", []int{404}},
		{"OPTIONS from a page", "OPTIONS /v1/runs HTTP/1.1\r\n" + head + "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n", []int{405}},
		{"HEAD", "HEAD /v1/me HTTP/1.1\r\n" + head + by(ann) + "Connection: close\r\n\r\n", []int{405}},
		{"an upgrade with a body", "GET /ws HTTP/1.1\r\n" + head + by(ann) + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nContent-Length: 5\r\n\r\nhello", []int{400}},
		{"an upgrade to h2c", "GET /healthz HTTP/1.1\r\n" + head + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n", []int{200}},
		{"expecting something", "POST /v1/runs HTTP/1.1\r\n" + head + by(bob) + "Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}", []int{417}},
		{"a gigabyte to come", "POST /v1/runs HTTP/1.1\r\n" + head + by(bob) + "Content-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{", []int{413}},
	} {
		statuses, body := raw(t, addr, []byte(c.text), 1)
		if len(statuses) != 1 || !slices.Contains(c.want, statuses[0]) {
			t.Errorf("%s: %v, want one of %v: %.200s", c.name, statuses, c.want, body)
		}
		if !strings.Contains(c.text, smuggled) {
			continue
		}
		if statuses, body := raw(t, addr, []byte(c.text), 5); strings.Contains(body, secret) {
			t.Errorf("%s: what came after was read as a request: %v %.300s", c.name, statuses, body)
		}
	}
	// A length and a coding together: the coding counts, and the connection is not used again.
	both := "POST /v1/runs HTTP/1.1\r\n" + head + by(bob) + "Content-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled
	if statuses, body := raw(t, addr, []byte(both), 2); len(statuses) == 0 || statuses[0] != 400 || strings.Contains(body, secret) {
		t.Errorf("a length and a coding: %v %.300s", statuses, body)
	}
}

// TestBadPaths asks for ann's run by names that are hers only after someone mends them.
//
// Attack: 22
func TestBadPaths(t *testing.T) {
	h := newHouse(t)
	a := h.things()
	bob := h.token("home", "bob")
	addr := h.open()
	run := string(a.run)
	for _, path := range []string{
		"/v1/runs/x/../" + run, "/v1/runs/%2e%2e/runs/" + run, "/v1/runs/%2e/" + run, "/v1//runs/" + run, "//v1/runs/" + run, "/v1/runs/" + run + "/",
		"/v1/runs/" + run + "%00", "/v1/runs/" + run + "%0d%0aX:1", "/v1/runs/" + run + "%2fevents", "/v1/runs/" + run + "/%65vents", "/v1/%72uns/" + run,
		"/v1/runs/%c0%ae%c0%ae/" + run, "/v1/runs/" + run + "%ff", "/v1/runs/" + run + ";x=1", "/v1/runs/" + run + "%3ftree=1", "/v1\\runs\\" + run,
		"/v1/runs/..%2f..%2fhealthz", "/V1/runs/" + run, "/v1/sessions/" + a.session + "/files/..%2f" + a.file, "/v1/sessions/" + a.session + "/files/%2e%2e%5c" + a.file,
		"/v1/sessions/%20" + a.session + "/files/" + a.file, "/v1/asks/" + strings.ReplaceAll(string(a.ask), ":", "%3a"), "/agent/" + run + "%2e1", "/agent/../v1/runs/" + run, "/chat/../v1/runs/" + run,
		"/login/../v1/runs/" + run, "/login?link=" + run + "&next=//evil.example", "/%2e%2e/%2e%2e/etc/passwd", "/v1/sessions/" + strings.Repeat("s", 5000) + "/files",
	} {
		text := "GET " + path + " HTTP/1.1\r\n" + head + "Authorization: " + bob.headers[1] + "\r\n\r\n"
		statuses, body := raw(t, addr, []byte(text), 1)
		if len(statuses) != 1 || statuses[0] >= 500 || statuses[0] >= 300 && statuses[0] < 400 || statuses[0] == 200 && !strings.HasPrefix(path, "/login?") {
			t.Errorf("GET %.100s: %v %.200s", path, statuses, body)
		}
		if strings.Contains(body, secret) || strings.Contains(body, "root:") {
			t.Errorf("GET %.100s is told what is ann's: %.300s", path, body)
		}
	}
}

// grown runs something, and reports how many bytes the heap has at most had more meanwhile.
func grown(do func()) uint64 {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		top := before.HeapInuse
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				runtime.ReadMemStats(&now)
				top = max(top, now.HeapInuse)
			case <-stop:
				most <- top - before.HeapInuse
				return
			}
		}
	}()
	do()
	close(stop)
	return <-most
}

// TestBadBodies sends bodies that are too large, too deep, too many or not what they say, at once from
// several sides. Each is refused with few words, and memory stays bounded.
//
// Attack: 23 24
// Plain: it is about the sizes of bodies. FuzzRequests sends small ones, and TestLateBodies some at once, under the race detector.
func TestBadBodies(t *testing.T) {
	h := newHouse(t)
	bob := h.token("home", "bob")
	addr := h.open()
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, err := io.Copy(z, io.LimitReader(zeros{}, 100<<20))
	check(t, err)
	check(t, z.Close())
	deep := strings.Repeat(`{"task":`, 100_000)
	type attack struct {
		name, path, body string
		headers          []string
		want             []int
	}
	attacks := []attack{
		{"objects in objects", "/v1/runs", deep, nil, []int{400, 413}},
		{"lists in lists", "/v1/runs", `{"task":{"settings":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}}`, nil, []int{400, 413}},
		{"9,000 lists in lists", "/v1/runs", `{"task":{"flow":"x","settings":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`, nil, []int{400}},
		{"a million of nothing", "/v1/runs", `{"task":{"messages":[{}` + strings.Repeat(`,{}`, 1_000_000) + `]}}`, nil, []int{413}},
		{"a million names", "/v1/runs", `{"task":{"tools":["x"` + strings.Repeat(`,"x"`, 900_000) + `]}}`, nil, []int{413}},
		{"a long name", "/v1/runs", `{"` + strings.Repeat("x", 4_000_000) + `":1}`, nil, []int{400}},
		{"a long number", "/v1/runs", `{"task":{"budget":{"rounds":1` + strings.Repeat("0", 4_000_000) + `}}}`, nil, []int{400}},
		{"a number beyond all", "/v1/runs", `{"task":{"budget":{"rounds":1e999}}}`, nil, []int{400}},
		{"a long flow", "/v1/runs", `{"task":{"flow":"` + strings.Repeat("é", 2_000_000) + `"}}`, nil, []int{400}},
		{"a long user", "/v1/runs", `{"task":{"user":"` + strings.Repeat("u", 4_000_000) + `"}}`, nil, []int{403}},
		{"a long session", "/v1/runs", `{"task":{"flow":"chat","session":"` + strings.Repeat("s", 4_000_000) + `"}}`, nil, []int{400}},
		{"a session with a line", "/v1/runs", `{"task":{"flow":"chat","session":"a\r\nSet-Cookie: x"}}`, nil, []int{400}},
		{"a session that a key will name", "/v1/runs", `{"task":{"flow":"chat","session":"k-1"}}`, nil, []int{404}},
		{"an ID that a key will name", "/v1/runs", `{"id":"k-1","task":{"flow":"chat"}}`, nil, []int{400}},
		{"an ID with a line", "/v1/runs", `{"id":"a\r\nX: y","task":{"flow":"chat"}}`, nil, []int{400}},
		{"notices of one's own", "/v1/runs", `{"task":{"flow":"chat","notices":["all is well"]}}`, nil, []int{400}},
		{"a start of one's own", "/v1/runs", `{"task":{"flow":"chat","start":"2001-01-01T00:00:00Z"}}`, nil, []int{400}},
		{"a budget beyond all", "/v1/runs", `{"task":{"flow":"chat","budget":{"rounds":9223372036854775807,"tool_calls":1,"tokens":1,"micros":1,"driven_ms":1,"runs":1,"depth":1}}}`, nil, []int{400}},
		{"names twice", "/v1/runs", `{"task":{"flow":"chat"},"task":{"flow":"none"}}`, nil, []int{400}},
		{"bytes that are no text", "/v1/runs", "{\"task\":{\"flow\":\"\xff\xfe\"}}", nil, []int{400}},
		{"a mark of order", "/v1/runs", "\xef\xbb\xbf{}", nil, []int{400}},
		{"UTF-16", "/v1/runs", "\xff\xfe{\x00}\x00", nil, []int{400}},
		{"a bomb", "/v1/runs", bomb.String(), []string{"Content-Encoding: gzip"}, []int{400, 415}},
		{"a form", "/v1/runs", "task=1", []string{"Content-Type: application/x-www-form-urlencoded"}, []int{415}},
		{"two kinds", "/v1/runs", "{}", []string{"Content-Type: application/json, text/plain"}, []int{415}},
		{"100 MB", "/v1/runs", strings.Repeat(" ", 100<<20), nil, []int{413}},
		{"100 MB as a command", "/v1/commands", strings.Repeat(" ", 100<<20), nil, []int{413}},
		{"a chat of 20 MB", "/chat", `{"message":"` + strings.Repeat("x", 20<<20) + `"}`, nil, []int{400, 413}},
		{"a deep chat", "/chat", strings.Repeat(`[`, 100_000), nil, []int{400}},
		{"a deep comment", "/agent/x/intervene", strings.Repeat(`[`, 100_000), nil, []int{400}},
		{"a login of 20 MB", "/login", "link=" + strings.Repeat("x", 20<<20), []string{"Content-Type: application/x-www-form-urlencoded", "Origin: http://localhost:7717"}, []int{400}},
	}
	most := grown(func() {
		for _, c := range attacks {
			headers := "Authorization: " + bob.headers[1] + "\r\n"
			if !strings.Contains(strings.Join(c.headers, " "), "Content-Type") {
				headers += "Content-Type: application/json\r\n"
			}
			for _, name := range c.headers {
				headers += name + "\r\n"
			}
			text := fmt.Sprintf("POST %s HTTP/1.1\r\n%s%sContent-Length: %d\r\n\r\n%s", c.path, head, headers, len(c.body), c.body)
			statuses, body := raw(t, addr, []byte(text), 1)
			if len(statuses) != 1 || !slices.Contains(c.want, statuses[0]) {
				t.Errorf("%s: %v, want one of %v: %.300s", c.name, statuses, c.want, body)
			}
			if len(body) > 8000 {
				t.Errorf("%s is answered with %d bytes: %.300s", c.name, len(body), body)
			}
		}
	})
	if limit := uint64(800 << 20); most > limit { // the requests themselves are in it, twice
		t.Errorf("the heap grew by %d MB", most>>20)
	}
	// The same from many sides, each of the worst kind: what one body takes is bounded.
	worst := []byte(`{"task":{"messages":[{}` + strings.Repeat(`,{}`, 99_000/2) + `],"flow":"none"}}`)
	most = grown(func() {
		for range 20 {
			w := h.send(bob, "POST", "/v1/runs", string(worst))
			if w.Code != 400 {
				t.Errorf("many messages: %d %.200s", w.Code, w.Body)
			}
		}
	})
	if most > 150<<20 {
		t.Errorf("the heap grew by %d MB for bodies of %d KB", most>>20, len(worst)>>10)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestManyStreams opens a thousand streams of one run and leaves them, half of them by closing only
// their own side. All of them end, and nothing is left running.
//
// Attack: 32
func TestManyStreams(t *testing.T) {
	h := newHouse(t)
	a := h.things()
	ann := h.token("home", "ann")
	addr := h.open()
	const streams = 1000
	text := "GET /v1/runs/" + string(a.run) + "/events?tree=1 HTTP/1.1\r\n" + head + "Accept: text/event-stream\r\nAuthorization: " + ann.headers[1] + "\r\n\r\n"
	var open []net.Conn
	most := grown(func() {
		for range streams {
			c, err := net.Dial("tcp", addr)
			check(t, err)
			open = append(open, c)
			_, err = c.Write([]byte(text))
			check(t, err)
		}
		for _, c := range open {
			check(t, c.SetDeadline(time.Now().Add(patience)))
			line, err := bufio.NewReader(c).ReadString('\n')
			if err != nil || !strings.Contains(line, "200") {
				t.Fatalf("a stream begins with %q, %v", line, err)
			}
		}
	})
	if most > 300<<20 {
		t.Errorf("%d streams take %d MB", streams, most>>20)
	}
	if n := h.feed.Followers(); n != streams {
		t.Errorf("%d follow the feed, want %d", n, streams)
	}
	for i, c := range open {
		if i%2 == 0 {
			check(t, c.(*net.TCPConn).CloseWrite())
		} else {
			c.Close()
		}
	}
	for deadline := time.Now().Add(patience); h.feed.Followers() > 0; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d still follow the feed", h.feed.Followers())
		}
	}
	for _, c := range open {
		c.Close()
	}
}

// TestSlowSenders begin a request and do not go on. They are cut off, and keep nobody else waiting.
//
// Attack: 25
func TestSlowSenders(t *testing.T) {
	if testing.Short() {
		t.Log("it takes 10 seconds")
		return
	}
	h := newHouse(t)
	addr := h.open()
	var slow []net.Conn
	for range 200 {
		c, err := net.Dial("tcp", addr)
		check(t, err)
		defer c.Close()
		_, err = c.Write([]byte("GET /healthz HTTP/1.1\r\nHost: local"))
		check(t, err)
		slow = append(slow, c)
	}
	if statuses, _ := raw(t, addr, []byte("GET /healthz HTTP/1.1\r\n"+head+"Connection: close\r\n\r\n"), 1); !slices.Equal(statuses, []int{200}) {
		t.Errorf("beside slow ones: %v", statuses)
	}
	for _, c := range slow {
		check(t, c.SetReadDeadline(time.Now().Add(patience)))
		if _, err := io.Copy(io.Discard, c); err != nil {
			t.Fatalf("a slow sender is not cut off: %v", err)
		}
	}
}

// TestForeignPages sends what a page of another site could have a browser send, with its cookie.
//
// Attack: 16
func TestForeignPages(t *testing.T) {
	h := newHouse(t)
	a := h.things()
	ann := h.browser("ann")
	cookie := []string{ann.headers[0], ann.headers[1]}
	before := h.print()
	for _, c := range []struct {
		name           string
		method, target string
		body           string
		headers        []string
		want           int
	}{
		{"without a token", "POST", "/v1/commands", `{"kind":"cancel","run":"` + string(a.run) + `"}`, []string{"Origin", "http://localhost:7717"}, 403},
		{"without an origin", "POST", "/v1/commands", `{"kind":"cancel","run":"` + string(a.run) + `"}`, []string{"X-CSRF-Token", ann.headers[3]}, 403},
		{"from elsewhere", "POST", "/v1/commands", `{"kind":"cancel","run":"` + string(a.run) + `"}`, []string{"X-CSRF-Token", ann.headers[3], "Origin", "http://evil.example"}, 403},
		{"from no page", "POST", "/v1/commands", `{"kind":"cancel","run":"` + string(a.run) + `"}`, []string{"X-CSRF-Token", ann.headers[3], "Origin", "null"}, 403},
		{"from another port", "POST", "/v1/commands", `{"kind":"cancel","run":"` + string(a.run) + `"}`, []string{"X-CSRF-Token", ann.headers[3], "Origin", "http://localhost:3000"}, 403},
		{"from two pages", "POST", "/v1/commands", `{"kind":"cancel","run":"` + string(a.run) + `"}`, []string{"X-CSRF-Token", ann.headers[3], "Origin", "http://localhost:7717", "Origin", "http://evil.example"}, 403},
		{"reading from another port", "GET", "/v1/runs", "", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"an image that starts an agent", "GET", "/agent/stream?prompt=hi", "", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"a link that starts an agent", "GET", "/agent/stream?prompt=hi", "", []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "none"}, 403},
		{"a socket from elsewhere", "GET", "/ws", "", []string{"Upgrade", "websocket", "Connection", "Upgrade", "Origin", "http://evil.example"}, 403},
		{"a socket from nowhere", "GET", "/ws", "", []string{"Upgrade", "websocket", "Connection", "Upgrade"}, 403},
		{"a feed from elsewhere", "GET", "/v1/runs/" + string(a.run) + "/events", "", []string{"Upgrade", "websocket", "Origin", "http://evil.example"}, 403},
		{"a logout", "POST", "/logout", "", []string{"Origin", "http://evil.example"}, 403},
		{"a login from elsewhere", "POST", "/login", "link=x", []string{"Content-Type", "application/x-www-form-urlencoded", "Origin", "http://evil.example"}, 403},
	} {
		w := h.send(visitor{headers: cookie}, c.method, c.target, c.body, c.headers...)
		if w.Code != c.want || strings.Contains(w.Body.String(), secret) {
			t.Errorf("%s: %d, want %d: %.300s", c.name, w.Code, c.want, w.Body)
		}
		if w.Header().Get("Access-Control-Allow-Origin") != "" || w.Header().Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: another page may read it: %v", c.name, w.Header())
		}
	}
	for table, sum := range h.print() {
		if before[table] != sum {
			t.Errorf("table %s has changed", table)
		}
	}
}

// TestLoginLeadsHome goes where it should, whatever the form and the address say.
func TestLoginLeadsHome(t *testing.T) {
	h := newHouse(t)
	for _, target := range []string{"/login?next=//evil.example", "/login?redirect=http://evil.example", "/login"} {
		link, err := h.people.NewLoginLink(t.Context(), ownerOf("home"), "ann")
		check(t, err)
		w := h.send(visitor{}, "POST", target, "next=//evil.example&link="+link+"&link=x", "Origin", "http://localhost:7717")
		if w.Code != 415 && w.Code != 400 { // it says that it is JSON
			t.Errorf("a form that is none: %d", w.Code)
		}
		r := h.form(target, "next=//evil.example&link="+link)
		if r.Code != 303 || r.Header().Get("Location") != "/" {
			t.Errorf("%s: %d leads to %q", target, r.Code, r.Header().Get("Location"))
		}
		if c := r.Header().Get("Set-Cookie"); !strings.Contains(c, "HttpOnly") || !strings.Contains(c, "SameSite=Strict") {
			t.Errorf("the cookie is %q", c)
		}
		if again := h.form(target, "link="+link); again.Code != 401 || strings.Contains(again.Body.String(), link) {
			t.Errorf("the link again: %d %.200s", again.Code, again.Body)
		}
	}
	if strings.Contains(h.log.String(), "reinlink_") {
		t.Error("a login link is in the log")
	}
	w := h.send(visitor{}, "GET", `/login?link="><script>alert(1)</script>`, "")
	if strings.Contains(w.Body.String(), "<script>") {
		t.Errorf("the page has a script: %s", w.Body)
	}
}
