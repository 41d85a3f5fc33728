package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/follow/telemetry"
	"rein/model/script"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// What must never be told.
const (
	secret = "sk-test-4f9d1c77aa20be51"
	prompt = "Write to my landlord about the damp wall"
)

// talk is what the model says. It is overloaded once, makes up a tool, and fails in a child.
const talk = `
model tiny
price in=10.00 out=20.00

when phase=child
fail provider "sk-test-4f9d1c77aa20be51 is not a key for: Write to my landlord about the damp wall"

when phase=act turn=1
fail overloaded "503: busy with Write to my landlord about the damp wall" after=5s times=1
slow 2s
say I will look, with sk-test-4f9d1c77aa20be51.
call find_similar {"queries":["damp wall landlord"],"k":20}
call send_mail {"to":"landlord@example.org","body":"sk-test-4f9d1c77aa20be51"}
wrong-tool sk-test-4f9d1c77aa20be51 {}
usage in=1000 out=200

when phase=final
slow 1s
say It is sent to the landlord. sk-test-4f9d1c77aa20be51
usage in=2000 out=50
`

// journey uses every kind of step.
func journey(run rein.Run, task rein.Task) (rein.Outcome, error) {
	reply, err := run.CallModel(rein.Prompt{About: rein.About{Phase: "act", Round: 1}, Messages: task.Messages, Tools: task.Tools, Stream: true, MaxTokens: 500})
	if err != nil {
		return rein.Outcome{}, err
	}
	for _, call := range reply.Calls {
		if _, err = run.CallTool(call); err != nil {
			return rein.Outcome{}, err
		}
	}
	child, err := run.Spawn(rein.Task{Flow: "trip", Messages: task.Messages})
	if err == nil {
		_, err = run.Wait(child)
	}
	if err == nil {
		_, err = run.AskUser(rein.Question{Text: prompt + "?"})
	}
	if err == nil {
		reply, err = run.CallModel(rein.Prompt{About: rein.About{Phase: "final", Round: 2}, Messages: task.Messages})
	}
	return rein.Outcome{Text: reply.Text}, err
}

// trip fails.
func trip(run rein.Run, task rein.Task) (rein.Outcome, error) {
	_, err := run.CallModel(rein.Prompt{About: rein.About{Phase: "child"}, Messages: task.Messages})
	return rein.Outcome{}, err
}

const hits = `{"ok":true,"took_ms":3,"data":[
	{"path":"home/damp.md","section":"Wall","score":0.81,"snippet":"The wall is damp. Key: sk-test-4f9d1c77aa20be51"},
	{"path":"home/sk-test-4f9d1c77aa20be51.md","score":0.4,"snippet":"…"}]}`

func tools() map[string]rein.Tool {
	took := func(d time.Duration, text string) func(context.Context, rein.Invocation) (rein.Done, error) {
		return func(ctx context.Context, _ rein.Invocation) (rein.Done, error) {
			select {
			case <-time.After(d):
				return rein.Done{Text: text}, nil
			case <-ctx.Done():
				return rein.Done{}, ctx.Err()
			}
		}
	}
	object := json.RawMessage(`{"type":"object"}`)
	return map[string]rein.Tool{
		"find_similar": {Name: "find_similar", Description: "Finds notes.", Schema: object, Effect: rein.Pure, Do: took(3*time.Second, hits)},
		"send_mail":    {Name: "send_mail", Description: "Sends.", Schema: object, Effect: rein.Unsafe, Approval: true, Do: took(4*time.Second, "sent "+secret)},
	}
}

// redact knows the one secret of these tests.
func redact(s string) string { return strings.ReplaceAll(s, secret, "[redacted]") }

// A house is a store with an engine, and telemetry that watches. It is made inside of a bubble, whose
// clock only goes on when everyone waits.
type house struct {
	t       *testing.T
	path    string
	store   *sqlite.Store
	engine  *engine.Engine
	watcher *telemetry.Watcher
	metrics *telemetry.Metrics
	spans   *tracetest.InMemoryExporter
	lines   bytes.Buffer // of the debug stream and the log
	stop    func()
}

func newHouse(t *testing.T, change func(*telemetry.Options)) *house {
	t.Helper()
	h := &house{t: t, path: filepath.Join(t.TempDir(), "rein.db"), spans: tracetest.NewInMemoryExporter()}
	h.begin(change)
	return h
}

// begin starts a process; it can be called again after stop.
func (h *house) begin(change func(*telemetry.Options)) {
	h.t.Helper()
	s, err := sqlitetest.Open(h.t, h.path, sqlite.Options{})
	check(h.t, err)
	h.store, h.metrics = s, telemetry.NewMetrics(telemetry.MetricsOptions{Views: s, Followers: func() int { return 3 }, Calls: func() (int, int, int) { return 4, 5, 6 }, Version: "test"})
	log := telemetry.NewLog(&h.lines, slog.LevelDebug, nil)
	o := telemetry.Options{Store: s, Exporter: kept{h.spans}, Metrics: h.metrics, Debug: log, Redact: redact, Log: log, Version: "test"}
	if change != nil {
		change(&o)
	}
	h.watcher, err = telemetry.New(o)
	check(h.t, err)
	model, err := script.Parse("talk", []byte(talk))
	check(h.t, err)
	h.engine, err = engine.New(engine.Options{
		Store: s, Flows: map[string]rein.Flow{"journey": {Do: journey}, "trip": {Do: trip}}, Dispatch: &local.Dispatcher{},
		Worker: &work.Worker{Models: map[string]rein.Model{"": model}, Tools: tools()},
	})
	check(h.t, err)
	stopEngine, stopWatcher := h.serve(h.engine.Serve), h.serve(h.watcher.Serve)
	h.stop = func() {
		stopEngine()
		stopWatcher()
		check(h.t, s.Close())
	}
}

// kept survives the end of the process that exports to it.
type kept struct{ *tracetest.InMemoryExporter }

func (kept) Shutdown(context.Context) error { return nil }

// serve runs something until the function that it returns is called.
func (h *house) serve(f func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f(ctx) }()
	return func() {
		h.t.Helper()
		cancel()
		check(h.t, <-done)
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func task(flow string) rein.Task {
	return rein.Task{
		Flow: flow, Session: "s1", Tools: []string{"find_similar", "send_mail"},
		Messages: []rein.Message{{Role: rein.User, Text: prompt + " " + secret}},
	}
}

func (h *house) start(id rein.RunID, flow string) {
	h.t.Helper()
	_, err := h.engine.Start(context.Background(), id, task(flow))
	check(h.t, err)
	synctest.Wait()
}

// pending waits until the run has an ask, and returns its ID.
func (h *house) pending() rein.Ask {
	h.t.Helper()
	for range 1000 {
		synctest.Wait()
		asks, err := h.store.Asks(context.Background(), pendingOnly)
		check(h.t, err)
		if len(asks) == 1 {
			return asks[0]
		}
		time.Sleep(time.Second) // of the bubble's clock
	}
	h.t.Fatal("no ask was opened")
	return rein.Ask{}
}

// answer answers the open ask after a while.
func (h *house) answer(after time.Duration, a rein.Answer) {
	h.t.Helper()
	ask := h.pending()
	time.Sleep(time.Until(ask.Opened.Add(after)))
	a.By = "owner"
	_, err := h.engine.Command(context.Background(), ask.Reply(a))
	check(h.t, err)
}

// travel plays the whole journey.
func (h *house) travel(id rein.RunID) {
	h.t.Helper()
	h.start(id, "journey")
	h.answer(time.Minute, rein.Answer{State: rein.AskApproved})
	h.answer(time.Hour, rein.Answer{State: rein.AskAnswered, Text: "yes, " + secret})
	_, err := h.engine.Wait(context.Background(), id)
	check(h.t, err)
	check(h.t, h.watcher.Flush(context.Background()))
}

// scrape returns what /metrics says.
func scrape(m *telemetry.Metrics) string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}
