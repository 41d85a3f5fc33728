package notify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/follow/notify"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

const secret = "a secret of the environment"

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A house is a store whose runs ask, and a notifier that tells of it. It is made inside of a bubble,
// whose clock only goes on when everyone waits; so targets are functions and not sockets.
type house struct {
	t        *testing.T
	path     string
	store    *sqlite.Store
	notifier *notify.Notifier
	net      *network
	stop     func()
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, path: filepath.Join(t.TempDir(), "rein.db"), net: &network{t: t}, stop: func() {}}
	h.open()
	return h
}

func (h *house) open() {
	h.t.Helper()
	s, err := sqlitetest.Open(h.t, h.path, sqlite.Options{})
	check(h.t, err)
	h.store = s
}

// serve begins to tell; it waits until all is told that can be.
func (h *house) serve(targets ...notify.Target) {
	h.t.Helper()
	n, err := notify.New(notify.Options{Store: h.store, Targets: targets, Link: func(run rein.RunID, ask rein.AskID) string {
		return strings.TrimSuffix("https://rein.example/runs/"+string(run)+"/"+string(ask), "/")
	}})
	check(h.t, err)
	n.UseTransport(h.net)
	h.notifier = n
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- n.Serve(ctx) }()
	h.stop = func() {
		h.t.Helper()
		cancel()
		check(h.t, <-done)
		h.stop = func() {}
	}
	synctest.Wait()
}

func (h *house) close() {
	h.t.Helper()
	h.stop()
	check(h.t, h.store.Close())
}

// ask has a new run of a user ask something.
func (h *house) ask(run rein.RunID, household, user string) rein.AskID {
	h.t.Helper()
	h.start(run, household, user)
	ask := rein.Ask{
		ID: rein.NewAskID(run, "1.ask"), Run: run, Step: "1", Kind: rein.AskApproval, Text: "Allow rm {}?", Choices: []string{"yes", "no"},
		Call: &rein.ToolCall{ID: "c", Name: "rm"}, State: rein.AskPending, Opened: time.Now().UTC(), Deadline: time.Now().Add(time.Hour).UTC(),
	}
	_, err := h.store.Append(context.Background(), store.Batch{Run: run, Epoch: 1, Drafts: []store.Draft{{Kind: rein.AskOpened, Step: "1.ask", At: time.Now(), Data: &ask, Opens: &ask}}})
	check(h.t, err)
	return ask.ID
}

func (h *house) start(run rein.RunID, household, user string) {
	h.t.Helper()
	budget := rein.DefaultBudget()
	_, _, err := h.store.Start(context.Background(), store.Start{Run: run, At: time.Now(), Claim: true, Start: rein.RunStart{Task: rein.Task{
		Flow: "operate", Household: household, User: user, Session: "s-" + string(run.Root()), Budget: &budget,
		Messages: []rein.Message{{Role: rein.User, Text: "Tidy up."}},
	}}})
	check(h.t, err)
}

func (h *house) answer(ask rein.AskID) {
	h.t.Helper()
	run, _, _ := strings.Cut(string(ask), ":")
	_, err := h.store.Command(context.Background(), rein.Command{
		Kind: rein.CommandAnswer, Run: rein.RunID(run), Ask: ask, Key: "k" + string(ask), By: "ann", Answer: rein.Answer{State: rein.AskApproved, By: "ann"},
	}, time.Now())
	check(h.t, err)
}

func (h *house) end(run rein.RunID) {
	h.t.Helper()
	info, err := h.store.Run(context.Background(), run)
	check(h.t, err)
	end := rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: "Done."}}
	_, err = h.store.Append(context.Background(), store.Batch{Run: run, Epoch: info.Epoch, Seen: info.Seq, Drafts: []store.Draft{{
		Kind: rein.RunCompleted, At: time.Now(), Data: &end, Outcome: &end, Status: rein.Status(rein.EndDone),
	}}})
	check(h.t, err)
}

// states lists the deliveries, a word or two each, by target, kind and run.
func (h *house) states() string {
	h.t.Helper()
	s, err := h.notifier.Status(context.Background(), "")
	check(h.t, err)
	counts := map[string]int{}
	var order []string
	for _, d := range s.Deliveries {
		line := fmt.Sprintf("%s %s %s %s tries=%d", d.Target, d.Kind, d.Run, d.State, d.Tries)
		if counts[line]++; counts[line] == 1 {
			order = append(order, line)
		}
	}
	return strings.Join(order, "\n")
}

// A network is where targets are. Each handler is a target's, by its host.
type network struct {
	t    *testing.T
	mu   sync.Mutex
	at   map[string]http.HandlerFunc
	told []string // "host kind run", in the order of their coming
	ids  []string
	last notify.Message
	busy int
	most int // how many requests there were at once
}

func (n *network) handle(host string, f http.HandlerFunc) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.at == nil {
		n.at = map[string]http.HandlerFunc{}
	}
	n.at[host] = f
}

// status has a host answer so.
func (n *network) status(host string, code int) {
	n.handle(host, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
}

// take returns what was told since the last time.
func (n *network) take() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	told := strings.Join(n.told, "; ")
	n.told = nil
	return told
}

// RoundTrip implements http.RoundTripper. It checks what every receiver should.
func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var m notify.Message
	if err := notify.Verify(secret, r.Header.Get(notify.SignatureHeader), body, time.Now()); err != nil {
		n.t.Error(err)
	}
	if err := json.Unmarshal(body, &m); err != nil || m.ID != r.Header.Get(notify.DeliveryHeader) || string(m.Kind) != r.Header.Get(notify.EventHeader) || r.Method != http.MethodPost {
		n.t.Errorf("%s %v %s: %v", r.Method, r.Header, body, err)
	}
	n.mu.Lock()
	n.told, n.ids, n.last = append(n.told, fmt.Sprintf("%s %s %s", r.URL.Host, m.Kind, m.Run)), append(n.ids, m.ID), m
	n.busy++
	n.most = max(n.most, n.busy)
	handler := n.at[r.URL.Host]
	n.mu.Unlock()
	defer func() {
		n.mu.Lock()
		n.busy--
		n.mu.Unlock()
	}()
	w := httptest.NewRecorder()
	if handler != nil {
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler(w, r)
	}
	if r.Context().Err() != nil {
		return nil, r.Context().Err()
	}
	return w.Result(), nil
}

func target(name string, events ...rein.WebhookEvent) notify.Target {
	return notify.Target{Name: name, URL: "https://" + name + ".example/hook/TOKEN", Secret: func() string { return secret }, Events: events}
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
	}
}
