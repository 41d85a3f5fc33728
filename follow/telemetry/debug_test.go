package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/follow/telemetry"
	"rein/store"
)

// logs is a store that holds what a test writes.
type logs struct {
	store.Reader
	tell   *func([]store.Mark)
	events map[rein.RunID][]rein.Event
}

func (s logs) Watch(f func([]store.Mark)) (stop func()) {
	*s.tell = f
	return func() {}
}

func (s logs) write(run rein.RunID, kind rein.Kind, step rein.StepKey, data any) {
	raw, _ := json.Marshal(data)
	at := time.UnixMilli(1_700_000_000_000).Add(time.Duration(len(s.events[run])) * time.Second)
	ev := rein.Event{Run: run, Seq: int64(len(s.events[run]) + 1), At: at, Kind: kind, Step: step, Data: raw}
	s.events[run] = append(s.events[run], ev)
	(*s.tell)([]store.Mark{{Run: run, Seq: ev.Seq, Kind: kind, Step: step}})
}

func (s logs) Events(_ context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error] {
	return func(yield func(rein.Event, error) bool) {
		for _, ev := range s.events[run] {
			if ev.Seq > after && !yield(ev, nil) {
				return
			}
		}
	}
}

// stream returns the debug lines with these messages, without time and level.
func stream(t *testing.T, out string, messages ...string) string {
	t.Helper()
	var list []string
	for line := range strings.Lines(out) {
		var m map[string]any
		check(t, json.Unmarshal([]byte(line), &m))
		for _, want := range messages {
			if m["msg"] == want {
				delete(m, "time")
				delete(m, "level")
				data, err := json.Marshal(m)
				check(t, err)
				list = append(list, string(data))
			}
		}
	}
	return strings.Join(list, "\n")
}

// The debug stream tells calls with their durations, the characters that came of them and K, the
// back-offs, and what was retrieved, as the redactor leaves it.
//
// Covers: HUM-80 HUM-81 HUM-82
func TestDebugStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		h.travel("r1")
		h.stop()
		out := h.lines.String()
		calls := stream(t, out, "tool call", "retrieved")
		want := strings.Join([]string{
			fmt.Sprintf(`{"attempts":1,"chars":%d,"duration_ms":3000,"k":20,"msg":"tool call","outcome":"ok","retrieved":2,"run":"r1","step":"2","tool":"find_similar"}`, len([]rune(hits))),
			`{"msg":"retrieved","path":"home/damp.md","run":"r1","score":0.81,"section":"Wall","snippet":"The wall is damp. Key: [redacted]","step":"2","tool":"find_similar"}`,
			`{"msg":"retrieved","path":"home/[redacted].md","run":"r1","score":0.4,"section":"","snippet":"…","step":"2","tool":"find_similar"}`,
			fmt.Sprintf(`{"attempts":1,"chars":%d,"duration_ms":4000,"msg":"tool call","outcome":"ok","run":"r1","step":"3","tool":"send_mail"}`, len("sent "+secret)),
		}, "\n")
		if !strings.HasPrefix(calls, want+"\n") {
			t.Errorf("calls are told as\n%s\nwant\n%s", calls, want)
		}
		backOff := stream(t, out, "back-off")
		for _, part := range []string{`"code":"overloaded"`, `"run":"r1"`, `"step":"1"`, `"try":1`, `"wait_ms":5`, `"why":"retry"`} {
			if !strings.Contains(backOff, part) {
				t.Errorf("back-off is told as %s, without %s", backOff, part)
			}
		}
		if models := stream(t, out, "model call"); !strings.Contains(models, `"duration_ms":2000,"input_tokens":1000`) {
			t.Errorf("model calls are told as\n%s", models)
		}
	})
}

// The stream is off unless a logger is given whose level lets it through, and holds no key that a
// call, a result, a person or a provider's error had.
//
// Covers: HUM-83
func TestDebugStreamIsOffAndHoldsNoKeys(t *testing.T) {
	for name, c := range map[string]struct {
		level slog.Level
		lines bool
	}{"asked for": {slog.LevelDebug, true}, "by default": {slog.LevelInfo, false}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				h := newHouse(t, func(o *telemetry.Options) {
					o.Log, o.Debug = nil, telemetry.NewLog(&out, c.level, nil)
				})
				h.travel("r1")
				h.stop()
				if got := strings.Contains(out.String(), "tool call"); got != c.lines {
					t.Errorf("tool calls are told: %v, want %v", got, c.lines)
				}
				for _, word := range []string{secret, "Write to my", "landlord@"} {
					if strings.Contains(out.String(), word) {
						t.Errorf("%q is in the stream", word)
					}
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, func(o *telemetry.Options) { o.Debug = nil })
		h.travel("r1")
		h.stop()
		if h.lines.Len() > 0 {
			t.Errorf("without a debug logger there is %s", &h.lines)
		}
	})
}

// Of a long list of hits some are told and the number of all; a snippet is redacted before it is cut.
func TestDebugStreamIsBounded(t *testing.T) {
	var tell func([]store.Mark)
	var out bytes.Buffer
	s := logs{tell: &tell, events: map[rein.RunID][]rein.Event{}}
	w, err := telemetry.New(telemetry.Options{Store: s, Debug: telemetry.NewLog(&out, slog.LevelDebug, nil), Redact: redact})
	check(t, err)
	var found []map[string]any
	for range telemetry.MaxItems + 5 {
		found = append(found, map[string]any{"path": "a.md", "snippet": strings.Repeat("x", 190) + secret})
	}
	data, err := json.Marshal(found)
	check(t, err)
	s.write("r1", rein.StepDone, "1", rein.StepEnd{Sig: "tool act find_similar 00", Result: &rein.ToolResult{Status: rein.ToolOK, Data: data}})
	check(t, w.Flush(t.Context()))
	if n := strings.Count(out.String(), `"msg":"retrieved"`); n != telemetry.MaxItems {
		t.Errorf("%d hits are told, want %d", n, telemetry.MaxItems)
	}
	if !strings.Contains(out.String(), `"retrieved":55`) || strings.Contains(out.String(), "sk-test") {
		t.Errorf("the stream is %.600s", &out)
	}
}

// Of a note the characters are those of its text, not of the JSON around it.
//
// Covers: HUM-80
func TestDebugStreamCountsCharacters(t *testing.T) {
	for text, want := range map[string]int{
		"plain ü": 7, `{"ok":true,"text":"four","meta":{"path":"a.md"}}`: 4, `{"ok":false}`: 12, "": 0,
	} {
		var tell func([]store.Mark)
		var out bytes.Buffer
		s := logs{tell: &tell, events: map[rein.RunID][]rein.Event{}}
		w, err := telemetry.New(telemetry.Options{Store: s, Debug: telemetry.NewLog(&out, slog.LevelDebug, nil), Redact: redact})
		check(t, err)
		s.write("r1", rein.StepDone, "1", rein.StepEnd{Sig: "tool act read_note 00", Result: &rein.ToolResult{Status: rein.ToolOK, Text: text}})
		check(t, w.Flush(t.Context()))
		if part := fmt.Sprintf(`"chars":%d`, want); !strings.Contains(out.String(), part) {
			t.Errorf("%s: no %s in %s", text, part, &out)
		}
	}
}

// Whatever a log holds, telemetry goes on.
func TestStrangeLogs(t *testing.T) {
	var tell func([]store.Mark)
	s := logs{tell: &tell, events: map[rein.RunID][]rein.Event{}}
	sent := &counter{}
	w, err := telemetry.New(telemetry.Options{
		Store: s, Exporter: sent, Metrics: telemetry.NewMetrics(telemetry.MetricsOptions{}), Content: true,
		Debug: slog.New(slog.DiscardHandler), Redact: redact,
	})
	check(t, err)
	kinds := []rein.Kind{
		rein.StepDone, rein.StepStarted, rein.StepAttempt, rein.StepWaiting, rein.StepIntent, rein.StepChecked, rein.AskOpened, rein.SubStarted, rein.SubDone,
		rein.RunParked, rein.RunBlocked, rein.RunResumed, "command.answer", "command.expire", "command.modify", "command.child", "step.new", "run.new", rein.RunStarted, rein.RunFailed,
	}
	for i, data := range []any{nil, "text", 7, []int{1}, map[string]any{"sig": 7}, map[string]any{"sig": "model"}, map[string]any{"sig": "tool", "result": map[string]any{}}, map[string]any{"ask": "x", "message": nil}} {
		run := rein.RunID(fmt.Sprintf("r%d", i))
		for j, kind := range kinds {
			for _, key := range []rein.StepKey{"", ".", "1", "1.ask", "x", rein.StepKey(fmt.Sprint(j, "."))} {
				s.write(run, kind, key, data)
			}
		}
	}
	check(t, w.Flush(t.Context()))
	if sent.spans == 0 {
		t.Error("nothing was told")
	}
}
