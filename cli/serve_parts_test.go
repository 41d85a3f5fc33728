package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein"

	"rein/api"
	"rein/follow/notify"
)

// A webhook is told that something waits, signed with what its receiver knows.
func TestServeWebhook(t *testing.T) {
	t.Parallel()
	const secret = "0123456789abcdef0123456789abcdef"
	type delivery struct {
		header http.Header
		body   []byte
	}
	came := make(chan delivery, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		came <- delivery{r.Header, body}
	}))
	defer receiver.Close()
	h := newHome(t, "[webhooks.phone]\nurl = \""+receiver.URL+"\"\nsecret_env = \"HOOK_SECRET\"\nevents = [\"ask.opened\"]\nprivate = true\n")
	h.refuses(exitUsage, "webhooks.phone: $HOOK_SECRET: the variable is not set", "serve", "--listen", "127.0.0.1:0")
	h.env = append(h.env, "HOOK_SECRET="+secret)
	s := h.serve().withToken()
	run := s.start("Ask.")
	select {
	case d := <-came:
		if err := notify.Verify(secret, d.header.Get(notify.SignatureHeader), d.body, time.Now()); err != nil {
			t.Error(err)
		}
		if d.header.Get(notify.EventHeader) != string(rein.WebhookAskOpened) || !strings.Contains(string(d.body), s.url+"/v1/runs/"+string(run.ID)) {
			t.Errorf("delivered %s: %s", d.header.Get(notify.EventHeader), d.body)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("nothing was delivered")
	}
	s.end(syscall.SIGTERM)
}

// A collector gets the trace of a run, without what was said in it.
//
// Covers: HUM-83
func TestServeTraces(t *testing.T) {
	t.Parallel()
	came := make(chan string, 100)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		came <- string(body)
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	defer collector.Close()
	s := newHome(t, "[telemetry]\notlp = \""+collector.URL+"\"\n").serve().withToken()
	s.finished(s.start("Hi, the word is zanzibar.").ID)
	s.end(syscall.SIGTERM)
	close(came)
	all := ""
	for body := range came {
		all += body
	}
	if !strings.Contains(all, "invoke_agent operate") || strings.Contains(all, "zanzibar") || strings.Contains(all, "Hello.") {
		t.Errorf("the collector got %q", all)
	}
}

// What the settings prepare is found, and can be started, over the API.
//
// Covers: TREE-80
func TestServePresets(t *testing.T) {
	t.Parallel()
	s := newHome(t, "[presets.hello]\nflow = \"operate\"\nabout = \"says hello\"\nprompt = \"Hi.\"\ntools = []\nbudget = {rounds = 3}\n").serve().withToken()
	var list api.Presets
	s.read("/v1/presets", &list)
	if len(list.Presets) != 1 || list.Presets[0].Name != "hello" || list.Presets[0].About != "says hello" {
		t.Errorf("the presets are %+v", list)
	}
	var started api.Started
	s.check(json.Unmarshal([]byte(s.call(http.StatusCreated, "POST", "/v1/runs", map[string]any{"preset": "hello", "task": map[string]any{}})), &started))
	info := s.finished(started.ID)
	if info.Outcome == nil || info.Outcome.Text != "Hello." || started.MayAsk == nil {
		t.Errorf("the run came to %+v", info)
	}
	if got := s.ok("show", string(started.ID)); !strings.Contains(got, "of 3 rounds") {
		t.Errorf("it has another budget:\n%s", got)
	}
	for _, path := range []string{"/v1/flows", "/v1/tools", "/v1/models", "/v1/usage?by=day", "/v1/audit", "/v1/changes", "/openapi.json"} {
		s.call(http.StatusOK, "GET", path, nil)
	}
	if metrics := s.call(http.StatusOK, "GET", "/metrics", nil); !strings.Contains(metrics, "rein_build_info") {
		t.Error(metrics)
	}
}
