package telemetry

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

const (
	maxQueue   = 4096 // spans that wait for the exporter
	maxBatch   = 512
	exportTime = 15 * time.Second // of one batch
)

// An outbox holds the spans that wait for the exporter. If that is slow, or away, spans are dropped
// and counted; nobody waits.
type outbox struct {
	exporter sdktrace.SpanExporter
	log      *slog.Logger
	drop     func(why string, n int)
	some     chan struct{} // holds one token when there are any
	failing  atomic.Bool

	sending chan struct{} // holds a token while a batch is sent
	mu      sync.Mutex
	queue   []sdktrace.ReadOnlySpan
}

func newOutbox(exporter sdktrace.SpanExporter, log *slog.Logger, drop func(string, int)) *outbox {
	return &outbox{exporter: exporter, log: log, drop: drop, some: make(chan struct{}, 1), sending: make(chan struct{}, 1)}
}

var _ sdktrace.SpanProcessor = (*outbox)(nil)

// OnStart implements sdktrace.SpanProcessor.
func (*outbox) OnStart(context.Context, sdktrace.ReadWriteSpan) {}

// OnEnd implements sdktrace.SpanProcessor.
func (b *outbox) OnEnd(s sdktrace.ReadOnlySpan) {
	b.mu.Lock()
	full := len(b.queue) >= maxQueue
	if !full {
		b.queue = append(b.queue, s)
	}
	b.mu.Unlock()
	if full {
		b.drop("queue full", 1)
		return
	}
	select {
	case b.some <- struct{}{}:
	default:
	}
}

// Shutdown implements sdktrace.SpanProcessor. What still waits is dropped.
func (b *outbox) Shutdown(ctx context.Context) error {
	b.mu.Lock()
	left := len(b.queue)
	b.queue = nil
	b.mu.Unlock()
	if left > 0 {
		b.drop("process ended", left)
	}
	return b.exporter.Shutdown(ctx)
}

// ForceFlush implements sdktrace.SpanProcessor.
func (b *outbox) ForceFlush(ctx context.Context) error {
	b.send(ctx)
	return ctx.Err()
}

// serve sends spans until the context ends.
func (b *outbox) serve(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.some:
			b.send(ctx)
		}
	}
}

// send sends all that waits, a batch at a time.
func (b *outbox) send(ctx context.Context) {
	select {
	case b.sending <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-b.sending }()
	for ctx.Err() == nil {
		b.mu.Lock()
		n := min(len(b.queue), maxBatch)
		batch := b.queue[:n:n]
		if b.queue = b.queue[n:]; len(b.queue) == 0 {
			b.queue = nil
		}
		b.mu.Unlock()
		if n == 0 {
			return
		}
		b.export(ctx, batch)
	}
}

// export sends a batch, once: one that may have arrived is not sent again, beyond what the exporter
// itself does.
func (b *outbox) export(ctx context.Context, batch []sdktrace.ReadOnlySpan) {
	ctx, cancel := context.WithTimeout(ctx, exportTime)
	defer cancel()
	err := b.exporter.ExportSpans(ctx, batch)
	if err != nil {
		b.drop("export failed", len(batch))
	}
	if b.failing.Swap(err != nil) != (err != nil) { // told when it changes, not each time
		if err != nil {
			b.log.Warn("traces cannot be exported; spans are dropped until they can", "error", err)
		} else {
			b.log.Info("traces are exported again")
		}
	}
}
