package telemetry_test

import (
	"context"
	"io"
	"iter"
	"log/slog"
	"strings"
	"testing"

	"rein"
	"rein/follow/telemetry"
	"rein/store"
)

// FuzzEvents folds a log whose kinds, steps and payloads are anything: nothing panics.
func FuzzEvents(f *testing.F) {
	f.Add("step.started 1\nstep.done 1", `{"sig":"tool","call":{"name":"`+secret+`"},"result":{"status":"refused","text":"`+secret+`"}}`)
	f.Add("run.started\nask.opened 1.ask\ncommand.stop\nrun.stopped", `{"task":{"messages":[{"text":"`+secret+`"}]},"text":"`+secret+`"}`)
	f.Add("step.waiting 1\nstep.attempt 1\nstep.done 1", `{"why":"`+secret+`","until":"2026-01-02T03:04:05Z","failure":{"code":"provider","msg":"`+secret+`"}}`)
	f.Add("step.intent 1.intent\nstep.checked .\nsub.done ..", `{"duration":-9223372036854775808,"usage":{"input":-1,"micros":-5}}`)
	metrics := telemetry.NewMetrics(telemetry.MetricsOptions{})
	f.Fuzz(func(t *testing.T, lines, data string) {
		var marks func([]store.Mark)
		s := anything{tell: &marks}
		for line := range strings.SplitSeq(lines, "\n") {
			kind, step, _ := strings.Cut(line, " ")
			s.events = append(s.events, rein.Event{Run: "r1", Seq: int64(len(s.events) + 1), Kind: rein.Kind(kind), Step: rein.StepKey(step), Data: []byte(data)})
		}
		w, err := telemetry.New(telemetry.Options{
			Store: &s, Exporter: &counter{}, Metrics: metrics, Content: true,
			Debug: telemetry.NewLog(io.Discard, slog.LevelDebug, nil), Redact: redact,
		})
		check(t, err)
		marks([]store.Mark{{Run: "r1", Seq: 1}, {Run: "r1", Seq: int64(len(s.events))}})
		check(t, w.Flush(t.Context()))
	})
}

// anything is a store of one log.
type anything struct {
	store.Reader
	tell   *func([]store.Mark)
	events []rein.Event
}

func (s *anything) Watch(f func([]store.Mark)) (stop func()) {
	*s.tell = f
	return func() {}
}

func (s *anything) Events(_ context.Context, _ rein.RunID, after int64) iter.Seq2[rein.Event, error] {
	return func(yield func(rein.Event, error) bool) {
		for _, ev := range s.events[min(after, int64(len(s.events))):] {
			if !yield(ev, nil) {
				return
			}
		}
	}
}
