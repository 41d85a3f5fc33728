// Package mask shows a store without its secrets. A log keeps the arguments of a call as they are,
// because they are what was approved and what ran; a reader gets a label in place of each secret.
// The package only reads.
package mask

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"sync"

	"rein"
	"rein/store"
)

// A Cleaner takes the secrets out of texts: a guard.Redactor.
type Cleaner interface {
	Text(string) (clean string, kinds []string, block bool)
	JSON(json.RawMessage) (clean json.RawMessage, kinds []string, block bool)
}

// A Reader reads a store without its secrets.
type Reader struct {
	store.Reader
	cleaner Cleaner

	mu   sync.Mutex
	seen map[rein.Hash]json.RawMessage
	ring []rein.Hash // what is in seen, in a circle
	next int
}

// New returns a Reader of the store.
func New(of store.Reader, cleaner Cleaner) *Reader {
	return &Reader{Reader: of, cleaner: cleaner, seen: map[rein.Hash]json.RawMessage{}, ring: make([]rein.Hash, kept)}
}

// kept is how many payloads are remembered: many may follow one run.
const kept = 256

// maxKept is the most of one payload that is remembered.
const maxKept = 64 << 10

// Event implements store.Logs.
func (r *Reader) Event(ctx context.Context, run rein.RunID, seq int64) (rein.Event, error) {
	e, err := r.Reader.Event(ctx, run, seq)
	if err != nil {
		return e, err
	}
	return r.event(e), nil
}

// Events implements store.Logs.
func (r *Reader) Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error] {
	return func(yield func(rein.Event, error) bool) {
		for e, err := range r.Reader.Events(ctx, run, after) {
			if err == nil {
				e = r.event(e)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// Watch implements store.Watcher.
func (r *Reader) Watch(f func([]store.Mark)) (stop func()) {
	return r.Reader.Watch(func(marks []store.Mark) {
		marks = slices.Clone(marks) // others are told of them too
		for i := range marks {
			if read := marks[i].Read; read != nil {
				marks[i].Read = func() rein.Event { return r.event(read()) }
			}
		}
		f(marks)
	})
}

// event returns an event as it is shown.
func (r *Reader) event(e rein.Event) rein.Event {
	if len(e.Data) > 0 {
		e.Data = r.payload(e)
	}
	return e
}

// payload returns what is shown of an event.
func (r *Reader) payload(e rein.Event) json.RawMessage {
	r.mu.Lock()
	clean, ok := r.seen[e.Hash]
	r.mu.Unlock()
	if ok {
		return clean
	}
	clean, _, _ = r.cleaner.JSON(e.Data)
	if len(clean) <= maxKept {
		r.keep(e.Hash, clean)
	}
	return clean
}

func (r *Reader) keep(hash rein.Hash, clean json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seen, r.ring[r.next])
	r.ring[r.next] = hash
	r.next = (r.next + 1) % len(r.ring)
	r.seen[hash] = clean
}

// Ask implements store.Views.
func (r *Reader) Ask(ctx context.Context, id rein.AskID) (rein.Ask, error) {
	ask, err := r.Reader.Ask(ctx, id)
	return r.ask(ask), err
}

// Reveal returns an ask as it is, secrets too. It is for the person who is asked alone.
func (r *Reader) Reveal(ctx context.Context, id rein.AskID) (rein.Ask, error) {
	return r.Reader.Ask(ctx, id)
}

// Asks implements store.Views.
func (r *Reader) Asks(ctx context.Context, f store.AskFilter) ([]rein.Ask, error) {
	asks, err := r.Reader.Asks(ctx, f)
	for i := range asks {
		asks[i] = r.ask(asks[i])
	}
	return asks, err
}

func (r *Reader) ask(a rein.Ask) rein.Ask {
	a.Text, a.Answer.Text = r.text(a.Text), r.text(a.Answer.Text)
	a.Choices, a.Offers.Session, a.Offers.Always = r.texts(a.Choices), r.texts(a.Offers.Session), r.texts(a.Offers.Always)
	if a.Call != nil {
		call := *a.Call
		call.Args, call.Human = r.json(call.Args), r.text(call.Human)
		a.Call = &call
	}
	a.Answer.Args = r.json(a.Answer.Args)
	return a
}

// Rule returns a rule as it is shown.
func (r *Reader) Rule(rule rein.Rule) rein.Rule {
	rule.Pattern = r.text(rule.Pattern)
	return rule
}

// Run implements store.Views.
func (r *Reader) Run(ctx context.Context, id rein.RunID) (rein.RunInfo, error) {
	info, err := r.Reader.Run(ctx, id)
	return r.info(info), err
}

// Runs implements store.Logs.
func (r *Reader) Runs(ctx context.Context, f store.Filter) iter.Seq2[rein.RunInfo, error] {
	return func(yield func(rein.RunInfo, error) bool) {
		for info, err := range r.Reader.Runs(ctx, f) {
			if !yield(r.info(info), err) {
				return
			}
		}
	}
}

func (r *Reader) info(info rein.RunInfo) rein.RunInfo {
	info.Title = r.text(info.Title)
	if info.Outcome != nil {
		end := *info.Outcome
		end.Text, end.Data = r.text(end.Text), r.json(end.Data)
		if end.Failure != nil {
			failure := *end.Failure
			failure.Msg = r.text(failure.Msg)
			end.Failure = &failure
		}
		info.Outcome = &end
	}
	return info
}

// Receipts implements store.Views.
func (r *Reader) Receipts(ctx context.Context, run rein.RunID) ([]rein.Receipt, error) {
	receipts, err := r.Reader.Receipts(ctx, run)
	for i := range receipts {
		receipts[i].Reason = r.text(receipts[i].Reason)
	}
	return receipts, err
}

func (r *Reader) texts(all []string) []string {
	all = slices.Clone(all)
	for i := range all {
		all[i] = r.text(all[i])
	}
	return all
}

func (r *Reader) text(s string) string {
	clean, _, _ := r.cleaner.Text(s)
	return clean
}

func (r *Reader) json(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	clean, _, _ := r.cleaner.JSON(raw)
	return clean
}
