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
	// Known returns the Cleaner for what belongs to a user; nil: that of New.
	Known   func(household, user string) Cleaner
	cleaner Cleaner

	mu     sync.Mutex
	seen   map[payload]json.RawMessage
	ring   []payload // what is in seen, in a circle
	next   int
	owners map[rein.RunID]owner // of roots
}

// A payload is one that was cleaned. What is a secret may change, and the Cleaner with it.
type payload struct {
	of rein.Hash
	by Cleaner
}

// owner is whose a run is.
type owner struct{ household, user string }

// New returns a Reader of the store.
func New(of store.Reader, cleaner Cleaner) *Reader {
	return &Reader{Reader: of, cleaner: cleaner, seen: map[payload]json.RawMessage{}, ring: make([]payload, kept), owners: map[rein.RunID]owner{}}
}

// maxOwners is how many roots are remembered with whose they are.
const maxOwners = 4096

// of returns the Cleaner for a run.
func (r *Reader) of(run rein.RunID) Cleaner {
	if r.Known == nil {
		return r.cleaner
	}
	root := run.Root()
	r.mu.Lock()
	whose, ok := r.owners[root]
	r.mu.Unlock()
	if !ok {
		info, err := r.Reader.Run(context.Background(), root)
		if err != nil {
			return r.cleaner
		}
		whose = owner{info.Household, info.User}
		r.mu.Lock()
		if len(r.owners) >= maxOwners {
			clear(r.owners)
		}
		r.owners[root] = whose
		r.mu.Unlock()
	}
	return r.Known(whose.household, whose.user)
}

// theirs returns the Cleaner for what belongs to a user.
func (r *Reader) theirs(household, user string) Cleaner {
	if r.Known == nil {
		return r.cleaner
	}
	return r.Known(household, user)
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
	it := payload{e.Hash, r.of(e.Run)}
	r.mu.Lock()
	clean, ok := r.seen[it]
	r.mu.Unlock()
	if ok {
		return clean
	}
	clean, _, _ = it.by.JSON(e.Data)
	if len(clean) <= maxKept {
		r.keep(it, clean)
	}
	return clean
}

func (r *Reader) keep(it payload, clean json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seen, r.ring[r.next])
	r.ring[r.next] = it
	r.next = (r.next + 1) % len(r.ring)
	r.seen[it] = clean
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
	by := shown{r.of(a.Run)}
	a.Text, a.Answer.Text = by.text(a.Text), by.text(a.Answer.Text)
	a.Say, a.Reason, a.Details, a.Language = by.text(a.Say), by.text(a.Reason), by.text(a.Details), by.text(a.Language)
	a.Choices, a.Offers.Session, a.Offers.Always = by.texts(a.Choices), by.texts(a.Offers.Session), by.texts(a.Offers.Always)
	if a.Call != nil {
		call := *a.Call
		call.Args, call.Human, call.Why = by.json(call.Args), by.text(call.Human), by.text(call.Why)
		a.Call = &call
	}
	a.Answer.Args = by.json(a.Answer.Args)
	return a
}

// Rule returns a rule as it is shown.
func (r *Reader) Rule(rule rein.Rule) rein.Rule {
	rule.Pattern = shown{r.theirs(rule.Household, rule.User)}.text(rule.Pattern)
	return rule
}

// Verdict returns what is wrong with a run as it is shown: it may quote the run.
func (r *Reader) Verdict(v store.Verdict) store.Verdict {
	v.Wrong = shown{r.of(v.Run)}.texts(v.Wrong)
	return v
}

// Run implements store.Views.
func (r *Reader) Run(ctx context.Context, id rein.RunID) (rein.RunInfo, error) {
	info, err := r.Reader.Run(ctx, id)
	return r.Info(info), err
}

// Runs implements store.Logs.
func (r *Reader) Runs(ctx context.Context, f store.Filter) iter.Seq2[rein.RunInfo, error] {
	return func(yield func(rein.RunInfo, error) bool) {
		for info, err := range r.Reader.Runs(ctx, f) {
			if !yield(r.Info(info), err) {
				return
			}
		}
	}
}

// FindRuns implements store.Views.
func (r *Reader) FindRuns(ctx context.Context, f store.Filter) ([]rein.RunInfo, rein.RunID, error) {
	runs, next, err := r.Reader.FindRuns(ctx, f)
	for i := range runs {
		runs[i] = r.Info(runs[i])
	}
	return runs, next, err
}

// Sessions implements store.Views.
func (r *Reader) Sessions(ctx context.Context, f store.SessionFilter) iter.Seq2[rein.SessionInfo, error] {
	return func(yield func(rein.SessionInfo, error) bool) {
		for info, err := range r.Reader.Sessions(ctx, f) {
			info.Title = shown{r.theirs(info.Household, info.User)}.text(info.Title)
			if !yield(info, err) {
				return
			}
		}
	}
}

// Info returns a run as it is shown.
func (r *Reader) Info(info rein.RunInfo) rein.RunInfo {
	by := shown{r.theirs(info.Household, info.User)}
	info.Title = by.text(info.Title)
	if info.Outcome != nil {
		end := *info.Outcome
		end.Text, end.Data = by.text(end.Text), by.json(end.Data)
		if end.Failure != nil {
			failure := *end.Failure
			failure.Msg = by.text(failure.Msg)
			end.Failure = &failure
		}
		info.Outcome = &end
	}
	return info
}

// Receipts implements store.Views.
func (r *Reader) Receipts(ctx context.Context, run rein.RunID) ([]rein.Receipt, error) {
	receipts, err := r.Reader.Receipts(ctx, run)
	by := shown{r.of(run)}
	for i := range receipts {
		receipts[i].Reason = by.text(receipts[i].Reason)
	}
	return receipts, err
}

// shown is what a Cleaner leaves of texts.
type shown struct{ by Cleaner }

func (s shown) texts(all []string) []string {
	all = slices.Clone(all)
	for i := range all {
		all[i] = s.text(all[i])
	}
	return all
}

func (s shown) text(text string) string {
	clean, _, _ := s.by.Text(text)
	return clean
}

func (s shown) json(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	clean, _, _ := s.by.JSON(raw)
	return clean
}
