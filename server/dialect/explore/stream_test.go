package explore_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/api/client"
	"rein/journal/feed"
	"rein/server/dialect/explore"
	"rein/store"
)

// hello answers everything.
const hello = "when\nsay Hello!\n"

// TestWrongStreams asks for streams that must be refused: nothing is started.
//
// Covers: TREE-5 TREE-20 TREE-60
func TestWrongStreams(t *testing.T) {
	r := scripted(t, hello, nil, quiet)
	for name, c := range map[string]struct {
		query   string
		headers []string
		status  int
		says    string
	}{
		"no prompt":        {"", nil, 400, "neither a prompt"},
		"blank prompt":     {"prompt=%20", nil, 400, "neither a prompt"},
		"two prompts":      {"prompt=a&prompt=b", nil, 400, "twice"},
		"unknown":          {"prompt=a&model=b", nil, 400, "model"},
		"bad escape":       {"prompt=%zz", nil, 400, "parameters"},
		"bad ID":           {"prompt=a&agentId=a/b", nil, 400, "run ID"},
		"child's ID":       {"prompt=a&agentId=a.b", nil, 400, "child"},
		"unknown parent":   {"prompt=a&parentId=nobody", nil, 400, "does not exist"},
		"bad parent":       {"prompt=a&parentId=..", nil, 400, "does not exist"},
		"bad place":        {"prompt=a", []string{"Last-Event-ID", "12"}, 400, "place"},
		"place of no run":  {"prompt=a", []string{"Last-Event-ID", "r1:12"}, 404, "Not found"},
		"cross-site":       {"prompt=a", []string{"Sec-Fetch-Site", "cross-site"}, 403, "cross-site"},
		"same-site":        {"prompt=a", []string{"Sec-Fetch-Site", "same-site"}, 403, "same-site"},
		"a link":           {"prompt=a", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}, 403, "address bar"},
		"a prefetch":       {"prompt=a", []string{"Sec-Purpose", "prefetch;prerender"}, 403, "prefetched"},
		"another origin":   {"prompt=a", []string{"Origin", "https://evil.example"}, 403, "evil.example"},
		"no origin":        {"prompt=a", []string{"Origin", "null"}, 403, "null"},
		"cross-site, WS":   {"prompt=a", []string{"Origin", "https://evil.example", "Upgrade", "websocket", "Connection", "Upgrade"}, 403, "evil.example"},
		"viewer":           {"prompt=a", []string{"X-User", "viewer"}, 403, "act"},
		"unclear Fetch":    {"prompt=a", []string{"Sec-Fetch-Site", "Cross-Site"}, 403, "Cross-Site"},
		"allowed prefetch": {"prompt=a", []string{"Origin", "https://app.example.org", "Sec-Purpose", "prefetch"}, 403, "prefetched"},
	} {
		t.Run(name, func(t *testing.T) {
			status, reply := r.send("GET", "/agent/stream?"+c.query, "", c.headers...)
			if text, _ := reply["error"].(string); status != c.status || !strings.Contains(text, c.says) {
				t.Errorf("answered with %d %v, want %d and %q", status, reply, c.status, c.says)
			}
		})
	}
	if status, _ := r.send("POST", "/agent/stream", "{}"); status != http.StatusMethodNotAllowed {
		t.Errorf("a POST is answered with %d", status)
	}
	for info := range r.Store.Runs(context.Background(), store.Filter{}) {
		t.Errorf("there is a run %s", info.ID)
	}
}

// TestAllowedOrigins opens streams as pages may that are allowed to, and with an ID of one's own, once.
//
// Covers: TREE-5 TREE-60
func TestAllowedOrigins(t *testing.T) {
	r := scripted(t, hello, nil, quiet)
	for _, headers := range [][]string{
		{"Sec-Fetch-Site", "same-origin", "Origin", r.Web.URL},
		{"Sec-Fetch-Site", "cross-site", "Origin", "https://app.example.org"},
		{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "cors"},
	} {
		req, err := http.NewRequest("GET", r.Web.URL+"/agent/stream?prompt=a", nil)
		check(t, err)
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		res, err := http.DefaultClient.Do(req)
		check(t, err)
		res.Body.Close()
		if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("X-Accel-Buffering") != "no" {
			t.Errorf("%v: answered with %d %v", headers, res.StatusCode, res.Header)
		}
	}
	own := url.Values{"prompt": {"a"}, "agentId": {"mine"}}
	if first := r.open(own, "").until(explore.AgentState); first.AgentID != "mine" || status(first) != rein.AgentRunning {
		t.Errorf("the first chunk is %+v", first)
	}
	for _, user := range []string{"", "bob"} { // whoever has it
		if status, reply := r.send("GET", "/agent/stream?"+own.Encode(), "", "X-User", user); status != http.StatusConflict {
			t.Errorf("a taken ID is answered with %d %v", status, reply)
		}
	}
}

// A teller is a model that writes the pieces that the test lets it; "" ends the reply.
type teller struct {
	rein.Model
	pieces chan string
}

func (*teller) Info() rein.ModelInfo { return rein.ModelInfo{Name: "teller", MaxOutput: 1000} }

func (m *teller) Generate(ctx context.Context, _ rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	said := ""
	for {
		select {
		case piece := <-m.pieces:
			if said += piece; piece == "" {
				return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Text: said}, Usage: &rein.Usage{Input: 1, Output: 1}}, nil
			}
			if show != nil {
				show(piece)
			}
		case <-ctx.Done():
			return rein.ModelReply{}, ctx.Err()
		}
	}
}

func (m *teller) tell(t *testing.T, pieces ...string) {
	t.Helper()
	for _, piece := range pieces {
		select {
		case m.pieces <- piece:
		case <-time.After(patience):
			t.Fatal("nobody wants a piece")
		}
	}
}

// TestCutInATextPiece cuts the connection in the middle of a text, twice: while the model goes on, and so
// that it is done before the client is back. The client gets each byte once.
//
// Covers: TREE-60
func TestCutInATextPiece(t *testing.T) {
	m := &teller{pieces: make(chan string)}
	r := newRig(t, m, nil, quiet)
	s := r.ask("Well?")
	got := ""
	read := func(want string) {
		t.Helper()
		for got != want {
			got += s.until(explore.TextDelta).TextDelta
			if !strings.HasPrefix(want, got) {
				t.Fatalf("the text is %q, want %q", got, want)
			}
		}
	}
	back := func() {
		s.close()
		s = r.open(nil, s.last)
	}
	m.tell(t, "Één ")
	read("Één ")
	back()
	m.tell(t, "two ")
	read("Één two ")
	s.close()
	m.tell(t, "three", "")
	_, err := r.Engine.Wait(context.Background(), s.run())
	check(t, err)
	s = r.open(nil, s.last)
	read("Één two three")
	if end := s.until(explore.TextEnd); end.ID == "" {
		t.Errorf("its end is %+v", end)
	}
	if last := s.until(explore.AgentState); status(last) != rein.AgentCompleted {
		t.Errorf("the last is %+v", last)
	}
	if _, more := s.next(); more {
		t.Error("there is more after the end")
	}
	if again := r.open(nil, s.last); again.status != http.StatusNoContent {
		t.Errorf("who has everything is answered with %d", again.status)
	}
	if n := len(runs(r)); n != 1 {
		t.Errorf("there are %d runs", n)
	}
}

// run is the agent that the stream is of.
func (s *stream) run() rein.RunID {
	run, _, _ := strings.Cut(s.last, ":")
	return rein.RunID(run)
}

func runs(r *rig) (all []rein.RunInfo) {
	for info, err := range r.Store.Runs(context.Background(), store.Filter{}) {
		check(r, err)
		all = append(all, info)
	}
	return all
}

// TestCutBeforeTheFirstChunk: the id comes before any chunk, so a client that is cut off at once comes
// back to its agent. Closing a connection cancels nothing, and nobody else can follow by the id.
//
// Covers: TREE-60
func TestCutBeforeTheFirstChunk(t *testing.T) {
	m := &teller{pieces: make(chan string)}
	r := newRig(t, m, nil, quiet)
	s := r.ask("Well?")
	first := <-s.frames
	if first.id == "" || first.chunk.Type != "" {
		t.Fatalf("the first frame is %+v", first)
	}
	s.close()
	for _, user := range []string{"bob", "stranger"} {
		if status, _ := r.send("GET", "/agent/stream", "", "Last-Event-ID", first.id, "X-User", user); status != http.StatusNotFound {
			t.Errorf("%s is answered with %d", user, status)
		}
	}
	s = r.open(nil, first.id)
	if f, _ := s.next(); f.chunk.Type != explore.AgentState || status(f.chunk) != rein.AgentRunning {
		t.Errorf("the first chunk is %+v", f)
	}
	m.tell(t, "Well.", "")
	for f, ok := s.next(); ok; f, ok = s.next() {
		if status(f.chunk) == rein.AgentCompleted && len(runs(r)) == 1 {
			return
		}
	}
	t.Error("it did not complete")
}

// TestTwoDialects is X4: one client follows the chunks, another the native feed of the same tree. What
// the first is sent is what the second can make of its events.
//
// Covers: TREE-60 TAB-B11
func TestTwoDialects(t *testing.T) {
	r := scripted(t, `
when phase=split
say {"questions": ["Who?"]}

when phase=summary
say Both of us.

when
say Me.
`, nil, `{"clarify": false, "questions": 0, "child_questions": 0, "depth": 1}`)
	s := r.ask("Well?")
	var chunks []explore.Chunk
	first, _ := s.next()
	chunks = append(chunks, first.chunk)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var translated []explore.Chunk
	translator := explore.NewTranslator(first.chunk.AgentID)
	for line, err := range r.native().Follow(ctx, first.chunk.AgentID, client.FollowOptions{Tree: true}) {
		check(t, err)
		translated = append(translated, translator.See(feed.Line{Cursor: line.Cursor, Event: line.Event, Delta: line.Delta})...)
	}
	for f, ok := s.next(); ok; f, ok = s.next() {
		chunks = append(chunks, f.chunk)
	}
	for i := range translated {
		translated[i].EventID = ""
	}
	if diff := cmp.Diff(show(translated), show(chunks)); diff != "" {
		t.Errorf("the chunks differ (-native +explore):\n%s", diff)
	}
	if last := chunks[len(chunks)-1]; last.Type != explore.AgentState || status(last) != rein.AgentCompleted || last.AgentID != first.chunk.AgentID {
		t.Errorf("the last chunk is %+v", last)
	}
}

// TestQuietStream says nothing for longer than a request may take to arrive: the stream stays, and says
// that it is alive.
func TestQuietStream(t *testing.T) {
	m := &teller{pieces: make(chan string)}
	r := newRig(t, m, nil, quiet)
	s := r.ask("Well?")
	s.until(explore.Start)
	for began := time.Now(); time.Since(began) < 2*readTimeout; {
		if beat, ok := <-s.frames; !ok || beat.chunk.Type != "" {
			t.Fatalf("there is %+v, %v", beat, ok)
		}
	}
	m.tell(t, "Well.", "")
	if delta := s.until(explore.TextDelta); delta.TextDelta != "Well." {
		t.Errorf("the text is %+v", delta)
	}
}

// TestShutDown ends a stream without an end: a browser comes back by itself.
func TestShutDown(t *testing.T) {
	r := newRig(t, &teller{pieces: make(chan string)}, nil, quiet)
	s := r.ask("Well?")
	s.until(explore.AgentState)
	r.Feed.Close()
	for f, ok := s.next(); ok; f, ok = s.next() {
		if f.chunk.Type == explore.Finish || f.chunk.Type == explore.Error {
			t.Errorf("there is %+v", f.chunk)
		}
	}
}
