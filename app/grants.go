package app

import (
	"cmp"
	"context"

	"rein"
	"rein/engine/work"
	"rein/household/people"
	"rein/household/workspace"
)

// grants keeps what people allow beyond one call, for runs in their workspaces.
type grants struct {
	people *people.People
	places *places
}

var _ work.Grants = grants{}

// Held implements work.Grants. A run whose workspace is gone, or has another folder than when the run started, has
// nothing.
func (g grants) Held(ctx context.Context, t rein.Tool, inv rein.Invocation) (rein.Granted, error) {
	at, ok := g.ground(ctx, inv)
	if !ok {
		return rein.Granted{}, nil
	}
	return g.people.Granted(ctx, at, t.Name)
}

// Keep implements work.Grants.
func (g grants) Keep(ctx context.Context, t rein.Tool, inv rein.Invocation, ask rein.Ask, answer rein.Answer) error {
	at, ok := g.ground(ctx, inv)
	if !ok {
		return nil // there is no place where it could hold
	}
	return g.people.KeepRules(ctx, at, t.Name, ask, answer)
}

// ground is where the rules of a call hold.
func (g grants) ground(ctx context.Context, inv rein.Invocation) (at people.Ground, ok bool) {
	task := inv.Task
	if task == nil || task.Household == "" || task.User == "" {
		return at, false
	}
	w, err := g.places.find(ctx, task.Workspace)
	if err != nil {
		return at, false
	}
	root := w.Root
	if task.Rules != "" {
		began, err := g.places.began(ctx, task)
		if err != nil || began.Root != w.Root {
			return at, false
		}
	} else if root == "" && w.Name == workspace.Default {
		root = g.places.elsewhere
	}
	return people.Ground{
		Household: task.Household, User: task.User, Workspace: w.Name, Root: root,
		Session: cmp.Or(task.Session, string(inv.Run.Root())),
	}, true
}
