package telemetry_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/follow/telemetry"
	"rein/model/script"
	"rein/store"
	"rein/store/sqlite"
)

// once is one model call.
func once(run rein.Run, task rein.Task) (rein.Outcome, error) {
	reply, err := run.CallModel(rein.Prompt{About: rein.About{Phase: "final"}, Messages: task.Messages})
	return rein.Outcome{Text: reply.Text}, err
}

// BenchmarkRuns is what telemetry costs: 16 at a time start runs of one model call and wait for their
// ends.
func BenchmarkRuns(b *testing.B) {
	for _, watched := range []bool{false, true} {
		b.Run(fmt.Sprintf("watched=%v", watched), func(b *testing.B) { benchRuns(b, watched) })
	}
}

func benchRuns(b *testing.B, watched bool) {
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "rein.db"), sqlite.Options{})
	check(b, err)
	model, err := script.Parse("fine", []byte("when\nsay Fine.\n"))
	check(b, err)
	model.Forget = true
	e, err := engine.New(engine.Options{
		Store: s, Flows: map[string]rein.Flow{"once": {Do: once}}, Dispatch: &local.Dispatcher{},
		Worker: &work.Worker{Models: map[string]rein.Model{"": model}},
	})
	check(b, err)
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() { _ = e.Serve(ctx) })
	sent := &counter{}
	if watched {
		w, err := telemetry.New(telemetry.Options{
			Store: s, Exporter: sent, Metrics: telemetry.NewMetrics(telemetry.MetricsOptions{}), Redact: redact,
			Debug: telemetry.NewLog(io.Discard, slog.LevelDebug, nil),
		})
		check(b, err)
		serving.Go(func() { _ = w.Serve(ctx) })
	}
	b.SetParallelism(8)
	var next sync.Mutex
	n := 0
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			next.Lock()
			n++
			id := rein.RunID(fmt.Sprintf("r%d", n))
			next.Unlock()
			if _, err := e.Start(ctx, id, rein.Task{Flow: "once"}); err != nil {
				b.Error(err)
			}
			if _, err := e.Wait(ctx, id); err != nil {
				b.Error(err)
			}
		}
	})
	b.StopTimer()
	cancel()
	serving.Wait()
	check(b, s.Close())
	if watched && sent.spans != 2*b.N {
		b.Errorf("%d spans of %d runs", sent.spans, b.N)
	}
}

// BenchmarkNotes is what a writer of the log spends on telemetry for each event.
func BenchmarkNotes(b *testing.B) {
	var tell func([]store.Mark)
	_, err := telemetry.New(telemetry.Options{Store: silent{tell: &tell}})
	check(b, err)
	marks := make([]store.Mark, 1)
	for i := range b.N {
		marks[0] = store.Mark{Run: rein.RunID([]string{"r1", "r2", "r3"}[i%3]), Seq: int64(i)}
		tell(marks)
	}
}
