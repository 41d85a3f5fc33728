package oldstore

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"rein"
)

// A world is what is outside of the house: what tools did to it is in a file that outlives processes,
// a line for each effect. The recorder holds calls in the middle, to be cut there by a crash.
type world struct {
	file string

	mu   sync.Mutex
	held map[rein.RunID]string // where the calls of a run are held: before or after their effect
	came chan rein.Invocation  // calls that are held
	let  chan struct{}         // closed: they go on
}

// tools has one of each sort. That an effect is idempotent is the world's own doing: it knows its keys.
func (w *world) tools() []rein.Tool {
	schema := json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"}},"required":["to"],"additionalProperties":false}`)
	make := func(name string, effect rein.Effect, approval bool) rein.Tool {
		return rein.Tool{
			Name: name, Description: "The tool " + name + ".", Schema: schema, Effect: effect, Approval: approval,
			Do: func(_ context.Context, inv rein.Invocation) (rein.Done, error) { return w.do(name, effect, inv) },
		}
	}
	post := make("post_card", rein.Checkable, false)
	post.Check = func(_ context.Context, inv rein.Invocation) (rein.CheckState, rein.Done, error) {
		if w.did("post_card", inv.Key) {
			return rein.CheckHappened, rein.Done{Text: "post_card was done before"}, nil
		}
		return rein.CheckNot, rein.Done{}, nil
	}
	far := make("look_far", rein.Pure, false)
	far.Do = func(context.Context, rein.Invocation) (rein.Done, error) {
		return rein.Done{Text: strings.Repeat("Water, as far as one can see.\n", 4000)}, nil
	}
	return []rein.Tool{
		make("look_around", rein.Pure, false), far, post, make("book_table", rein.Idempotent, true), make("send_mail", rein.Unsafe, false), make("pay_bill", rein.Unsafe, true),
	}
}

func (w *world) do(name string, effect rein.Effect, inv rein.Invocation) (rein.Done, error) {
	if effect != rein.Pure && (effect != rein.Idempotent || !w.did(name, inv.Key)) {
		w.mu.Lock()
		defer w.mu.Unlock()
		f, err := os.OpenFile(w.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return rein.Done{}, err
		}
		defer f.Close()
		if _, err := fmt.Fprintln(f, name, inv.Key, string(inv.Args)); err != nil {
			return rein.Done{}, err
		}
	}
	return rein.Done{Text: name + " was done"}, nil
}

// did reports whether a tool has done something under a key.
func (w *world) did(name, key string) bool {
	return slices.ContainsFunc(w.effects(), func(line string) bool { return strings.HasPrefix(line, name+" "+key+" ") })
}

// effects lists what was done to the world, in order.
func (w *world) effects() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	data, _ := os.ReadFile(w.file) // nothing was done yet
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })
}

// hold makes the calls of a run wait before or after their effect. Calls that change nothing outside
// are not held.
func (w *world) hold(run rein.RunID, where string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held == nil {
		w.held, w.came, w.let = map[rein.RunID]string{}, make(chan rein.Invocation, 100), make(chan struct{})
	}
	w.held[run] = where
}

// free lets go of what is held, and holds nothing any more.
func (w *world) free() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held != nil {
		close(w.let)
		w.held = nil
	}
}

// watched is a tool whose calls can be held.
func (w *world) watched(t rein.Tool) rein.Tool {
	if t.Do == nil || t.Effect == rein.Pure {
		return t
	}
	do := t.Do
	t.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		if err := w.stay(ctx, inv, "before"); err != nil {
			return rein.Done{}, err
		}
		done, err := do(ctx, inv)
		if err := w.stay(ctx, inv, "after"); err != nil {
			return rein.Done{}, err
		}
		return done, err
	}
	return t
}

func (w *world) stay(ctx context.Context, inv rein.Invocation, where string) error {
	w.mu.Lock()
	held, came, let := w.held[inv.Run] == where, w.came, w.let
	w.mu.Unlock()
	if !held {
		return nil
	}
	came <- inv
	select {
	case <-let:
	case <-ctx.Done():
	}
	return rein.Errorf(rein.CodeUnavailable, "this process is dead")
}
