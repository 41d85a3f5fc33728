package replay

import (
	"context"
	"sync"

	"rein"
	"rein/engine"
	"rein/engine/work"
	"rein/replay/cassette"
	"rein/store"
)

// Forks makes a worker's models and tools answer the runs that are forks as those which they were
// forked from, up to the step at which they part. Other runs do not notice it.
//
// It reads the other run's log when a call asks for it. What it remembers is where in that log things
// are, and that only until the fork has passed its step; see way.
type Forks struct {
	Store store.Reader
	// Send brings a run what a person said to the one before it.
	Send func(context.Context, rein.Command) (rein.Receipt, error)

	trees   trees
	kept    kept
	worker  *work.Worker
	reading chan struct{} // one token for each log that is gone through
}

// maxReading is how many logs are gone through at a time: that takes more memory than what is kept.
const maxReading = 2

// A tree is what is known of the runs below a root. Its lock is its own: who reads the log of one tree
// holds up nobody else.
type tree struct {
	mu    sync.Mutex
	known bool
	way   *way // nil: it is no fork
}

// Wrap puts itself between a worker and its models and tools.
func (f *Forks) Wrap(w *work.Worker) {
	f.reading, f.worker = make(chan struct{}, maxReading), w
	tools := w.Tools
	w.Tools = map[string]rein.Tool{}
	for name, tool := range tools {
		w.Tools[name] = f.wrapped(w, tool)
	}
	if more := w.More; more != nil {
		w.More = func(task *rein.Task, name string) (rein.Tool, bool) {
			tool, ok := more(task, name)
			return f.wrapped(w, tool), ok
		}
	}
	w.Models = f.Models(w.Models)
}

// wrapped is a tool that answers forks as it answered the run before them.
func (f *Forks) wrapped(w *work.Worker, tool rein.Tool) rein.Tool {
	if do := tool.Do; do != nil {
		tool.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) { return f.do(ctx, w, tool, inv, do) }
	}
	if show := tool.Show; show != nil {
		tool.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
			return f.show(ctx, w, tool, inv, show)
		}
	}
	return tool
}

// Models are those that a wrapped worker may use in place of its own.
func (f *Forks) Models(models map[string]rein.Model) map[string]rein.Model {
	wrapped := map[string]rein.Model{}
	for name, m := range models {
		wrapped[name] = forkModel{m, f, f.worker}
	}
	return wrapped
}

type forkModel struct {
	rein.Model
	forks  *Forks
	worker *work.Worker
}

// Generate implements rein.Model.
func (m forkModel) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	way, err := m.forks.of(ctx, m.worker, r.Run, nil)
	if err != nil {
		return rein.ModelReply{}, err
	}
	if way != nil {
		end, err := way.end(ctx, r.Run, r.Step)
		switch {
		case err != nil:
			return rein.ModelReply{}, err
		case end != nil:
			return cassette.Reply(ctx, r.Step, end, show)
		}
	}
	return m.Model.Generate(ctx, r, show)
}

func (f *Forks) do(ctx context.Context, w *work.Worker, tool rein.Tool, inv rein.Invocation, do func(context.Context, rein.Invocation) (rein.Done, error)) (rein.Done, error) {
	way, err := f.of(ctx, w, inv.Run, inv.Task)
	if err != nil {
		return rein.Done{}, err
	}
	if way == nil {
		return do(ctx, inv)
	}
	end, err := way.end(ctx, inv.Run, inv.Step)
	switch {
	case err != nil:
		return rein.Done{}, err
	case end != nil:
		if tool.Tree {
			calls, err := way.calls(ctx, inv.Run, inv.Step)
			if err != nil {
				return rein.Done{}, cannotRead(err)
			}
			cassette.CallAgain(ctx, inv, calls)
		}
		return way.result(ctx, inv, end)
	case way.stubs(tool):
		return rein.Done{}, notRun(tool.Name)
	}
	return do(ctx, inv)
}

// show shows what was shown then, of a call that is not made again.
func (f *Forks) show(ctx context.Context, w *work.Worker, tool rein.Tool, inv rein.Invocation, show func(context.Context, rein.Invocation) (rein.Shown, error)) (rein.Shown, error) {
	way, err := f.of(ctx, w, inv.Run, inv.Task)
	if err != nil {
		return rein.Shown{}, err
	}
	if way == nil {
		return show(ctx, inv)
	}
	shown, ended, err := way.shown(ctx, tool, inv)
	switch {
	case err != nil || ended:
		return shown, err
	case way.stubs(tool):
		return rein.Shown{Text: notRun(tool.Name).Error()}, nil // there is nothing to pin
	}
	return show(ctx, inv)
}

// of returns the way that a run goes as a fork or a part of one, or nil. A run that is so new that it
// is not in the log yet brings its task.
func (f *Forks) of(ctx context.Context, w *work.Worker, run rein.RunID, task *rein.Task) (*way, error) {
	root := run.Root()
	t := f.trees.get(root)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known {
		return t.way, nil
	}
	start, err := startOf(ctx, f.Store, root)
	if rein.CodeOf(err) == rein.CodeNotFound && run == root && task != nil {
		start, err = rein.RunStart{Task: *task}, nil
	}
	if err != nil {
		return nil, err
	}
	if start.Task.Fork != nil && start.After == "" { // the run after a fork is none
		if err := f.mayFork(ctx, start.Task); err != nil {
			return nil, cannotRead(err)
		}
		t.way = &way{Fork: *start.Task.Fork, root: root, forks: f, worker: w}
		t.way.edited, t.way.Edit = len(start.Task.Fork.Edit) > 0, nil
	}
	t.known = true
	return t.way, nil
}

// Began returns how a run below a fork begins: with the flow's revision of the run whose way it goes. It
// is for engine.Options.
func (f *Forks) Began(run rein.RunID, parent *rein.Task) (engine.Beginning, bool) {
	if parent == nil {
		return engine.Beginning{}, false // a fork itself brings its revision
	}
	ctx := context.Background()
	w, err := f.of(ctx, f.worker, run.Parent(), parent)
	if err != nil || w == nil || w.past.Load() {
		return engine.Beginning{}, false
	}
	start, err := startOf(ctx, f.Store, w.before(run))
	return engine.Beginning{Revision: start.Task.Revision, CodeTools: start.Task.CodeTools}, err == nil
}

// Precedent returns what the run before knew of equal calls whose outcome nobody knows, for a call that
// the fork does not make itself. It is for engine.Options.
func (f *Forks) Precedent(ctx context.Context, tool rein.Tool, inv rein.Invocation) (engine.Precedent, bool, error) {
	w, err := f.of(ctx, f.worker, inv.Run, inv.Task)
	if err != nil || w == nil {
		return engine.Precedent{}, false, err
	}
	return w.precedent(ctx, tool, inv)
}

// mayFork wants the forked run to be of who forks it.
func (f *Forks) mayFork(ctx context.Context, task rein.Task) error {
	from, err := startOf(ctx, f.Store, task.Fork.Run)
	if err != nil {
		return err
	}
	if from.Task.User != task.User || from.Task.Household != task.Household {
		return rein.Errorf(rein.CodeNotFound, "there is no run %q", string(task.Fork.Run))
	}
	return nil
}

func cannotRead(err error) error {
	return rein.Errorf(rein.CodeOf(err), "the run that this is a fork of cannot be read: %w", err)
}

// startOf reads what a run was started with.
func startOf(ctx context.Context, s store.Logs, run rein.RunID) (start rein.RunStart, err error) {
	e, err := s.Event(ctx, run, 1)
	if err != nil {
		return start, err
	}
	if e.Erased {
		return start, rein.Errorf(rein.CodeNotFound, "run %s was erased", run)
	}
	return rein.Payload[rein.RunStart](e)
}
