package telemetry

import (
	"container/list"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"rein"
	"rein/store"
)

// Options say what is made of the logs. Store is needed; each of Exporter, Metrics and Debug that is
// nil is left out.
type Options struct {
	Store    store.Reader
	Exporter sdktrace.SpanExporter // of traces; see Exporter
	Metrics  *Metrics
	Debug    *slog.Logger // is told of calls, back-offs and what was retrieved, at the debug level

	// Content adds to spans what people, models and tools said, as Redact leaves it.
	Content bool
	// Redact takes secrets out of a text. Content and Debug need it.
	Redact func(string) string

	Ratio    float64                   // the share of traces that are sent, from 0 to 1; zero means all
	Provider func(model string) string // who a model is of, where its replies do not say
	Version  string                    // of the program
	Log      *slog.Logger              // is told what goes wrong; nil is silent
	// Delay is how long the logs may grow before they are read, so that a short run is read once.
	// Zero means 200 ms.
	Delay time.Duration
}

// A Watcher follows the logs of all runs.
//
// It tells of what the store writes while it watches. A thing that began under an earlier process is
// told when it ends, with the time at which it began; one that ended under it is not told again. So
// what an earlier process had not sent when it was killed is lost, and nothing comes twice.
type Watcher struct {
	opts      Options
	notes     *store.Notes[news]
	unwatch   func()
	listeners []listener
	out       *outbox // nil without an exporter

	mu     sync.Mutex // held while logs are read
	known  map[rein.RunID]*list.Element
	recent *list.List // of *history, the one that grew last in front
}

const (
	delay = 200 * time.Millisecond

	// maxKnown bounds the unfinished runs that are kept in mind. Another is read again from the
	// beginning of its log when it goes on.
	maxKnown = 2048

	readTime  = 30 * time.Second // of what has grown since the last time
	lastWords = 5 * time.Second  // to send what is left when the process ends
)

// New begins to watch the store. Serve does the work; without it nothing is told, and nothing grows.
func New(o Options) (*Watcher, error) {
	if o.Store == nil {
		return nil, rein.Errorf(rein.CodeInvalid, "telemetry needs a store")
	}
	if (o.Content || o.Debug != nil) && o.Redact == nil {
		return nil, rein.Errorf(rein.CodeInvalid, "telemetry with content, or a debug stream, needs a redactor")
	}
	if o.Ratio < 0 || o.Ratio > 1 {
		return nil, rein.Errorf(rein.CodeInvalid, "the share of traces is %v; it must be from 0 to 1", o.Ratio)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Delay <= 0 {
		o.Delay = delay
	}
	w := &Watcher{opts: o, notes: store.NewNotes[news](), known: map[rein.RunID]*list.Element{}, recent: list.New()}
	if o.Exporter != nil {
		w.out = newOutbox(o.Exporter, o.Log, o.Metrics.dropped)
		t, err := newTracer(o, w.out)
		if err != nil {
			return nil, err
		}
		w.listeners = append(w.listeners, t)
	}
	if o.Metrics != nil {
		w.listeners = append(w.listeners, &observer{o.Metrics, o.Provider})
	}
	if o.Debug != nil {
		w.listeners = append(w.listeners, &debugger{o.Debug, o.Redact})
	}
	w.unwatch = w.notes.Watch(o.Store, (*news).take)
	return w, nil
}

// Serve reads and exports until the context ends, and then what is left, for at most five seconds.
// End it after the engine and before the store.
func (w *Watcher) Serve(ctx context.Context) error {
	lasting := context.WithoutCancel(ctx) // what is under way when the context ends is not cut
	sending, stop := context.WithCancel(lasting)
	defer stop()
	var sender sync.WaitGroup
	if w.out != nil {
		sender.Go(func() { w.out.serve(sending) })
	}
	for pause(ctx, w.notes.Some, w.opts.Delay) {
		w.readFor(lasting, readTime)
	}
	w.unwatch()
	last, cancel := context.WithTimeout(lasting, lastWords)
	defer cancel()
	err := w.Flush(last)
	stop()
	sender.Wait()
	if w.out != nil {
		err = errors.Join(err, w.out.Shutdown(last))
	}
	if err != nil {
		w.opts.Log.Warn("telemetry: not everything was sent before the end", "error", err)
	}
	return nil
}

// pause waits for something to come, and a while longer for more of it; it is false when the context
// has ended.
func pause(ctx context.Context, some <-chan struct{}, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-some:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func (w *Watcher) readFor(ctx context.Context, most time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	w.read(ctx)
}

// Flush tells all that is in the logs by now.
func (w *Watcher) Flush(ctx context.Context) error {
	w.read(ctx)
	if w.out == nil {
		return ctx.Err()
	}
	return w.out.ForceFlush(ctx)
}

// read reads what is noted.
func (w *Watcher) read(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := w.notes.Read()
	if found.missed > 0 {
		w.opts.Metrics.dropped("reader behind", int(found.missed))
	}
	for _, n := range found.list() {
		if err := w.follow(ctx, n); err != nil {
			w.forget(n.run)
			w.opts.Metrics.dropped("log not read", int(n.to-n.from+1))
			w.opts.Log.Warn("telemetry: a log cannot be read", "run", string(n.run), "error", err)
		}
	}
}

// follow reads the new part of a log. Of a run that is not in mind it reads all, and tells the new
// part.
func (w *Watcher) follow(ctx context.Context, n note) error {
	h, known := w.recall(n.run)
	for ev, err := range w.opts.Store.Events(ctx, n.run, h.read) {
		if err != nil {
			return err
		}
		if ev.Seq > n.to {
			break // that is noted by now, and told when that note is read
		}
		to := w.listeners
		if !known && ev.Seq < n.from {
			to = nil // an earlier process told it, or it was dropped
		}
		h.fold(ev, to)
	}
	if h.ended {
		w.forget(n.run)
	}
	return nil
}

// recall returns what is known of a run, and forgets the run that has been quiet the longest if that
// is one too many.
func (w *Watcher) recall(run rein.RunID) (h *history, known bool) {
	if e := w.known[run]; e != nil {
		w.recent.MoveToFront(e)
		return e.Value.(*history), true
	}
	h = newHistory(run, w.opts.Content)
	w.known[run] = w.recent.PushFront(h)
	if len(w.known) > maxKnown {
		w.forget(w.recent.Back().Value.(*history).id)
	}
	return h, false
}

func (w *Watcher) forget(run rein.RunID) {
	if e := w.known[run]; e != nil {
		w.recent.Remove(e)
		delete(w.known, run)
	}
}
