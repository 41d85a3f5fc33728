package openai

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"rein"
)

// player serves exchanges by their number: /<n>/…, and /<n>-<cut>/… drops the connection after so
// many bytes.
type player []*exchange

func (p player) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	number, cut, isCut := strings.Cut(name, "-")
	n, _ := strconv.Atoi(number)
	e := p[n]
	e.writeHeader(w.Header())
	body := e.Response
	if isCut {
		at, _ := strconv.Atoi(cut)
		body = body[:at]
	}
	w.WriteHeader(e.Status)
	_, _ = io.WriteString(w, body)
	w.(http.Flusher).Flush()
	if isCut {
		panic(http.ErrAbortHandler)
	}
}

func (e *exchange) writeHeader(h http.Header) {
	for name, values := range e.Headers {
		switch strings.ToLower(name) {
		case "content-length", "transfer-encoding", "content-encoding", "connection", "date", "alt-svc":
		default:
			h[http.CanonicalHeaderKey(name)] = values
		}
	}
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", map[bool]string{true: "text/event-stream", false: "application/json"}[e.Stream])
	}
}

// smallReads answers from memory, n bytes at a time.
type smallReads struct {
	e *exchange
	n int
}

func (s smallReads) RoundTrip(r *http.Request) (*http.Response, error) {
	h := http.Header{}
	s.e.writeHeader(h)
	body := io.NopCloser(&nBytes{strings.NewReader(s.e.Response), s.n})
	return &http.Response{StatusCode: s.e.Status, Header: h, Body: body, Request: r, ProtoMajor: 1, ProtoMinor: 1}, nil
}

type nBytes struct {
	io.Reader
	n int
}

func (b *nBytes) Read(p []byte) (int, error) { return b.Reader.Read(p[:min(len(p), b.n)]) }

// ask sends a request and checks what holds for every answer.
func ask(t *testing.T, o Options, e *exchange) (rein.ModelReply, error) {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	var show func(string)
	if e.Stream {
		show = func(text string) { shown.WriteString(text) }
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	request := e.request()
	request.Said = shown.String
	reply, err := m.Generate(ctx, request, show)
	if err != nil {
		var typed *rein.Error
		if !errors.As(err, &typed) || typed.Code == rein.CodeInternal || typed.Code == rein.CodeTimeout {
			t.Errorf("%s/%s: not a clean error: %v", e.Src, e.File, err)
		}
		if strings.Contains(err.Error(), o.Key) || len(err.Error()) < 20 {
			t.Errorf("%s/%s: error says too much or too little: %v", e.Src, e.File, err)
		}
		return reply, err
	}
	if show != nil && shown.String() != reply.Message.Text {
		t.Errorf("%s/%s: shown %q, replied %q", e.Src, e.File, shown.String(), reply.Message.Text)
	}
	return reply, nil
}

// Every answer that both official SDKs read alike is read like that here; of all others the caller
// learns what happened.
//
// Covers: SD-3 SD-11 SD-12 SD-19
func TestRecordedTraffic(t *testing.T) {
	tapes := traffic(t)
	server := httptest.NewServer(player(tapes))
	defer server.Close()
	counts := map[string]int{}
	for n, e := range tapes {
		reply, err := ask(t, e.options(server.URL+"/"+strconv.Itoa(n)), e)
		switch {
		case e.want.Verdict != "agree":
			counts[e.want.Verdict]++
			if e.Status != 200 && err == nil {
				t.Errorf("%s/%s: status %d gave a reply", e.Src, e.File, e.Status)
			}
			if err != nil {
				t.Logf("%s %s: %s: %v", e.want.Verdict, e.want.ID, rein.CodeOf(err), err)
			}
		case err != nil && e.saysNothing():
			counts["agree, and no reply in it"]++
		case err != nil:
			t.Errorf("%s %s/%s (%d): %v", e.want.ID, e.Src, e.File, e.want.K, err)
		default:
			counts["agree"]++
			if d := e.differs(reply); d != "" {
				t.Errorf("%s %s/%s (%d, %s): %s", e.want.ID, e.Src, e.File, e.want.K, e.Host, d)
			}
		}
	}
	t.Log(counts)
}

// saysNothing reports whether the SDKs agree that the answer is empty because it is none: a queued
// response, or JSON of another kind. We say so.
func (e *exchange) saysNothing() bool {
	return e.want.Text == "" && len(e.want.Tools) == 0 && (e.want.Stop == "queued" || e.want.Stop == "")
}

// Covers: SD-3 SD-12
func TestSmallReads(t *testing.T) {
	streams, reads := 0, 0
	for i, e := range traffic(t) {
		if e.want.Verdict != "agree" || e.saysNothing() {
			continue
		}
		streams++
		for n := 1; n <= 7; n++ {
			if !e.Stream && n != 1+i%7 {
				continue // one value is read to its end before it is looked at
			}
			reads++
			o := e.options("http://replay.test/v1")
			o.HTTP = &http.Client{Transport: smallReads{e, n}}
			reply, err := ask(t, o, e)
			if err != nil {
				t.Errorf("%s/%s by %d bytes: %v", e.Src, e.File, n, err)
			} else if d := e.differs(reply); d != "" {
				t.Errorf("%s/%s by %d bytes: %s", e.Src, e.File, n, d)
			}
		}
	}
	t.Logf("%d answers read %d times, 1 to 7 bytes at a time", streams, reads)
}

// An answer that is cut gives one error that says so, and leaves nothing behind.
//
// Covers: SD-19
func TestCuts(t *testing.T) {
	tapes := traffic(t)
	before := runtime.NumGoroutine()
	server := httptest.NewServer(player(tapes))
	client := &http.Client{Transport: &http.Transport{}}
	random := rand.New(rand.NewPCG(7, 7))
	cuts := 0
	for n, e := range tapes {
		if e.Status != 200 || len(e.Response) < 2 || (!e.Stream && n%5 != 0) {
			continue
		}
		for range 4 {
			at := random.IntN(e.lastEvent())
			o := e.options(server.URL + "/" + strconv.Itoa(n) + "-" + strconv.Itoa(at))
			o.HTTP = client
			cuts++
			_, err := ask(t, o, e)
			if err == nil {
				t.Errorf("%s/%s cut at %d of %d gave a reply", e.Src, e.File, at, len(e.Response))
			} else if e.want.Verdict == "agree" && rein.CodeOf(err) != rein.CodeOverloaded {
				t.Errorf("%s/%s cut at %d: %s: %v", e.Src, e.File, at, rein.CodeOf(err), err)
			}
		}
	}
	client.CloseIdleConnections()
	server.Close()
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	if now := runtime.NumGoroutine(); now > before {
		t.Errorf("%d goroutines before, %d after", before, now)
	}
	t.Logf("%d cuts, as many errors", cuts)
}

// Answers with wrong bytes in them are read or refused, and never make a reader panic.
func TestDamage(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	refused := 0
	tapes := traffic(t)
	for _, e := range tapes {
		if e.Status != 200 || len(e.Response) < 2 {
			continue
		}
		damaged := *e
		data := []byte(e.Response)
		for range 1 + random.IntN(4) {
			const bytes = "{}[]\":,0nx\\\n"
			data[random.IntN(len(data))] = bytes[random.IntN(len(bytes))]
		}
		damaged.Response = string(data)
		o := e.options("http://replay.test/v1")
		o.HTTP = &http.Client{Transport: smallReads{&damaged, 512}}
		m, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Generate(t.Context(), e.request(), func(string) {}); err != nil {
			refused++
		}
	}
	t.Logf("%d answers damaged, %d refused", len(tapes), refused)
}
