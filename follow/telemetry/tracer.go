package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0" // the last with gen_ai
	"go.opentelemetry.io/otel/trace"

	"rein"
)

// A tracer makes a span of everything that has ended: the run's is the parent of those of its steps
// and of its children.
type tracer struct {
	trace.Tracer
	provider func(model string) string
	say      *content // nil: nothing that anybody said
}

func newTracer(o Options, out sdktrace.SpanProcessor) (*tracer, error) {
	about, err := resource.New(context.Background(),
		resource.WithTelemetrySDK(),
		resource.WithAttributes(semconv.ServiceName("rein"), semconv.ServiceVersion(o.Version)),
		resource.WithFromEnv(), // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win
	)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "telemetry: OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	sampler := sdktrace.AlwaysSample()
	if o.Ratio > 0 && o.Ratio < 1 {
		sampler = sdktrace.TraceIDRatioBased(o.Ratio) // by the trace's ID alone, so a trace is whole
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithResource(about), sdktrace.WithSampler(sampler),
		sdktrace.WithIDGenerator(givenIDs{}), sdktrace.WithSpanProcessor(out),
	)
	t := &tracer{Tracer: provider.Tracer("rein/follow/telemetry", trace.WithSchemaURL(semconv.SchemaURL)), provider: o.Provider}
	if o.Content {
		t.say = &content{o.Redact}
	}
	return t, nil
}

// A span is one that is over.
type span struct {
	run        rein.RunID
	id, parent trace.SpanID // no parent: it is the root
	name       string
	kind       trace.SpanKind
	from, to   time.Time
	about      []attribute.KeyValue
	moments    []moment
	links      []trace.Link
	failure    string // the code of an error; its text is content
}

// tell hands a span over. One that is of a clock that went back takes no time.
func (t *tracer) tell(s span) {
	ctx := context.WithValue(context.Background(), wantedKey{}, wanted{TraceID(s.run), s.id})
	if s.parent.IsValid() {
		ctx = trace.ContextWithSpanContext(ctx, spanContext(s.run, s.parent))
	}
	if s.failure != "" {
		s.about = append(s.about, semconv.ErrorTypeKey.String(s.failure))
	}
	_, told := t.Start(ctx, s.name, trace.WithTimestamp(s.from), trace.WithSpanKind(s.kind), trace.WithAttributes(s.about...), trace.WithLinks(s.links...))
	for _, m := range s.moments {
		told.AddEvent("rein."+m.what, trace.WithTimestamp(m.at), trace.WithAttributes(attributes(m.about)...))
	}
	if s.failure != "" {
		told.SetStatus(codes.Error, s.failure)
	}
	if s.to.Before(s.from) {
		s.to = s.from
	}
	told.End(trace.WithTimestamp(s.to))
}

func attributes(facts []fact) []attribute.KeyValue {
	var list []attribute.KeyValue
	for _, f := range facts {
		if f.text != "" {
			list = append(list, attribute.String(f.name, f.text))
		} else {
			list = append(list, attribute.Int64(f.name, f.count))
		}
	}
	return list
}
