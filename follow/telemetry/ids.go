package telemetry

import (
	"context"
	"crypto/sha256"

	"go.opentelemetry.io/otel/trace"

	"rein"
)

// IDs follow from what a span is of, so that a trace goes on where it was after a restart, a span can
// name a parent that is told of later, and one that is sent twice is the same one.

// TraceID is the trace of a run: that of the root of its tree.
func TraceID(run rein.RunID) trace.TraceID {
	sum := sha256.Sum256([]byte("rein trace " + string(run.Root())))
	return trace.TraceID(sum[:16])
}

// SpanID is the span of a run.
func SpanID(run rein.RunID) trace.SpanID { return spanID("run " + string(run)) }

func stepSpanID(run rein.RunID, key rein.StepKey) trace.SpanID {
	return spanID("step " + string(run) + ":" + string(key))
}

func askSpanID(id rein.AskID) trace.SpanID { return spanID("ask " + string(id)) }

func spanID(name string) trace.SpanID {
	sum := sha256.Sum256([]byte("rein span " + name))
	return trace.SpanID(sum[:8])
}

// spanContext names a span of the run's trace as a parent or link.
func spanContext(run rein.RunID, id trace.SpanID) trace.SpanContext {
	return trace.NewSpanContext(trace.SpanContextConfig{TraceID: TraceID(run), SpanID: id, TraceFlags: trace.FlagsSampled})
}

type wantedKey struct{}

// A wanted is the IDs that the next span is to have.
type wanted struct {
	trace trace.TraceID
	span  trace.SpanID
}

// givenIDs is an sdk IDGenerator that takes the IDs from the context.
type givenIDs struct{}

func (givenIDs) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	w, _ := ctx.Value(wantedKey{}).(wanted)
	return w.trace, w.span
}

func (givenIDs) NewSpanID(ctx context.Context, _ trace.TraceID) trace.SpanID {
	w, _ := ctx.Value(wantedKey{}).(wanted)
	return w.span
}
