package engine

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/internal/eventjson"
	"rein/store"
)

// Start starts a run. The caller names it, so starting twice is safe: the same ID with the same
// task returns the run as it is, with another task it is CodeConflict.
func (e *Engine) Start(ctx context.Context, id rein.RunID, task rein.Task) (rein.RunInfo, error) {
	return e.start(ctx, id, task, false)
}

// start starts a run that is driven here at once if it can be, else it writes its start and wakes the
// dispatcher. An exclusive one is refused with CodeBusy if a run of the session is under way.
func (e *Engine) start(ctx context.Context, id rein.RunID, task rein.Task, exclusive bool) (rein.RunInfo, error) {
	start, err := e.prepare(ctx, id, task)
	if err != nil {
		return rein.RunInfo{}, wrap("start run", id, err)
	}
	start.Exclusive = exclusive
	if info, known, err := e.startDriven(start); known {
		return info, wrap("start run", id, err)
	}
	start.Claim = false
	info, started, err := e.opts.Store.Start(ctx, start)
	if err != nil {
		return info, wrap("start run", id, err)
	}
	if started {
		e.opts.Dispatch.Wake(id)
	}
	return info, nil
}

// prepare checks a root's task and fills in what it leaves open. The digest is of the task as the caller
// gave it, so that the same request is recognised even if a default has changed since.
func (e *Engine) prepare(ctx context.Context, id rein.RunID, task rein.Task) (store.Start, error) {
	if err := id.Check(); err != nil {
		return store.Start{}, err
	}
	if id.Depth() > 0 {
		return store.Start{}, rein.Errorf(rein.CodeInvalid, "run ID %q is a child's: only its parent can start it", string(id))
	}
	digest, err := taskDigest(task)
	if err != nil {
		return store.Start{}, err
	}
	if err := e.checkAdvance(ctx, task); err != nil {
		return store.Start{}, err
	}
	if e.opts.Prepare != nil {
		if task, err = e.opts.Prepare(task); err != nil {
			return store.Start{}, err
		}
	}
	if err := cmp.Or(e.checkTask(task), e.checkPolicy(&task, task.Policy), e.checkFork(&task)); err != nil {
		return store.Start{}, err
	}
	if task.Mode, err = e.startMode(ctx, task); err != nil {
		return store.Start{}, err
	}
	if task.Budget == nil {
		budget := rein.DefaultBudget()
		task.Budget = &budget
	}
	if err := task.Budget.Check(e.opts.Ceiling()); err != nil {
		return store.Start{}, err
	}
	task.Household = cmp.Or(task.Household, "home")
	task.User = cmp.Or(task.User, "owner")
	task.Session = cmp.Or(task.Session, string(id))
	task.Policy = e.freeze(task)
	if task.Fork == nil { // a fork goes the way of the run that it leaves
		e.mark(&task)
	}
	start, err := e.startOf(id, digest, task, nil)
	if err != nil {
		return start, err
	}
	return start, e.beginBranch(ctx, &start)
}

// mark writes into a task what its flow needs to know of this program.
func (e *Engine) mark(task *rein.Task) {
	task.Revision, task.CodeTools = e.opts.Flows[task.Flow].Revision, nil
	for _, name := range task.Tools {
		if tool, _ := e.opts.Worker.Tool(task, name); tool.Code {
			task.CodeTools = append(task.CodeTools, name)
		}
	}
}

// startOf makes the request that creates a run whose task has been checked.
func (e *Engine) startOf(id rein.RunID, digest rein.Hash, task rein.Task, parent *rein.Task) (store.Start, error) {
	task.Start = e.opts.Now().UTC()
	task.Messages = unmarked(task.Messages)
	if e.opts.Began != nil {
		if began, ok := e.opts.Began(id, parent); ok {
			task.Revision, task.CodeTools = began.Revision, began.CodeTools
			if !began.At.IsZero() {
				task.Start = began.At.UTC()
			}
		}
	}
	start := store.Start{Run: id, Digest: digest, At: task.Start, Claim: e.opts.Dispatch.Here() && sizeOf(task) <= maxFresh}
	var err error
	if task.Messages, start.Keep, err = keepImages(task.Messages, e.imagesFrom(id, &task)); err != nil {
		return start, err
	}
	start.Start, err = recorded(rein.RunStart{Task: task, Reserve: guard.Reserve(task.Budget.Amount, e.modelInfo(task.Model))})
	return start, err
}

// recorded returns a start as the log will have it: the first drive then sees what a replay will see, to the
// last nil slice.
func recorded(s rein.RunStart) (start rein.RunStart, err error) {
	if start, ok := eventjson.Recorded(&s); ok {
		return start, nil
	}
	data, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(data, &start)
	}
	if err != nil {
		return start, rein.Errorf(rein.CodeInvalid, "the task cannot be recorded: %w", err)
	}
	return start, nil
}

// unmarked returns messages that do not pretend to be of earlier runs. Only the engine's own reads may say
// so.
func unmarked(messages []rein.Message) []rein.Message {
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i].Past = nil
	}
	return messages
}

// checkTask says what is wrong with the names in a task, if anything.
func (e *Engine) checkTask(task rein.Task) error {
	flow, ok := e.opts.Flows[task.Flow]
	if !ok {
		return rein.Errorf(rein.CodeInvalid, "flow %q does not exist; available: %s", task.Flow, strings.Join(slices.Sorted(maps.Keys(e.opts.Flows)), ", "))
	}
	if task.Fork != nil && (task.Revision < 0 || task.Revision > flow.Revision) {
		return rein.Errorf(rein.CodeInvalid, "the fork has revision %d of flow %q; this program knows 0 to %d", task.Revision, task.Flow, flow.Revision)
	}
	if _, err := e.opts.Worker.Model(task.Model); err != nil {
		return err
	}
	if _, err := e.opts.Worker.Offered(&task, task.Tools); err != nil {
		return err
	}
	if task.Settings != nil && !json.Valid(task.Settings) {
		return rein.Errorf(rein.CodeInvalid, "the task's settings are not valid JSON")
	}
	return checkMetadata(task)
}

// maxMetadata is how many bytes a task's metadata may have: it is shown with every state of the run.
const maxMetadata = 16 << 10

// checkMetadata says what is wrong with what a caller attaches to a task, if anything.
func checkMetadata(task rein.Task) error {
	var object map[string]json.RawMessage
	switch {
	case task.Parent != "" && task.Parent.Check() != nil:
		return rein.Errorf(rein.CodeInvalid, "the task's parent %.100q is no run ID", string(task.Parent))
	case task.Metadata != nil && !json.Valid(task.Metadata):
		return rein.Errorf(rein.CodeInvalid, "the task's metadata is not valid JSON")
	case len(task.Metadata) > maxMetadata:
		return rein.Errorf(rein.CodeInvalid, "the task's metadata has %d bytes; at most %d", len(task.Metadata), maxMetadata)
	case task.Metadata != nil && json.Unmarshal(task.Metadata, &object) != nil:
		return rein.Errorf(rein.CodeInvalid, "the task's metadata is not a JSON object")
	}
	return nil
}

// checkFork says what is wrong with the names in a fork, if anything.
func (e *Engine) checkFork(task *rein.Task) error {
	f := task.Fork
	if f == nil {
		return nil
	}
	if _, err := e.opts.Worker.Offered(task, f.Allow); err != nil {
		return rein.Errorf(rein.CodeInvalid, "fork.allow: %w", err)
	}
	return nil
}

// checkPolicy says what is wrong with a policy that a caller or a flow brings. What a run has frozen is
// not looked at again: a tool that it names may be gone by now.
func (e *Engine) checkPolicy(task *rein.Task, p rein.Policy) error {
	for _, name := range slices.Concat(p.Allow, p.Ask, p.Deny) {
		if e.opts.Worker.HasFamily(name) {
			continue // not every run has it
		}
		if _, err := e.opts.Worker.Offered(task, []string{name}); err != nil {
			return rein.Errorf(rein.CodeInvalid, "the policy: %w", err)
		}
	}
	if err := checkExpiry(p.OnExpiry); err != nil || p.Timeout < 0 {
		return rein.Errorf(rein.CodeInvalid, "the policy's timeout must not be negative and its on_expiry must be continue, deny, stop or park")
	}
	return nil
}

// freeze writes down what holds from the start of a run on: its own policy made stricter by that of
// this process, and which tools ask for approval today. So a later program, or looser settings, do not
// loosen the run, whatever policy its task brought.
func (e *Engine) freeze(task rein.Task) rein.Policy {
	frozen := e.byRole(&task, e.rightsAtStart(&task), task.Policy.Stricter(e.present(&task)))
	var today rein.Policy
	for _, name := range task.Tools {
		switch tool, _ := e.opts.Worker.Tool(&task, name); {
		case frozen.Judge(tool) != rein.MustAsk:
		case (tool.Rules || tool.Undoable) && !frozen.Asks(tool):
			today.Usual = append(today.Usual, name)
		default:
			today.Ask = append(today.Ask, name)
		}
	}
	return frozen.Stricter(today)
}

// present is the policy of this process as it is now, for a run with this task.
func (e *Engine) present(task *rein.Task) rein.Policy {
	if e.opts.Rules == nil {
		return e.opts.Policy
	}
	return e.opts.Policy.Stricter(e.opts.Rules(task))
}

// modelInfo is what is known of a model; nothing, if it does not exist.
func (e *Engine) modelInfo(name string) rein.ModelInfo {
	m, err := e.opts.Worker.Model(name)
	if err != nil {
		return rein.ModelInfo{}
	}
	return m.Info()
}

// taskDigest identifies a task as the caller gave it. It is that of what json.Marshal writes: stores have
// digests of older programs.
func taskDigest(task rein.Task) (rein.Hash, error) {
	task.Start = time.Time{}
	var room [2048]byte
	data, err := eventjson.Append(room[:0], &task)
	if err != nil {
		return rein.Hash{}, rein.Errorf(rein.CodeInvalid, "the task cannot be recorded: %w", err)
	}
	escaped := bytes.NewBuffer(make([]byte, 0, len(data)))
	json.HTMLEscape(escaped, data)
	return sha256.Sum256(escaped.Bytes()), nil
}
