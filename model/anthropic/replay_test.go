package anthropic_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/model/anthropic"
)

// A player is a server that answers with exchanges, one after the other.
type player struct {
	*httptest.Server
	transport *http.Transport

	mu     sync.Mutex
	queue  []exchange
	cut    int // bytes after which the connection is lost; negative: never
	bodies []json.RawMessage
}

func newPlayer(t testing.TB) *player {
	p := &player{transport: &http.Transport{}, cut: -1}
	p.Server = httptest.NewServer(http.HandlerFunc(p.play))
	t.Cleanup(func() { p.transport.CloseIdleConnections(); p.Close() })
	return p
}

func (p *player) load(cut int, list ...exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue, p.cut, p.bodies = list, cut, nil
}

func (p *player) sent() []json.RawMessage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bodies
}

func (p *player) next(body []byte) (exchange, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bodies = append(p.bodies, body)
	if len(p.queue) == 0 {
		return exchange{Status: http.StatusGone}, -1
	}
	x := p.queue[0]
	p.queue = p.queue[1:]
	return x, p.cut
}

func (p *player) play(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	x, cut := p.next(body)
	for name, values := range x.Headers {
		switch strings.ToLower(name) {
		case "content-length", "transfer-encoding", "content-encoding", "connection", "alt-svc":
		default:
			w.Header()[http.CanonicalHeaderKey(name)] = values
		}
	}
	w.WriteHeader(x.Status)
	if cut >= 0 && cut < len(x.Response) {
		_, _ = io.WriteString(w, x.Response[:cut])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = io.WriteString(w, x.Response)
}

// model returns a model of this server whose answers come in pieces of so many bytes; 0: as they are.
func (p *player) model(t testing.TB, pieces int, o anthropic.Options) *anthropic.Model {
	t.Helper()
	o.Name, o.Model, o.BaseURL, o.Key = "m", "claude-sonnet-4-5", p.URL, "k-secret"
	o.HTTP = &http.Client{Transport: crumbs{p.transport, pieces}}
	m, err := anthropic.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// crumbs hands an answer on in small pieces.
type crumbs struct {
	http.RoundTripper
	size int
}

func (c crumbs) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := c.RoundTripper.RoundTrip(r)
	if err == nil && c.size > 0 {
		resp.Body = crumbBody{resp.Body, c.size}
	}
	return resp, err
}

type crumbBody struct {
	io.ReadCloser
	size int
}

func (b crumbBody) Read(p []byte) (int, error) { return b.ReadCloser.Read(p[:min(len(p), b.size)]) }

func ask(text string) rein.ModelRequest {
	return rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: text}}}}
}

// generate asks once and returns also what was shown.
func generate(m *anthropic.Model, r rein.ModelRequest, stream bool) (rein.ModelReply, string, error) {
	var shown strings.Builder
	var show func(string)
	if stream {
		show = func(s string) { shown.WriteString(s) }
		r.Said = shown.String
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	reply, err := m.Generate(ctx, r, show)
	return reply, shown.String(), err
}

func (x exchange) check(reply rein.ModelReply, shown string) error {
	if reply.Message.Text != x.want.Text {
		return fmt.Errorf("text %q, want %q", reply.Message.Text, x.want.Text)
	}
	if x.Stream && shown != x.want.Text {
		return fmt.Errorf("shown %q, want %q", shown, x.want.Text)
	}
	if stop, known := stopsOf[x.want.Stop]; !known || reply.Message.Stop != stop {
		return fmt.Errorf("stop %q, want that of %q", reply.Message.Stop, x.want.Stop)
	}
	if len(reply.Message.Calls) != len(x.want.Tools) {
		return fmt.Errorf("%d calls, want %d", len(reply.Message.Calls), len(x.want.Tools))
	}
	for i, c := range reply.Message.Calls {
		var got, want any
		if err := json.Unmarshal(c.Args, &got); err != nil {
			return err
		}
		if err := json.Unmarshal(x.want.Tools[i].Args, &want); err != nil {
			return err
		}
		if c.ID == "" || c.Name != x.want.Tools[i].Name || !cmp.Equal(got, want) {
			return fmt.Errorf("call %s %s, want %s %s", c.Name, c.Args, x.want.Tools[i].Name, x.want.Tools[i].Args)
		}
	}
	if u := reply.Usage; u == nil || u.Input <= 0 || u.Output <= 0 || u.Cached+u.CacheWrite > u.Input {
		return fmt.Errorf("usage %+v", u)
	}
	return nil
}

// Covers: SD-3 SD-11 SD-12
func TestRecordedTraffic(t *testing.T) {
	p := newPlayer(t)
	counts := map[string]int{}
	for _, x := range recorded(t) {
		verdict := "none"
		if x.want != nil {
			verdict = x.want.Verdict
		}
		for pieces := range 8 {
			p.load(-1, x)
			reply, shown, err := generate(p.model(t, pieces, anthropic.Options{}), ask("Hello"), x.Stream)
			if verdict == "agree" && err == nil {
				err = x.check(reply, shown)
			} else if verdict != "agree" {
				err = clean(err, verdict == "http-error")
			}
			if err != nil {
				t.Errorf("%s, in pieces of %d: %v", x, pieces, err)
			}
			counts[fmt.Sprintf("%s stream=%v", verdict, x.Stream)]++
		}
	}
	fmt.Println("model/anthropic: recorded traffic, answers read (each whole and in pieces of 1 to 7 bytes):", counts)
}

// clean says what is wrong with an error, if there must be one.
func clean(err error, must bool) error {
	if err == nil {
		if must {
			return fmt.Errorf("no error")
		}
		return nil
	}
	e, ok := err.(*rein.Error)
	switch {
	case !ok:
		return fmt.Errorf("an error without a code: %w", err)
	case strings.Contains(e.Msg, "k-secret"):
		return fmt.Errorf("the key is in the error: %w", err)
	case !strings.HasPrefix(e.Msg, `model "m": `) || strings.Contains(e.Msg, "\n"):
		return fmt.Errorf("not one clean line: %w", err)
	}
	return nil
}

// Covers: SD-19
func TestCutTraffic(t *testing.T) {
	before := runtime.NumGoroutine()
	p := newPlayer(t)
	random := rand.New(rand.NewPCG(1, 2))
	cuts := 0
	for _, x := range recorded(t) {
		if x.Status != http.StatusOK {
			continue
		}
		end := len(strings.TrimRight(x.Response, " \r\n"))
		for _, at := range []int{0, random.IntN(end), random.IntN(end), random.IntN(end), end - 1} {
			p.load(at, x)
			reply, shown, err := generate(p.model(t, 0, anthropic.Options{}), ask("Hello"), x.Stream)
			if rein.CodeOf(err) != rein.CodeOverloaded || clean(err, true) != nil {
				t.Errorf("%s, cut at %d of %d: %v", x, at, end, err)
			}
			if x.want != nil && !strings.HasPrefix(x.want.Text, shown) {
				t.Errorf("%s, cut at %d: %q was shown", x, at, shown)
			}
			if !cmp.Equal(reply, rein.ModelReply{}) {
				t.Errorf("%s, cut at %d: a reply beside the error: %+v", x, at, reply)
			}
			cuts++
		}
	}
	p.transport.CloseIdleConnections()
	p.Close()
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			var stacks bytes.Buffer
			stacks.Grow(1 << 20)
			buf := stacks.AvailableBuffer()[:1<<20]
			t.Fatalf("%d goroutines, before: %d\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
	}
	fmt.Println("model/anthropic: answers cut, each with one clean error:", cuts)
}
