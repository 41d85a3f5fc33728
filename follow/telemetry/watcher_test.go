package telemetry_test

import (
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"rein"
	"rein/follow/telemetry"
	"rein/store"
)

var pendingOnly = store.AskFilter{Pending: true}

// tree writes spans as a tree, the earliest first, each with how long it took, what is told of it and
// its moments. Times are whole seconds: a back-off has up to half of one by chance.
func tree(spans tracetest.SpanStubs) string {
	slices.SortStableFunc(spans, func(a, b tracetest.SpanStub) int {
		if c := a.StartTime.Compare(b.StartTime); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	var out strings.Builder
	var show func(parent, indent string)
	show = func(parent, indent string) {
		for _, s := range spans {
			if s.Parent.SpanID().String() != parent {
				continue
			}
			fmt.Fprintf(&out, "%s%s %s %s %s\n", indent, s.Name, s.SpanKind, seconds(s.EndTime.Sub(s.StartTime)), s.Status.Description)
			for _, a := range s.Attributes {
				fmt.Fprintf(&out, "%s  - %s=%s\n", indent, a.Key, a.Value.String())
			}
			for _, e := range s.Events {
				fmt.Fprintf(&out, "%s  * %s after %s", indent, e.Name, seconds(e.Time.Sub(s.StartTime)))
				for _, a := range e.Attributes {
					if a.Key == "rein.wait.ms" {
						a.Value = attribute.StringValue(seconds(time.Duration(a.Value.AsInt64()) * time.Millisecond))
					}
					fmt.Fprintf(&out, " %s=%s", a.Key, a.Value.String())
				}
				out.WriteString("\n")
			}
			show(s.SpanContext.SpanID().String(), indent+"    ")
		}
	}
	show("0000000000000000", "")
	return out.String()
}

func seconds(d time.Duration) string { return d.Truncate(time.Second).String() }

var update = flag.Bool("update", false, "write what happens into the files")

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		check(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	check(t, err)
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s: this happened (go test -update writes it down):\n%s", file, diff)
	}
}

func TestSpansOfARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		h.travel("r1")
		h.stop()
		spans := h.spans.GetSpans()
		for _, s := range spans {
			if s.SpanContext.TraceID() != telemetry.TraceID("r1") {
				t.Errorf("%s is of trace %s", s.Name, s.SpanContext.TraceID())
			}
		}
		golden(t, "journey.txt", tree(spans))
	})
}

// everything is all that telemetry tells, as text: spans, metrics, the debug stream.
func (h *house) everything() string {
	return tree(h.spans.GetSpans()) + scrape(h.metrics) + h.lines.String()
}

// Neither a prompt nor a secret is told, wherever it was said: in messages, arguments, results,
// answers, failures, and as the name of a tool.
func TestNothingSaidIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		h.travel("r1")
		h.stop()
		told := h.everything()
		for _, word := range []string{secret, "landlord@", "Write to my", "It is sent", "yes, ", "I will look", "queries"} {
			if i := strings.Index(told, word); i >= 0 {
				t.Errorf("%q is told: …%s", word, told[max(i-200, 0):i+len(word)])
			}
		}
	})
}

// Attack: 65
func TestContentIsRedacted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, func(o *telemetry.Options) { o.Content = true })
		h.travel("r1")
		h.stop()
		told := h.everything()
		if strings.Contains(told, secret) {
			t.Error("a secret is told")
		}
		for _, want := range []string{
			`gen_ai.input.messages=[{"role":"user","text":"Write to my landlord about the damp wall [redacted]"}]`,
			`gen_ai.tool.call.arguments={"body":"[redacted]","to":"landlord@example.org"}`,
			"gen_ai.tool.call.result=sent [redacted]",
			"gen_ai.output.messages=It is sent to the landlord. [redacted]",
			"rein.ask.answer=yes, [redacted]",
			"rein.error.message=[redacted] is not a key",
		} {
			if !strings.Contains(told, want) {
				t.Errorf("no %s in:\n%s", want, told)
			}
		}
	})
}

func TestContentNeedsARedactor(t *testing.T) {
	for name, o := range map[string]telemetry.Options{
		"content": {Content: true}, "debug": {Debug: slog.New(slog.DiscardHandler)},
	} {
		o.Store = silent{}
		if _, err := telemetry.New(o); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%s without a redactor: %v", name, err)
		}
	}
}

// A process that is replaced in the middle of a run leaves no gap and tells nothing twice.
func TestRestartTellsEachSpanOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		h.start("r1", "journey")
		h.pending()
		h.stop()
		if n := len(h.spans.GetSpans()); n != 2 {
			t.Errorf("before the restart %d spans were told, want those of a model call and a tool call", n)
		}
		h.begin(nil)
		h.answer(time.Minute, rein.Answer{State: rein.AskApproved})
		h.pending()
		h.stop()
		h.begin(nil)
		h.answer(time.Hour, rein.Answer{State: rein.AskAnswered, Text: "yes"})
		_, err := h.engine.Wait(t.Context(), "r1")
		check(t, err)
		h.stop()
		whole, err := os.ReadFile("testdata/journey.txt")
		check(t, err)
		if diff := cmp.Diff(unparked(string(whole)), unparked(tree(h.spans.GetSpans()))); diff != "" {
			t.Errorf("not as without a restart:\n%s", diff)
		}
	})
}

// unparked leaves out when the run was parked, which a restart changes.
func unparked(tree string) string {
	var out strings.Builder
	for line := range strings.Lines(tree) {
		if !strings.Contains(line, "* rein.run.parked") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// What is forgotten for lack of room, or was never heard of, is read from the log again.
func TestRunsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		h.start("r1", "journey")
		h.pending()
		check(t, h.watcher.Flush(t.Context()))
		if n := h.watcher.Known(); n != 1 {
			t.Errorf("%d runs are kept in mind, want 1", n)
		}
		h.watcher.ForgetAll()
		h.answer(time.Minute, rein.Answer{State: rein.AskApproved})
		h.pending()
		check(t, h.watcher.Flush(t.Context()))
		h.watcher.ForgetAll()
		h.answer(time.Hour, rein.Answer{State: rein.AskAnswered, Text: "yes"})
		_, err := h.engine.Wait(t.Context(), "r1")
		check(t, err)
		h.stop()
		golden(t, "journey.txt", tree(h.spans.GetSpans()))
		if n := h.watcher.Known(); n != 0 {
			t.Errorf("%d runs are kept in mind after their end", n)
		}
	})
}

// A run that is stopped ends its asks and leaves nothing open.
func TestSpansOfAStoppedRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		h.start("r1", "journey")
		h.pending()
		_, err := h.engine.Command(t.Context(), rein.Command{Kind: rein.CommandStop, Run: "r1", By: "owner", Text: secret})
		check(t, err)
		_, err = h.engine.Wait(t.Context(), "r1")
		check(t, err)
		h.stop()
		golden(t, "stopped.txt", tree(h.spans.GetSpans()))
	})
}
