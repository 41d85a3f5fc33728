package operate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/work/pace"
	"rein/flow"
	"rein/internal/rig"
	"rein/model/openai"
	"rein/model/tokens"
	"rein/store/sqlite"
)

// A provider is a server that notes when it was asked, by whom, and answers with the headers given.
type provider struct {
	headers map[string]string
	mu      sync.Mutex
	at      []time.Time
	who     []string // the last word of each prompt
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var asked struct {
		Messages []struct{ Content string }
	}
	if json.Unmarshal(body, &asked) != nil || len(asked.Messages) == 0 {
		http.Error(w, "not a chat", http.StatusBadRequest)
		return
	}
	words := strings.Fields(asked.Messages[len(asked.Messages)-1].Content)
	p.mu.Lock()
	p.at, p.who = append(p.at, time.Now()), append(p.who, words[len(words)-1])
	p.mu.Unlock()
	for name, value := range p.headers {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Done.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// A paced is the whole runtime in front of a provider.
type paced struct {
	t        *testing.T
	provider *provider
	engine   *engine.Engine
	ended    map[rein.RunID]chan rein.RunEnd
	waiting  chan rein.RunID // a run whenever it says that it waits
	mu       sync.Mutex
	waits    map[rein.RunID]int
}

func newPaced(t *testing.T, headers map[string]string, limits pace.Limits) *paced {
	p := &paced{t: t, provider: &provider{headers: headers}, ended: map[rein.RunID]chan rein.RunEnd{}, waits: map[rein.RunID]int{}, waiting: make(chan rein.RunID, 1000)}
	for _, id := range []rein.RunID{"a", "b", "c", "d", "e", "f"} {
		p.ended[id] = make(chan rein.RunEnd, 1)
	}
	server := httptest.NewServer(p.provider)
	t.Cleanup(server.Close)
	far := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}}}
	t.Cleanup(far.CloseIdleConnections)
	// A server on this machine would not be held up.
	model, err := openai.New(openai.Options{Model: "gpt-5", BaseURL: "http://provider.example", Account: "acme", HTTP: far})
	if err != nil {
		t.Fatal(err)
	}
	r := rig.Open(t, rig.Options{Store: sqlite.Options{OnCommit: p.see}})
	worker := rig.Worker(model, nil)
	worker.Pace, worker.Estimate = pace.New(limits, nil), tokens.Estimate
	r.Begin(engine.Options{Flows: flow.All(), Worker: worker})
	p.engine = r.Engine
	return p
}

func (p *paced) see(events []rein.Event) {
	for _, e := range events {
		switch {
		case e.Kind == rein.StepWaiting:
			p.mu.Lock()
			p.waits[e.Run]++
			p.mu.Unlock()
			p.waiting <- e.Run
		case e.Kind.Ends():
			var end rein.RunEnd
			if err := json.Unmarshal(e.Data, &end); err != nil {
				p.t.Error(err)
			}
			p.ended[e.Run] <- end
		}
	}
}

func (p *paced) start(id rein.RunID, text string) {
	p.t.Helper()
	task := rein.Task{Flow: "operate", Messages: []rein.Message{{Role: rein.User, Text: text + " " + string(id)}}}
	if _, err := p.engine.Start(context.Background(), id, task); err != nil {
		p.t.Fatal(err)
	}
}

func (p *paced) wantDone(id rein.RunID) {
	p.t.Helper()
	select {
	case end := <-p.ended[id]:
		if end.End != rein.EndDone || end.Text != "Done." {
			p.t.Errorf("run %s ended as %+v", id, end)
		}
	case <-time.After(30 * time.Second):
		p.t.Fatalf("run %s does not end", id)
	}
}

// untilWaiting returns when a run says that it waits.
func (p *paced) untilWaiting(want rein.RunID) {
	p.t.Helper()
	deadline := time.After(time.Minute)
	for {
		select {
		case id := <-p.waiting:
			if id == want {
				return
			}
		case <-deadline:
			p.t.Fatalf("run %s never said that it waits", want)
		}
	}
}

// B3: a request that is larger than the rate window waits until the window is empty and then goes
// alone. It never waits for ever, those after it wait for it, and the log says so.
//
// Covers: SD-72 SD-73
func TestOversizeRequestUnderTheRateLimit(t *testing.T) {
	const window = 400 * time.Millisecond
	p := newPaced(t, nil, pace.Limits{Requests: 60, Tokens: 3000, Window: window})
	p.start("a", "Hello.")
	p.wantDone("a")
	p.start("b", strings.Repeat("This is far too much at once. ", 2000))
	p.untilWaiting("b") // else c, for which there is room still, might come first
	p.start("c", "Hello.")
	p.wantDone("b")
	p.wantDone("c")
	if got := strings.Join(p.provider.who, " "); got != "a b c" {
		t.Fatalf("the provider was asked in the order %s", got)
	}
	for i, at := range p.provider.at[1:] { // the way there is not always the same: half is enough to tell
		if gap := at.Sub(p.provider.at[i]); gap < window/2 {
			t.Errorf("request %d came %v after the one before it, and a window is %v", i+2, gap, window)
		}
	}
	for _, id := range []rein.RunID{"b", "c"} {
		if p.waits[id] == 0 {
			t.Errorf("run %s waited and did not say so", id)
		}
	}
	if p.waits["a"] > 0 {
		t.Error("run a had nothing to wait for")
	}
}

// B4: what a provider's headers say of its limits holds from the next request on, if it is less than
// ours.
//
// Covers: SD-71
func TestHeadersLowerTheLimit(t *testing.T) {
	const window = 400 * time.Millisecond
	p := newPaced(t, map[string]string{
		"x-ratelimit-limit-requests": "2", "x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": "400ms",
	}, pace.Limits{Requests: 60, Tokens: 1_000_000, Window: window})
	p.start("a", "Hello.")
	p.wantDone("a")
	for _, id := range []rein.RunID{"b", "c", "d", "e", "f"} {
		p.start(id, "Hello.")
	}
	for _, id := range []rein.RunID{"b", "c", "d", "e", "f"} {
		p.wantDone(id)
	}
	if len(p.provider.at) != 6 {
		t.Fatalf("%d requests", len(p.provider.at))
	}
	for i := range p.provider.at[2:] {
		if gap := p.provider.at[i+2].Sub(p.provider.at[i]); gap < window/2 {
			t.Errorf("requests %d to %d came within %v, and two may come within %v", i+1, i+3, gap, window)
		}
	}
}
