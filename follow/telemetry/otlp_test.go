package telemetry_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/follow/telemetry"
	"rein/store"
)

// A collector gets the spans by OTLP over HTTP, whether it is named by the option or by the standard
// variables.
func TestExporterSendsToACollector(t *testing.T) {
	for name, c := range map[string]struct{ option, variable, path string }{
		"option":         {option: "{}", path: "/v1/traces"},
		"option, path":   {option: "{}/here", path: "/here"},
		"variable":       {variable: "{}", path: "/v1/traces"},
		"option is used": {option: "{}", variable: "http://127.0.0.1:1", path: "/v1/traces"},
	} {
		t.Run(name, func(t *testing.T) {
			got := make(chan string, 1)
			collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got <- r.URL.Path + " " + r.Header.Get("Content-Type") + " " + r.Header.Get("X-Tenant") + " " + string(body)
				w.Header().Set("Content-Type", "application/x-protobuf")
			}))
			defer collector.Close()
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", strings.ReplaceAll(c.variable, "{}", collector.URL))
			t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=home")
			exporter, err := telemetry.Exporter(t.Context(), strings.ReplaceAll(c.option, "{}", collector.URL))
			check(t, err)
			var tell func([]store.Mark)
			s := logs{tell: &tell, events: map[rein.RunID][]rein.Event{}}
			w, err := telemetry.New(telemetry.Options{Store: s, Exporter: exporter, Version: "1.2"})
			check(t, err)
			s.write("r1", rein.RunStarted, "", rein.RunStart{Task: rein.Task{Flow: "chat"}})
			s.write("r1", rein.RunCompleted, "", rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}})
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			check(t, w.Flush(ctx))
			check(t, exporter.Shutdown(ctx))
			body := <-got
			if want := c.path + " application/x-protobuf home "; !strings.HasPrefix(body, want) {
				t.Errorf("the collector got %.80q, want %q", body, want)
			}
			trace := telemetry.TraceID("r1")
			for _, want := range []string{"invoke_agent chat", "service.name", "rein", string(trace[:])} {
				if !strings.Contains(body, want) {
					t.Errorf("the collector got no %q", want)
				}
			}
		})
	}
}

func TestExporterNeedsAnEndpoint(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")
	if e, err := telemetry.Exporter(t.Context(), ""); e != nil || err != nil {
		t.Errorf("without an endpoint: %v, %v", e, err)
	}
	for _, bad := range []string{"127.0.0.1:4318", "ftp://host", "http://", "http://a b", ":"} {
		if e, err := telemetry.Exporter(t.Context(), bad); e != nil || rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("endpoint %q: %v, %v", bad, e, err)
		}
	}
}

// The trace of a run follows from the ID of its root, and the share that is sent from the trace.
func TestTracesAreWholeWhenSampled(t *testing.T) {
	if telemetry.TraceID("r1.2.3") != telemetry.TraceID("r1") || telemetry.TraceID("r1") == telemetry.TraceID("r2") {
		t.Error("a trace must be of one tree")
	}
	var tell func([]store.Mark)
	s := logs{tell: &tell, events: map[rein.RunID][]rein.Event{}}
	sent := &counter{}
	w, err := telemetry.New(telemetry.Options{Store: s, Exporter: sent, Ratio: 0.5})
	check(t, err)
	const trees, spans = 200, 3
	for i := range trees {
		run := rein.RunID("r" + strings.Repeat("x", i%60) + string(rune('a'+i/60)))
		for _, id := range []rein.RunID{run, run + ".1"} {
			s.write(id, rein.RunStarted, "", rein.RunStart{Task: rein.Task{Flow: "chat"}})
			if id == run {
				s.write(id, rein.StepDone, "1", rein.StepEnd{Sig: "model a b"})
			}
			s.write(id, rein.RunCompleted, "", rein.RunEnd{})
		}
	}
	check(t, w.Flush(t.Context()))
	if sent.spans%spans != 0 || sent.spans < trees*spans/4 || sent.spans > trees*spans*3/4 {
		t.Errorf("%d of %d spans were sent", sent.spans, trees*spans)
	}
	for _, bad := range []float64{-0.1, 1.1} {
		if _, err := telemetry.New(telemetry.Options{Store: s, Ratio: bad}); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("a share of %v: %v", bad, err)
		}
	}
}
