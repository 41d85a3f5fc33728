package telemetry

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"rein"
)

var _ listener = (*tracer)(nil)

// Names of rein's own attributes; the others are those of the conventions.
const (
	runKey      = attribute.Key("rein.run.id")
	endKey      = attribute.Key("rein.run.end")
	stepKey     = attribute.Key("rein.step")
	phaseKey    = attribute.Key("rein.step.phase")
	roundKey    = attribute.Key("rein.step.round")
	triesKey    = attribute.Key("rein.step.attempts")
	tookKey     = attribute.Key("rein.step.call_ms") // of the call itself, without what it waited for
	statusKey   = attribute.Key("rein.tool.status")
	costKey     = attribute.Key("rein.usage.cost_micros")
	askKey      = attribute.Key("rein.ask.id")
	askKindKey  = attribute.Key("rein.ask.kind")
	askStateKey = attribute.Key("rein.ask.state")
	childKey    = attribute.Key("rein.child")
)

func (t *tracer) runStarted(*history) {}

func (t *tracer) askOpened(*history, rein.Ask) {}

func (t *tracer) waited(*history, *step, rein.Waiting, time.Time) {}

func (t *tracer) runEnded(h *history, end rein.RunEnd, at time.Time) {
	for _, key := range slices.SortedFunc(maps.Keys(h.steps), func(a, b rein.StepKey) int { return strings.Compare(string(a), string(b)) }) {
		t.tellStep(h, h.steps[key], at)
	}
	s := span{
		run: h.id, id: SpanID(h.id), name: "invoke_agent " + h.flow, kind: trace.SpanKindInternal, from: h.began, to: at, moments: h.moments,
		about: []attribute.KeyValue{
			semconv.GenAIOperationNameInvokeAgent, semconv.GenAIAgentName(h.flow), semconv.GenAIConversationID(h.session),
			runKey.String(string(h.id)), endKey.String(string(end.End)),
		},
	}
	if parent := h.id.Parent(); parent != "" {
		s.parent = SpanID(parent)
	}
	if h.after != "" {
		s.links = []trace.Link{{SpanContext: spanContext(h.after, SpanID(h.after))}}
	}
	if end.Failure != nil && end.End == rein.EndFailed {
		s.failure = string(end.Failure.Code)
	}
	t.tell(t.say.ofRun(s, h, end))
}

func (t *tracer) stepEnded(h *history, s *step) { t.tellStep(h, s, s.Ended) }

func (t *tracer) tellStep(h *history, s *step, at time.Time) {
	told := span{
		run: h.id, id: stepSpanID(h.id, s.Key), parent: SpanID(h.id), kind: trace.SpanKindInternal, from: s.Began, to: at, moments: s.moments,
		about: []attribute.KeyValue{runKey.String(string(h.id)), stepKey.String(string(s.Key)), triesKey.Int(s.tries())},
	}
	if s.Inside != "" {
		told.parent = stepSpanID(h.id, s.Inside)
	}
	if s.Phase != "" {
		told.about = append(told.about, phaseKey.String(s.Phase), roundKey.Int(s.Round))
	}
	if took := s.over().Duration; took > 0 {
		told.about = append(told.about, tookKey.Int64(took.Milliseconds()))
	}
	if s.failed() || s.End == nil {
		told.failure = s.outcome()
	}
	switch s.Verb {
	case rein.VerbModel:
		t.ofModel(&told, s)
	case rein.VerbTool:
		t.ofTool(&told, h, s)
	case rein.VerbWait:
		told.name = "wait"
		told.about = append(told.about, childKey.String(string(s.Child)))
	default: // an ask has a span of its own; the others take no time and are moments of the run
		return
	}
	t.tell(t.say.ofStep(told, s))
}

// ofModel tells what the conventions want to know of a model call.
func (t *tracer) ofModel(told *span, s *step) {
	told.kind = trace.SpanKindClient
	told.name = strings.TrimSpace("chat " + cmp.Or(s.requested(), s.over().Model))
	told.about = append(told.about, semconv.GenAIOperationNameChat, semconv.GenAIProviderNameKey.String(providerOf(s, t.provider)))
	if m := cmp.Or(s.requested(), s.over().Model); m != "" {
		told.about = append(told.about, semconv.GenAIRequestModel(m))
	}
	if s.Start != nil && s.Start.Prompt != nil {
		p := s.Start.Prompt
		told.about = append(told.about, semconv.GenAIRequestStream(p.Stream))
		if p.MaxTokens > 0 {
			told.about = append(told.about, semconv.GenAIRequestMaxTokens(int(p.MaxTokens)))
		}
	}
	if s.over().Model != "" {
		told.about = append(told.about, semconv.GenAIResponseModel(s.over().Model))
	}
	if s.over().Message != nil {
		told.about = append(told.about, semconv.GenAIResponseFinishReasons(finish(s.over())))
	}
	if u := s.over().Usage; u != nil {
		told.about = append(
			told.about, semconv.GenAIUsageInputTokens(int(u.Input)), semconv.GenAIUsageOutputTokens(int(u.Output)),
			semconv.GenAIUsageCacheReadInputTokens(int(u.Cached)), semconv.GenAIUsageCacheCreationInputTokens(int(u.CacheWrite)),
			semconv.GenAIUsageReasoningOutputTokens(int(u.Reasoning)), costKey.Int64(u.Micros),
		)
	}
}

// finish says why a reply ended, in the words of the conventions.
func finish(over rein.StepEnd) string {
	switch {
	case over.Message.Stop == rein.StopLength:
		return "length"
	case over.Message.Stop != "":
		return "content_filter"
	case len(over.Message.Calls) > 0:
		return "tool_call"
	}
	return "stop"
}

// providerOf names who a model is of: as its reply says, or as the program knows.
func providerOf(s *step, known func(string) string) string {
	if m := s.over().Message; m != nil && m.Raw != nil && m.Raw.API != "" {
		name, _, _ := strings.Cut(m.Raw.API, ".")
		return name
	}
	if known != nil {
		if name := known(cmp.Or(s.over().Model, s.Model)); name != "" {
			return name
		}
	}
	return "unknown"
}

func (t *tracer) ofTool(told *span, h *history, s *step) {
	name := h.tool(s)
	told.name = "execute_tool " + name
	told.about = append(told.about, semconv.GenAIOperationNameExecuteTool, semconv.GenAIToolName(name), semconv.GenAIToolType("function"), statusKey.String(s.outcome()))
	if s.over().Result != nil {
		told.about[len(told.about)-1] = statusKey.String(string(s.over().Result.Status))
	}
}

// askClosed tells how long a person took. What a flow asks is a child of the run; what a call asks,
// of the call.
func (t *tracer) askClosed(h *history, a rein.Ask) {
	s := span{
		run: h.id, id: askSpanID(a.ID), parent: SpanID(h.id), name: "ask " + string(a.Kind), kind: trace.SpanKindInternal, from: a.Opened, to: a.Closed,
		about: []attribute.KeyValue{
			runKey.String(string(h.id)), askKey.String(string(a.ID)), askKindKey.String(string(a.Kind)), askStateKey.String(string(a.State)),
		},
	}
	if of := h.steps[a.Step]; of != nil && of.Verb != rein.VerbAsk {
		s.parent = stepSpanID(h.id, of.Key)
	}
	t.tell(t.say.ofAsk(s, a))
}
