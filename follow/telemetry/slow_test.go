package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"rein"
	"rein/follow/telemetry"
	"rein/store"
)

// silent is a store that writes what a test says. Its logs can be read when the test lets it.
type silent struct {
	store.Reader
	tell *func([]store.Mark)
	gate chan struct{} // nil: at once
}

func (s silent) Watch(f func([]store.Mark)) (stop func()) {
	if s.tell != nil {
		*s.tell = f
	}
	return func() {}
}

func (s silent) Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error] {
	return func(yield func(rein.Event, error) bool) {
		select {
		case <-s.gate:
		case <-ctx.Done():
			yield(rein.Event{}, ctx.Err())
			return
		}
		for seq := after + 1; seq <= 2; seq++ {
			kind := rein.RunStarted
			if seq == 2 {
				kind = rein.RunCompleted
			}
			if !yield(rein.Event{Run: run, Seq: seq, Kind: kind}, nil) {
				return
			}
		}
	}
}

// A stuck exporter never comes back before its time is up.
type stuck struct{ calls chan int }

func (s stuck) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	s.calls <- len(spans)
	<-ctx.Done()
	return ctx.Err()
}

func (stuck) Shutdown(context.Context) error { return nil }

// A collector that does not answer costs a run nothing, not even a moment.
func TestStuckExporterHoldsUpNobody(t *testing.T) {
	took := func(change func(*telemetry.Options)) (d time.Duration, h *house) {
		synctest.Test(t, func(t *testing.T) {
			h = newHouse(t, change)
			began := time.Now()
			h.start("r1", "trip")
			_, err := h.engine.Wait(context.Background(), "r1")
			check(t, err)
			d = time.Since(began)
			h.stop()
		})
		return d, h
	}
	free, _ := took(func(o *telemetry.Options) { o.Exporter = nil })
	calls := make(chan int, 100)
	held, h := took(func(o *telemetry.Options) { o.Exporter = stuck{calls} })
	if held != free {
		t.Errorf("the run took %s, and %s without an exporter", held, free)
	}
	if len(calls) == 0 {
		t.Error("nothing was exported")
	}
	// The spans of the run and its model call came as one batch or, if there was time, as two.
	switch got := lines(scrape(h.metrics), "dropped_total{"); got {
	case `rein_telemetry_dropped_total{why="export failed"} 2`:
	case `rein_telemetry_dropped_total{why="export failed"} 1` + "\n" + `rein_telemetry_dropped_total{why="process ended"} 1`:
	default:
		t.Errorf("dropped: %s", got)
	}
}

// Who writes the log is never kept waiting by a reader that hangs, and what is kept is bounded.
func TestStuckReaderHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tell func([]store.Mark)
		gate := make(chan struct{})
		m := telemetry.NewMetrics(telemetry.MetricsOptions{})
		sent := &counter{}
		w, err := telemetry.New(telemetry.Options{Store: silent{tell: &tell, gate: gate}, Metrics: m, Exporter: sent})
		check(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- w.Serve(ctx) }()
		tell([]store.Mark{{Run: "first", Seq: 1}, {Run: "first", Seq: 2}})
		time.Sleep(time.Second)
		synctest.Wait() // the reader hangs in the log of the first run
		for i := range telemetry.MaxNotes + 7 {
			run := rein.RunID(fmt.Sprintf("r%d", i))
			tell([]store.Mark{{Run: run, Seq: 1}})
			tell([]store.Mark{{Run: run, Seq: 2}})
		}
		close(gate)
		time.Sleep(time.Second)
		cancel()
		check(t, <-done)
		if want := telemetry.MaxNotes + 1; sent.spans != want {
			t.Errorf("%d spans, want %d", sent.spans, want)
		}
		if got := lines(scrape(m), "dropped_total{"); got != `rein_telemetry_dropped_total{why="reader behind"} 14` {
			t.Errorf("dropped: %s", got)
		}
	})
}

// A log that cannot be read is counted, and told; the others are read.
func TestLogThatCannotBeRead(t *testing.T) {
	var tell func([]store.Mark)
	m := telemetry.NewMetrics(telemetry.MetricsOptions{})
	w, err := telemetry.New(telemetry.Options{Store: silent{tell: &tell, gate: make(chan struct{})}, Metrics: m})
	check(t, err)
	tell([]store.Mark{{Run: "r1", Seq: 1}, {Run: "r1", Seq: 2}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Flush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("flush: %v", err)
	}
	if got := lines(scrape(m), "dropped_total{"); got != `rein_telemetry_dropped_total{why="log not read"} 2` {
		t.Errorf("dropped: %s", got)
	}
}

// A queue that nobody empties is bounded.
func TestQueueIsBounded(t *testing.T) {
	var tell func([]store.Mark)
	gate := make(chan struct{})
	close(gate)
	m := telemetry.NewMetrics(telemetry.MetricsOptions{})
	calls := make(chan int, 1)
	w, err := telemetry.New(telemetry.Options{Store: silent{tell: &tell, gate: gate}, Metrics: m, Exporter: stuck{calls}})
	check(t, err)
	for round := range 2 {
		for i := range telemetry.MaxNotes {
			tell([]store.Mark{{Run: rein.RunID(fmt.Sprintf("r%d-%d", round, i)), Seq: 2}})
		}
		ctx, cancel := context.WithCancel(t.Context())
		w.ReadOnly(ctx)
		cancel()
	}
	want := fmt.Sprintf(`rein_telemetry_dropped_total{why="queue full"} %d`, 2*telemetry.MaxNotes-telemetry.MaxQueue)
	if got := lines(scrape(m), "dropped_total{"); got != want {
		t.Errorf("dropped: %s, want %s", got, want)
	}
}

// counter counts spans.
type counter struct{ spans int }

func (c *counter) ExportSpans(_ context.Context, spans []sdktrace.ReadOnlySpan) error {
	c.spans += len(spans)
	return nil
}

func (*counter) Shutdown(context.Context) error { return nil }

// lines returns the lines that hold a word.
func lines(text, word string) string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) && !strings.HasPrefix(line, "#") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return strings.Join(out, "\n")
}
