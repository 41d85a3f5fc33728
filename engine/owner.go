package engine

import (
	"context"

	"rein"
	"rein/dispatch"
)

// maxOwners bounds how many trees' owners are remembered.
const maxOwners = 4096

// Owner implements dispatch.Driver. A tree has one owner, which never changes, so that it may be remembered.
// A dispatcher shares its places among owners with it, and prefers runs that somebody waits for.
func (e *Engine) Owner(ctx context.Context, run rein.RunID) dispatch.Owner {
	root := run.Root()
	// Memory first: a dispatcher asks for every run that is due, and a thousand of them may become so at once.
	owner, watched, known := e.knownOwner(run, root)
	if !known {
		info, err := e.opts.Store.Run(ctx, root)
		if err != nil {
			return dispatch.Owner{} // whoever drives it will find out
		}
		owner = dispatch.Owner{Household: info.Household, User: info.User}
		e.rememberOwner(root, owner)
	}
	owner.Watched = watched
	if owner.Size == 0 {
		owner.Size, _ = e.opts.Store.LogSize(ctx, run) // whoever drives it will find out
	}
	return owner
}

// sizeOf is about how many bytes a task takes. It is never zero, which would mean that it is not known.
func sizeOf(task rein.Task) int64 {
	n := len(task.Settings)
	for _, m := range task.Messages {
		n += len(m.Text) + len(m.Note)
		for _, c := range m.Calls {
			n += len(c.Args)
		}
		for _, i := range m.Images {
			n += len(i.Data)
		}
		if m.Raw != nil {
			n += len(m.Raw.Data)
		}
	}
	for _, text := range task.Texts {
		n += len(text)
	}
	if task.Fork != nil {
		n += len(task.Fork.Edit)
	}
	return int64(n) + 1
}

// knownOwner looks into memory only. A run is watched if somebody waits for its end, or for its root's.
func (e *Engine) knownOwner(run, root rein.RunID) (owner dispatch.Owner, watched, known bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	watched = len(e.waits[run])+len(e.waits[root]) > 0
	if f := e.fresh[run]; f != nil {
		task := f.start.Start.Task
		return dispatch.Owner{Household: task.Household, User: task.User, Size: sizeOf(task)}, watched, true
	}
	owner, known = e.owners[root]
	return owner, watched, known
}

// rememberOwner saves the dispatcher a read for each wake. All are forgotten when there are too many: which
// trees will be asked for again nobody knows.
func (e *Engine) rememberOwner(root rein.RunID, owner dispatch.Owner) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.owners) >= maxOwners {
		clear(e.owners)
	}
	e.owners[root] = owner
}
