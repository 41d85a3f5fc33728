package telemetry_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/follow/telemetry"
	"rein/store"
)

// counts returns the lines of metrics without what depends on the process and without buckets.
func counts(metrics string) string {
	var out strings.Builder
	for line := range strings.Lines(metrics) {
		if (strings.HasPrefix(line, "rein_") || strings.HasPrefix(line, "gen_ai_")) && !strings.Contains(line, "_bucket{") {
			out.WriteString(fraction.ReplaceAllString(line, "$1"))
		}
	}
	return out.String()
}

// fraction is of seconds: a back-off has up to half of one by chance.
var fraction = regexp.MustCompile(`(_sum\S* \d+)\.\d+`)

func TestMetricsOfARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		h.start("r1", "journey")
		h.pending()
		waiting := scrape(h.metrics)
		for _, want := range []string{`rein_runs_unfinished{status="waiting"} 0`, `rein_runs_unfinished{status="running"} 1`, `rein_asks_open{kind="approval"} 1`, "rein_feed_followers 3"} {
			if !strings.Contains(waiting, want+"\n") {
				t.Errorf("no %s in:\n%s", want, counts(waiting))
			}
		}
		h.answer(time.Minute, rein.Answer{State: rein.AskApproved})
		h.answer(time.Hour, rein.Answer{State: rein.AskAnswered, Text: "yes"})
		_, err := h.engine.Wait(t.Context(), "r1")
		check(t, err)
		check(t, h.watcher.Flush(t.Context()))
		after := scrape(h.metrics)
		h.stop()
		golden(t, "metrics.txt", counts(after))
		for _, want := range []string{"go_goroutines ", "process_resident_memory_bytes "} {
			if !strings.Contains(after, "\n"+want) {
				t.Errorf("no %s", want)
			}
		}
	})
}

// However many names are made up, a label takes so many values and no more.
func TestLabelsAreBounded(t *testing.T) {
	var tell func([]store.Mark)
	m := telemetry.NewMetrics(telemetry.MetricsOptions{})
	s := logs{tell: &tell, events: map[rein.RunID][]rein.Event{}}
	w, err := telemetry.New(telemetry.Options{Store: s, Metrics: m})
	check(t, err)
	for i := range 3 * telemetry.MaxNames {
		run := rein.RunID(fmt.Sprintf("r%d", i))
		s.write(run, rein.RunStarted, "", rein.RunStart{Task: rein.Task{Flow: fmt.Sprintf("flow%d", i), Tools: []string{fmt.Sprintf("tool%d", i)}}})
		s.write(run, rein.StepDone, "1", rein.StepEnd{Sig: "model act x", Model: fmt.Sprintf("model%d", i), Message: &rein.Message{Raw: &rein.Raw{API: fmt.Sprintf("api%d", i)}}, Usage: &rein.Usage{Input: 1}, Duration: time.Second})
		s.write(run, rein.StepDone, "2", rein.StepEnd{Sig: fmt.Sprintf("tool act tool%d 00", i), Result: &rein.ToolResult{Status: rein.ToolOK}, Duration: time.Second})
		s.write(run, rein.StepDone, "3", rein.StepEnd{Sig: fmt.Sprintf("tool act madeup%d 00", i), Result: &rein.ToolResult{Status: rein.ToolRefused}})
		s.write(run, rein.RunCompleted, "", rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}})
	}
	check(t, w.Flush(t.Context()))
	metrics := scrape(m)
	for metric, most := range map[string]int{
		"rein_runs_started_total{": telemetry.MaxNames + 1, "rein_runs_ended_total{": telemetry.MaxNames + 1,
		"rein_model_calls_total{": telemetry.MaxNames /* "default" is one of them */, "rein_tool_calls_total{": telemetry.MaxNames + 2,
		"gen_ai_client_operation_duration_seconds_count{": telemetry.MaxNames + 1,
	} {
		if n := strings.Count(metrics, "\n"+metric); n != most {
			t.Errorf("%s has %d series, want %d", metric, n, most)
		}
	}
	if strings.Contains(metrics, "madeup") {
		t.Error("a name that a model made up is a label")
	}
	for _, want := range []string{
		fmt.Sprintf(`rein_runs_started_total{flow="other"} %d`, 2*telemetry.MaxNames),
		fmt.Sprintf(`rein_tool_calls_total{outcome="refused",tool="other"} %d`, 3*telemetry.MaxNames),
	} {
		if !strings.Contains(metrics, want+"\n") {
			t.Errorf("no %s", want)
		}
	}
}
