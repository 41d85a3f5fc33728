package engine

import (
	"cmp"
	"context"
	"strings"

	"rein"
	"rein/internal/digest"
	"rein/store"
)

// follows returns the task that the next run of the session has, but for its messages: this run's own or, if its flow
// reads no messages, that of the run before it. Else a message would do again what this run did: run a command, undo a
// change. nil: it cannot be known, and what was said stays unread.
func (d *drive) follows() *rein.Task {
	if !d.opts.Flows[d.task.Flow].Aside || d.id.Depth() > 0 {
		return &d.task
	}
	ctx := context.Background()
	task, err := d.before(ctx)
	if err == nil && task == nil {
		task, err = d.usual()
	}
	if err != nil {
		d.opts.Log.Warn("what was said to the run starts no other", "run", string(d.id), "error", err)
		return nil
	}
	return task
}

// usual is the task of a session in which there was no conversation yet; nil: the program has none.
func (d *drive) usual() (*rein.Task, error) {
	if d.opts.Prepare == nil {
		return nil, nil
	}
	task, err := d.opts.Prepare(rein.Task{
		Household: d.task.Household, User: d.task.User, Session: d.task.Session, Workspace: d.task.Workspace,
		Model: d.task.Model, Zone: d.task.Zone, Language: d.task.Language,
	})
	if task.Budget == nil {
		budget := rein.DefaultBudget()
		task.Budget = &budget
	}
	return &task, cmp.Or(err, d.engine.checkTask(task))
}

// before is the task of the newest earlier run of the session that had a conversation; nil: there is none.
func (d *drive) before(ctx context.Context) (*rein.Task, error) {
	f := store.Filter{Household: d.task.Household, User: d.task.User, Session: d.task.Session, Roots: true, Newest: true}
	for info, err := range d.opts.Store.Runs(ctx, f) {
		if err != nil {
			return nil, err
		}
		flow, known := d.opts.Flows[info.Flow]
		if info.ID == d.id || info.Erased || !known || flow.Aside {
			continue
		}
		first, err := d.opts.Store.Event(ctx, info.ID, 1)
		if err != nil {
			return nil, err
		}
		start, err := rein.Payload[rein.RunStart](first)
		start.Task.Fork, start.Task.Branch = nil, nil
		return &start.Task, err
	}
	return nil, nil
}

// nextRun is the run of the session that goes on with what was said too late for this one. It starts in the
// transaction that ends this run, so that no message is lost between the two. It is called with mu held.
func (d *drive) nextRun(task rein.Task) *store.NextRun {
	task.Messages, task.Policy, task.Budget = nil, d.engine.freeze(task), d.engine.within(task.Budget)
	task.Mode = d.engine.allowedMode(d.mail.mode)
	next, said := &store.NextRun{}, d.mail.fromPeople()
	for _, item := range upTo(said, maxText) {
		task.Messages = append(task.Messages, rein.Message{Role: rein.User, Text: item.Text})
		next.Messages = append(next.Messages, item.Command)
	}
	digest, err := taskDigest(task)
	if err == nil {
		d.engine.mark(&task)
		next.Start, err = d.engine.startOf(nextRunID(d.id, said[0].Command.Seq()), digest, task, nil)
	}
	if err != nil {
		return nil // it was recorded once, so it can be recorded again
	}
	next.Start.Start.After = d.id
	return next
}

// within returns the budget with what exceeds the ceiling cut: it may have been lowered since.
func (e *Engine) within(b *rein.Budget) *rein.Budget {
	if b == nil {
		return nil
	}
	ceiling := e.opts.Ceiling()
	p, c := b.Parts(), ceiling.Parts()
	for i := range p {
		p[i] = min(p[i], c[i])
	}
	return &rein.Budget{Amount: rein.AmountOf(p), Depth: min(b.Depth, ceiling.Depth)}
}

// nextRunID names the run that a message at the given place of another run's log starts.
func nextRunID(id rein.RunID, seq int64) rein.RunID {
	const most = 40
	base, _, _ := strings.Cut(string(id), "-next-")
	if len(base) > most {
		base = base[:most]
	}
	return rein.RunID(base + "-next-" + digest.Joined(5, string(rein.NewCommandID(id, seq))))
}
