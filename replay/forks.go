package replay

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"rein"
	"rein/model/cassette"
	"rein/store"
	"rein/work"
)

type reader interface {
	Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error]
}

// Forks makes a worker's models and tools answer the runs that are forks as those which they were
// forked from, up to the step at which they part. Other runs do not notice it.
type Forks struct {
	Store store.Store
	// Send brings a run what a person said to the one before it.
	Send func(context.Context, rein.Command) (rein.Receipt, error)

	mu    sync.Mutex
	known map[rein.RunID]*forked // by root; nil: it is none
}

// A forked is a run that goes the way of another.
type forked struct {
	rein.Fork
	player *cassette.Player
}

// Wrap puts itself between a worker and its models and tools.
func (f *Forks) Wrap(w *work.Worker) {
	tools := w.Tools
	w.Tools = map[string]rein.Tool{}
	for name, tool := range tools {
		if do := tool.Do; do != nil {
			tool.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) { return f.do(ctx, w, tool, inv, do) }
		}
		w.Tools[name] = tool
	}
	models := w.Models
	w.Models = map[string]rein.Model{}
	for name, m := range models {
		w.Models[name] = forkModel{m, f, w}
	}
}

type forkModel struct {
	rein.Model
	forks  *Forks
	worker *work.Worker
}

// Generate implements rein.Model.
func (m forkModel) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	fork, err := m.forks.of(ctx, m.worker, r.Run, nil)
	if err != nil {
		return rein.ModelReply{}, err
	}
	if fork != nil && fork.player.Has(r.Run, r.Step) {
		return fork.player.Reply(ctx, r.Run, r.Step, show)
	}
	return m.Model.Generate(ctx, r, show)
}

func (f *Forks) do(ctx context.Context, w *work.Worker, tool rein.Tool, inv rein.Invocation, do func(context.Context, rein.Invocation) (rein.Done, error)) (rein.Done, error) {
	fork, err := f.of(ctx, w, inv.Run, inv.Task)
	switch {
	case err != nil:
		return rein.Done{}, err
	case fork == nil:
		return do(ctx, inv)
	case fork.player.Has(inv.Run, inv.Step):
		return fork.player.Do(ctx, inv)
	case tool.Effect != rein.Pure && !slices.Contains(fork.Allow, tool.Name):
		return rein.Done{}, notRun(tool.Name)
	}
	return do(ctx, inv)
}

// of returns what is known of the fork that a run belongs to, or nil. A run that is so new that it is
// not in the log yet brings its task.
func (f *Forks) of(ctx context.Context, w *work.Worker, run rein.RunID, task *rein.Task) (*forked, error) {
	root := run.Root()
	f.mu.Lock()
	defer f.mu.Unlock()
	if fork, ok := f.known[root]; ok {
		return fork, nil
	}
	start, err := household(ctx, f.Store, root)
	if rein.CodeOf(err) == rein.CodeNotFound && run == root && task != nil {
		start, err = rein.RunStart{Task: *task}, nil
	}
	if err != nil {
		return nil, err
	}
	var fork *forked
	if start.Task.Fork != nil && start.After == "" { // the run after a fork is none
		if fork, err = f.load(ctx, w, root, start.Task); err != nil {
			return nil, rein.Errorf(rein.CodeOf(err), "the run that this is a fork of cannot be read: %w", err)
		}
	}
	if f.known == nil {
		f.known = map[rein.RunID]*forked{}
	}
	f.known[root] = fork
	return fork, nil
}

func (f *Forks) load(ctx context.Context, w *work.Worker, root rein.RunID, task rein.Task) (*forked, error) {
	from, err := household(ctx, f.Store, task.Fork.Run)
	if err != nil {
		return nil, err
	}
	if from.Task.User != task.User || from.Task.Household != task.Household {
		return nil, rein.Errorf(rein.CodeNotFound, "there is no run %q", string(task.Fork.Run))
	}
	tape, err := Record(ctx, f.Store, task.Fork.Run, w, rein.Policy{})
	if err == nil {
		tape, err = Prefix(tape, root, *task.Fork)
	}
	if err != nil {
		return nil, err
	}
	player, err := cassette.NewPlayer(tape)
	if err != nil {
		return nil, err
	}
	fork := &forked{*task.Fork, player}
	if _, says := player.Next(); says {
		go f.speak(root, player)
	}
	return fork, nil
}

// patience is how long a fork may do nothing before people are not waited for any more.
const patience = 10 * time.Second

// speak sends what people said to the run before, at the same places.
func (f *Forks) speak(root rein.RunID, player *cassette.Player) {
	defer player.Free()
	marks := make(chan struct{}, 1)
	stop := f.Store.Watch(func([]store.Mark) {
		select {
		case marks <- struct{}{}:
		default:
		}
	})
	defer stop()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		said, more := player.Next()
		if !more {
			return
		}
		if f.happened(said) {
			if _, err := f.Send(context.Background(), said.Command); err != nil {
				return
			}
			player.Sent()
			continue
		}
		select {
		case <-marks:
			timer.Reset(patience)
		case <-timer.C:
			return
		}
	}
}

// happened reports whether everything has happened that comes before a command.
func (f *Forks) happened(said cassette.Said) bool {
	seen := map[cassette.Place]bool{}
	for e, err := range f.Store.Events(context.Background(), said.Run, 0) {
		if err != nil {
			return false
		}
		seen[cassette.PlaceOf(e)] = true
	}
	for _, place := range said.After {
		if !seen[place] {
			return false
		}
	}
	return true
}
