// Package work makes the calls that verbs ask for: it calls the model or runs the tool. It never
// touches a log; the engine records what it returns.
package work

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/engine/work/args"
	"rein/engine/work/pace"
	"rein/internal/workers"
)

// A Worker holds what never enters a log: clients, keys and functions.
type Worker struct {
	Models map[string]rein.Model // "" is the default one
	Tools  map[string]rein.Tool
	// More finds the tools that a run has beside Tools, by its task: those that skills bring, say. Names of Tools come
	// first. What it returns must hold for as long as the run lasts, and pass CheckTool; nil: there are none.
	More func(task *rein.Task, name string) (rein.Tool, bool)
	// Families are what the names of the tools of More begin with, before a dot. What follows is one of them, and never a
	// tool of the same name elsewhere.
	Families []string
	// Fallbacks lists, by the name of a model, those that are asked in its place when it fails, in
	// order.
	Fallbacks map[string][]string

	// Pace keeps the calls of all runs within what providers allow; nil lets all of them through.
	Pace *pace.Limiter
	// Estimate guesses the tokens of a call for pacing, by the model's name; nil counts bytes. What it guesses of a
	// conversation is the sum of what it guesses of its parts.
	Estimate func(model string, r rein.ModelRequest) int64
	// Redact takes secrets out of what tools return; nil knows the well-known shapes only.
	Redact *guard.Redactor
	// Known returns the Redactor for the runs of a user, which also knows what they keep sealed; nil: Redact.
	Known func(household, user string) *guard.Redactor
	// Reach makes the policy for files that the calls of a run bring, by the run's task. Nil lets them use
	// the files of their own session, and no others.
	Reach func(*rein.Task) rein.Reach
	// Grants keeps what people allow beyond one call; nil lets them allow no more than that.
	Grants Grants
	// ClipBytes is how much of a result a model is shown; zero means 16,000.
	ClipBytes int

	// A model call is cut when its provider sends nothing for ModelSilence (zero: 2 minutes), and when it
	// takes longer than ModelWhole (zero: 30 minutes). A model's own limits come first.
	ModelSilence, ModelWhole time.Duration

	ToolTimeout time.Duration // for tools that set none; zero means 1 minute
	// Abandon is how long a call may take to notice that it was cancelled before it is left alone;
	// zero means 2 s.
	Abandon time.Duration

	others   atomic.Pointer[models] // in place of Models and Fallbacks
	toolless sync.Map               // names of models that were found to know no tools
}

// RedactFor returns what takes secrets out of the texts of a run.
func (w *Worker) RedactFor(task *rein.Task) *guard.Redactor {
	if w.Known == nil || task == nil {
		return w.Redact
	}
	return w.Known(task.Household, task.User)
}

// Check says what is wrong with the tools, if anything.
func (w *Worker) Check() error {
	for _, name := range slices.Sorted(maps.Keys(w.Fallbacks)) {
		for _, other := range append([]string{name}, w.Fallbacks[name]...) {
			if _, err := w.Model(other); err != nil {
				return rein.Errorf(rein.CodeInvalid, "the models in place of %q: %w", name, err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.Tools)) {
		t := w.Tools[name]
		if t.Name != name {
			return rein.Errorf(rein.CodeInvalid, "tool %q is registered as %q", t.Name, name)
		}
		if err := CheckTool(t); err != nil {
			return err
		}
	}
	return nil
}

// CheckTool says what is wrong with a tool, if anything.
func CheckTool(t rein.Tool) error {
	name := t.Name
	if err := t.Effect.Check(); err != nil {
		return rein.Errorf(rein.CodeInvalid, "tool %q: %w", name, err)
	}
	switch {
	case (t.Do == nil) == (t.Ask == nil):
		return rein.Errorf(rein.CodeInvalid, "tool %q must have a function: Do, or Ask for a question to a person", name)
	case t.Internal && (t.Effect != rein.Pure || t.Approval || t.Ask != nil):
		return rein.Errorf(rein.CodeInvalid, "tool %q is internal: it must be pure, need no approval and ask nobody", name)
	case t.Ask != nil && (t.Effect != rein.Pure || t.Approval):
		return rein.Errorf(rein.CodeInvalid, "tool %q asks a person: it must be pure and need no approval", name)
	case t.Tree && (t.Effect != rein.Pure || t.Internal || t.Do == nil):
		return rein.Errorf(rein.CodeInvalid, "tool %q uses the tree of runs: it must be pure, have a function Do and be for models", name)
	case t.Asks && (t.Tree || t.Internal || t.Do == nil):
		return rein.Errorf(rein.CodeInvalid, "tool %q asks people during its calls: it must have a function Do, be for models and not use the tree of runs", name)
	case t.Consults && (t.Tree || t.Internal || t.Do == nil):
		return rein.Errorf(rein.CodeInvalid, "tool %q consults the model during its calls: it must have a function Do, be for models and not use the tree of runs", name)
	case t.Rules && (t.Show == nil || t.Effect == rein.Pure && !t.Writes):
		return rein.Errorf(rein.CodeInvalid, "tool %q: a tool that rules on its calls must have a Show function, which says how, and an effect", name)
	case len(t.Pinned) > 0 && (t.Show == nil || t.Effect == rein.Pure && !t.Writes):
		return rein.Errorf(rein.CodeInvalid, "tool %q: a tool with pinned arguments must have a Show function, which fills them in, and an effect, or write rein's own tables", name)
	case slices.ContainsFunc(t.Pinned, func(field string) bool { return slices.Contains(t.Trusted, field) }):
		return rein.Errorf(rein.CodeInvalid, "tool %q: an argument is either trusted or pinned: %v and %v", name, t.Trusted, t.Pinned)
	case (t.Check != nil) != (t.Effect == rein.Checkable):
		return rein.Errorf(rein.CodeInvalid, "tool %q: a checkable tool has a Check function, and no other has", name)
	}
	for _, field := range t.Trusted {
		if rein.TrustedFields[field] == nil {
			return rein.Errorf(rein.CodeInvalid, "tool %q: trusted field %q does not exist; there is: %s", name, field, names(rein.TrustedFields))
		}
	}
	if err := args.CheckSchema(t.Schema); err != nil {
		return rein.Errorf(rein.CodeInvalid, "tool %q: %w", name, err)
	}
	return nil
}

// Tool looks a tool up for a run with this task.
func (w *Worker) Tool(task *rein.Task, name string) (rein.Tool, bool) {
	if t, ok := w.Tools[name]; ok || w.More == nil || task == nil {
		return t, ok
	}
	return w.More(task, name)
}

// models are what a worker may call.
type models struct {
	byName    map[string]rein.Model
	fallbacks map[string][]string
}

func (w *Worker) models() models {
	if others := w.others.Load(); others != nil {
		return *others
	}
	return models{w.Models, w.Fallbacks}
}

// UseModels puts others in the place of Models and Fallbacks, also while runs are under way: their next
// calls go to what has the same name now.
func (w *Worker) UseModels(byName map[string]rein.Model, fallbacks map[string][]string) {
	w.others.Store(&models{byName, fallbacks})
}

// Model looks a model up.
func (w *Worker) Model(name string) (rein.Model, error) {
	known := w.models().byName
	if m, ok := known[name]; ok {
		if _, learnt := w.toolless.Load(name); learnt {
			return textOnly{m}, nil
		}
		return m, nil
	}
	return nil, rein.Errorf(rein.CodeInvalid, "model %q is not configured; there is: %s", name, names(known))
}

// WithoutTools notes, for as long as the process lives, that a model knows no tools: from now on they are
// written into its prompts. It reports whether that is news, and allowed.
func (w *Worker) WithoutTools(name string) bool {
	m, err := w.Model(name)
	if err != nil || m.Info().TextOnly || m.Info().NativeOnly {
		return false
	}
	_, was := w.toolless.LoadOrStore(name, true)
	return !was
}

// textOnly is a model that was found to know no tools.
type textOnly struct{ rein.Model }

func (m textOnly) Info() rein.ModelInfo {
	info := m.Model.Info()
	info.TextOnly = true
	return info
}

// FallbacksOf lists the models that are asked in the place of one that fails.
func (w *Worker) FallbacksOf(name string) []string { return w.models().fallbacks[name] }

// HasFamily reports whether a tool with this name would be one of More.
func (w *Worker) HasFamily(name string) bool {
	family, _, ok := strings.Cut(name, ".")
	return ok && slices.Contains(w.Families, family)
}

// Offered looks up the tools that a prompt of a run with this task offers.
func (w *Worker) Offered(task *rein.Task, tools []string) ([]rein.Tool, error) {
	found := make([]rein.Tool, 0, len(tools))
	for _, name := range tools {
		tool, ok := w.Tool(task, name)
		if !ok {
			return nil, rein.Errorf(rein.CodeInvalid, "tool %q does not exist; there is: %s", name, names(w.Tools))
		}
		found = append(found, tool)
	}
	return found, nil
}

func names[T any](m map[string]T) string {
	list := slices.Sorted(maps.Keys(m))
	if len(list) == 0 {
		return "none"
	}
	for i, name := range list {
		if name == "" {
			list[i] = `"" (the default)`
		}
	}
	return strings.Join(list, ", ")
}

// ModelLimits are how long a provider may be silent in a call, and how long the whole call may take.
func (w *Worker) ModelLimits(info rein.ModelInfo) (silence, whole time.Duration) {
	whole = or(info.Whole, or(w.ModelWhole, 30*time.Minute))
	return min(or(info.Silence, or(w.ModelSilence, 2*time.Minute)), whole), whole
}

// ToolLimit is how long a call of the tool may take.
func (w *Worker) ToolLimit(t rein.Tool) time.Duration {
	return or(t.Timeout, or(w.ToolTimeout, time.Minute))
}

// Tokens is how many tokens a call will take, about.
func (w *Worker) Tokens(model string, r rein.ModelRequest) int64 {
	if w.Estimate != nil {
		return w.Estimate(model, r)
	}
	reply := int64(512) // of usual length
	if r.MaxTokens > 0 {
		reply = min(reply, r.MaxTokens)
	}
	return guard.EstimateTokens(r.Messages) + reply
}

// TokensOf is how many of them messages take.
func (w *Worker) TokensOf(model string, messages []rein.Message) int64 {
	short := rein.ModelRequest{Prompt: rein.Prompt{MaxTokens: 1}}
	with := short
	with.Messages = messages
	return w.Tokens(model, with) - w.Tokens(model, short)
}

// ClipLimit is how many bytes of a result a model is shown.
func (w *Worker) ClipLimit() int { return cmp.Or(max(w.ClipBytes, 0), 16_000) }

// ClipFor is the same for a model by name: at most an eighth of its window, so that a small one has room
// for several results beside the instructions and the reply.
func (w *Worker) ClipFor(model string) int {
	const perToken, share, least = 4, 8, 500 // bytes
	limit := w.ClipLimit()
	m, err := w.Model(model)
	if err != nil || m.Info().Window <= 0 {
		return limit
	}
	return min(limit, max(int(m.Info().Window*perToken/share), least))
}

func or(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}

// ErrPanic and ErrAbandoned say that a call did not end properly: what it did is not known.
var (
	ErrPanic     = errors.New("panicked")
	ErrAbandoned = errors.New("did not end when it was cancelled")
)

// Generate calls a model, in a goroutine of the pool. The call is over when it returns, when it panics, or soon
// after the context ends. show is not called after Generate has returned.
func (w *Worker) Generate(ctx context.Context, by *workers.Pool, m rein.Model, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	gate := newGate(show)
	defer gate.close()
	if all := r.Said; all != nil {
		r.Said = func() string { return gate.said(all) }
	}
	to := gate.show
	if show == nil {
		to = nil
	}
	return guarded(ctx, by, or(w.Abandon, 2*time.Second), func() (rein.ModelReply, error) { return m.Generate(ctx, r, to) })
}

// Invoke runs a tool, likewise.
func (w *Worker) Invoke(ctx context.Context, by *workers.Pool, t rein.Tool, inv rein.Invocation) (rein.Done, error) {
	inv.Reach = w.reach(inv.Task)
	inv, err := w.granted(ctx, t, inv)
	if err != nil {
		return rein.Done{}, err
	}
	return guarded(ctx, by, or(w.Abandon, 2*time.Second), func() (rein.Done, error) { return t.Do(ctx, inv) })
}

// wordsLimit is how long a tool may take for the words that a person is shown. It needs no time at
// all, but it may fail in any way that a tool may.
const wordsLimit = 10 * time.Second

// Question makes the question of a tool that asks a person.
func (w *Worker) Question(t rein.Tool, args json.RawMessage) (rein.Question, error) {
	ctx, cancel := context.WithTimeout(context.Background(), wordsLimit)
	defer cancel()
	return guarded(ctx, nil, 0, func() (rein.Question, error) { return t.Ask(args) })
}

// Show makes what a person is shown who is asked to approve a call, and what pins it. The tool must
// have a Show function. Secrets stay in the text, as in arguments: it is masked wherever it is shown, and
// the person asked can reveal it. Otherwise words in the shape of a secret would be approved unseen.
func (w *Worker) Show(ctx context.Context, t rein.Tool, inv rein.Invocation) (rein.Shown, error) {
	ctx, cancel := context.WithTimeout(ctx, wordsLimit)
	defer cancel()
	inv.Reach = w.reach(inv.Task)
	inv, err := w.granted(ctx, t, inv)
	if err != nil {
		return rein.Shown{}, err
	}
	shown, err := guarded(ctx, nil, 0, func() (rein.Shown, error) { return t.Show(ctx, inv) })
	if err != nil {
		return rein.Shown{}, err
	}
	if _, kinds, block := w.RedactFor(inv.Task).Text(shown.Text); block {
		return rein.Shown{}, rein.Errorf(rein.CodeForbidden, "it holds what must not be shown: %s", strings.Join(kinds, ", "))
	}
	return bounded(shown, inv.Granted), nil
}

// CheckCall asks a checkable tool whether a call happened, likewise.
func (w *Worker) CheckCall(ctx context.Context, t rein.Tool, inv rein.Invocation) (rein.CheckState, rein.Done, error) {
	type answer struct {
		state rein.CheckState
		done  rein.Done
	}
	inv.Reach = w.reach(inv.Task)
	a, err := guarded(ctx, nil, or(w.Abandon, 2*time.Second), func() (answer, error) {
		state, done, err := t.Check(ctx, inv)
		return answer{state, done}, err
	})
	return a.state, a.done, err
}

// guarded calls f in a goroutine of its own, so that neither a panic nor a call that ignores its
// context can take the engine along.
func guarded[T any](ctx context.Context, by *workers.Pool, abandon time.Duration, f func() (T, error)) (T, error) {
	r := &result[T]{done: make(chan struct{})}
	by.Go(func() { r.of(f) })
	select {
	case <-r.done:
		return r.value, r.err
	case <-ctx.Done():
	}
	if !isSoon(r.done, abandon) {
		var zero T
		return zero, fmt.Errorf("%w: %w", ErrAbandoned, context.Cause(ctx))
	}
	return r.value, r.err
}

// A result is what a function that was called in another goroutine came to, once it is done. It is written in place:
// replies are large, and each copy would be room on the stack of a call that may take minutes.
type result[T any] struct {
	value T
	err   error
	done  chan struct{} // closed when it is
}

func (r *result[T]) of(f func() (T, error)) {
	returned := false
	defer func() {
		if !returned {
			p := recover() // nil: the function ended its goroutine
			r.err = fmt.Errorf("%w: %v\n%s", ErrPanic, p, debug.Stack())
		}
		close(r.done)
	}()
	r.value, r.err = f()
	returned = true
}

// isSoon waits for a while until something is done.
func isSoon(done <-chan struct{}, within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
