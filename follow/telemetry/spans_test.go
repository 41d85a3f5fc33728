package telemetry_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"rein"
	"rein/follow/telemetry"
	"rein/store"
)

// written is a watcher of logs that a test writes.
func written(t *testing.T, o telemetry.Options) (logs, *telemetry.Watcher, *tracetest.InMemoryExporter) {
	t.Helper()
	s, spans := logs{tell: new(func([]store.Mark)), events: map[rein.RunID][]rein.Event{}}, tracetest.NewInMemoryExporter()
	o.Store, o.Exporter = s, spans
	if o.Redact == nil {
		o.Redact = redact
	}
	w, err := telemetry.New(o)
	check(t, err)
	return s, w, spans
}

// What a scripted run rarely shows: a summary and a repair inside of steps, another model that stands
// in, a rate limit, a call that was checked after a crash, asks that expire or are withdrawn, a step
// that the run did not end, and a run that goes on from another.
func TestSpansOfRareSteps(t *testing.T) {
	s, w, spans := written(t, telemetry.Options{Provider: func(string) string { return "acme" }})
	until := time.UnixMilli(1_700_000_000_000).Add(time.Minute)
	s.write("r2", rein.RunStarted, "", rein.RunStart{Task: rein.Task{Flow: "chat", Session: "s", Tools: []string{"send"}}, After: "r1"})
	s.write("r2", rein.StepWaiting, "1", rein.Waiting{Sig: "model act big", Until: until, Why: "the rate limit of " + secret})
	s.write("r2", rein.SubStarted, "1.compact", rein.StepStart{Sig: "model act big", About: rein.About{Phase: "compact"}, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Model: "big"}}})
	s.write("r2", rein.SubDone, "1.compact", rein.StepEnd{Model: "big-1", Message: &rein.Message{Stop: rein.StopLength, Raw: &rein.Raw{API: "openai.chat"}}, Duration: time.Second})
	s.write("r2", rein.StepStarted, "1", rein.StepStart{Sig: "model act big", Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Model: "big"}}})
	s.write("r2", rein.StepWaiting, "1", rein.Waiting{Until: until, Why: secret, Failure: &rein.Failure{Code: rein.CodeProvider, Msg: secret}, Model: "small"})
	s.write("r2", rein.StepAttempt, "1", rein.Attempt{N: 2})
	s.write("r2", rein.StepDone, "1", rein.StepEnd{Model: "small", Message: &rein.Message{Stop: rein.StopRefusal}})
	s.write("r2", rein.StepStarted, "2.1.1", rein.StepStart{Sig: "tool act sent 00", Call: &rein.ToolCall{Name: "sent"}, Mend: rein.Mend{Tool: "send"}})
	s.write("r2", rein.SubStarted, "2.1.1.repair", rein.StepStart{Sig: "tool act sent 00", Prompt: &rein.PromptRecord{}})
	s.write("r2", rein.SubDone, "2.1.1.repair", rein.StepEnd{Failure: &rein.Failure{Code: rein.CodeTimeout, Msg: secret}})
	s.write("r2", rein.StepIntent, "2.1.1.intent", rein.Intent{Effect: rein.Checkable})
	s.write("r2", rein.StepChecked, "2.1.1.check", rein.Checked{State: rein.CheckNot, Error: secret})
	s.write("r2", rein.AskOpened, "2.1.1.ask", rein.Ask{Kind: rein.AskUnknown, Text: secret})
	s.write("r2", rein.CommandExpire.EventKind(), "", rein.Command{Kind: rein.CommandExpire, Ask: "r2:2.1.1.ask"})
	s.write("r2", rein.StepDone, "2.1.1", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolUnknown}})
	s.write("r2", rein.StepDone, "3", rein.StepEnd{Sig: "inbox", Items: []rein.Item{{Text: secret}}})
	s.write("r2", rein.RunBlocked, "", rein.Blocked{Reason: secret})
	s.write("r2", rein.RunResumed, "", nil)
	s.write("r2", rein.StepStarted, "4", rein.StepStart{Sig: "ask act question"})
	s.write("r2", rein.AskOpened, "4.ask", rein.Ask{Kind: rein.AskQuestion, Text: secret})
	s.write("r2", rein.CommandModify.EventKind(), "", rein.Command{Kind: rein.CommandModify, Text: secret})
	s.write("r2", rein.StepStarted, "5", rein.StepStart{Sig: "tool act send 00", Call: &rein.ToolCall{Name: "send"}})
	s.write("r2", rein.RunFailed, "", rein.RunEnd{Outcome: rein.Outcome{End: rein.EndFailed, Text: secret}, Failure: &rein.Failure{Code: rein.CodeInternal, Msg: secret}})
	check(t, w.Flush(t.Context()))
	told := tree(spans.GetSpans())
	golden(t, "rare.txt", told)
	if strings.Contains(told, secret) {
		t.Error("a secret is told")
	}
	for _, s := range spans.GetSpans() {
		if s.Name != "invoke_agent chat" {
			continue
		}
		if len(s.Links) != 1 || s.Links[0].SpanContext.TraceID() != telemetry.TraceID("r1") || s.Links[0].SpanContext.SpanID() != telemetry.SpanID("r1") {
			t.Errorf("the run is not linked to the one that it goes on from: %v", s.Links)
		}
	}
}

// A log may be ahead of the marks that were read; what they tell later is not told again, even if the
// run has ended by then.
func TestLogAheadOfItsMarks(t *testing.T) {
	s, w, spans := written(t, telemetry.Options{})
	tell := *s.tell
	*s.tell = func([]store.Mark) {}
	s.write("r1", rein.RunStarted, "", rein.RunStart{Task: rein.Task{Flow: "chat"}})
	s.write("r1", rein.StepDone, "1", rein.StepEnd{Sig: "model act big"})
	s.write("r1", rein.RunCompleted, "", rein.RunEnd{})
	for seq := range int64(3) {
		tell([]store.Mark{{Run: "r1", Seq: seq + 1}})
		check(t, w.Flush(t.Context()))
	}
	if n := len(spans.GetSpans()); n != 2 {
		t.Errorf("%d spans, want 2:\n%s", n, tree(spans.GetSpans()))
	}
}

// What is too large to be kept until it is told is left out, not cut in the middle of a secret.
func TestLargeContentIsLeftOut(t *testing.T) {
	s, w, spans := written(t, telemetry.Options{Content: true})
	large := strings.Repeat("x", 300<<10)
	args, err := json.Marshal(map[string]string{"text": large})
	check(t, err)
	s.write("r1", rein.RunStarted, "", rein.RunStart{Task: rein.Task{Messages: []rein.Message{{Text: large}}, Tools: []string{"t"}}})
	s.write("r1", rein.StepStarted, "1", rein.StepStart{Sig: "tool", Call: &rein.ToolCall{Name: "t", Args: args}})
	s.write("r1", rein.AskOpened, "1.ask", rein.Ask{Text: large})
	s.write("r1", rein.StepDone, "1", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Text: strings.Repeat("x", 16<<10-8) + secret}})
	s.write("r1", rein.RunCompleted, "", rein.RunEnd{})
	check(t, w.Flush(t.Context()))
	told := tree(spans.GetSpans())
	if len(told) > 20<<10 || strings.Contains(told, "sk-") || !strings.Contains(told, "[redacte…") {
		t.Errorf("%d bytes are told, …%s", len(told), told[max(len(told)-300, 0):])
	}
}

// The redactor sees texts as they were said, not as JSON writes them, and the names of fields too.
func TestContentIsRedactedAsItWasSaid(t *testing.T) {
	known := strings.NewReplacer("two\nlines <&>", "[redacted]", secret, "[redacted]")
	s, w, spans := written(t, telemetry.Options{Content: true, Redact: known.Replace})
	s.write("r1", rein.StepStarted, "1", rein.StepStart{Sig: "tool", Call: &rein.ToolCall{
		Name: "t", Args: json.RawMessage(`{"list":[{"text":"It is two\nlines <&>."}],"` + secret + `":1}`),
	}})
	s.write("r1", rein.StepDone, "1", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK}})
	check(t, w.Flush(t.Context()))
	if told, want := tree(orphans(spans)), `gen_ai.tool.call.arguments={"list":[{"text":"It is [redacted]."}],"[redacted]":1}`; !strings.Contains(told, want) {
		t.Errorf("no %s in\n%s", want, told)
	}
}

// orphans returns spans without their parents.
func orphans(spans *tracetest.InMemoryExporter) tracetest.SpanStubs {
	all := spans.GetSpans()
	for i := range all {
		all[i].Parent = trace.SpanContext{}
	}
	return all
}
