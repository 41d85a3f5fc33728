package explore

import (
	"context"
	"net/http"

	"rein"
	"rein/people"
	"rein/server/port"
	"rein/store"
)

func (d *dialect) showTree(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	tree, err := d.tree(r.Context(), who)
	if err != nil {
		return err
	}
	answer(w, http.StatusOK, tree)
	return nil
}

// tree is a snapshot of the caller's agents that have not ended, without their messages.
func (d *dialect) tree(ctx context.Context, who people.Identity) (map[rein.RunID]Agent, error) {
	active, err := d.active(ctx, who)
	if err != nil {
		return nil, err
	}
	tree := map[rein.RunID]Agent{}
	for _, info := range active {
		if tree[info.ID], err = d.agent(ctx, info, false); err != nil {
			return nil, err
		}
	}
	for _, info := range active { // in the order in which they began
		if parent, ok := tree[info.ID.Parent()]; ok {
			parent.Subagents = append(parent.Subagents, info.ID)
			tree[parent.AgentID] = parent
		}
	}
	return tree, nil
}

// active lists the caller's unfinished runs of trees that explore.
func (d *dialect) active(ctx context.Context, who people.Identity) ([]store.RunInfo, error) {
	var all []store.RunInfo
	explores := map[rein.RunID]bool{}
	for info, err := range d.Store.Runs(ctx, store.Filter{Household: who.Household, User: who.User, Unfinished: true}) {
		if err != nil {
			return nil, err
		}
		root := info.ID.Root()
		if info.ID == root {
			explores[root] = info.Flow == Flow
		}
		if explores[root] && info.Household == who.Household && info.User == who.User {
			all = append(all, info)
		}
	}
	return all, nil
}

// showAgent shows one agent with its messages, also after it has ended.
func (d *dialect) showAgent(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	ctx := r.Context()
	info, err := d.run(ctx, rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	agent, err := d.agent(ctx, info, true)
	if err != nil {
		return err
	}
	for below, err := range d.Store.Runs(ctx, store.Filter{Tree: info.ID}) {
		if err != nil {
			return err
		}
		if below.ID.Parent() == info.ID {
			agent.Subagents = append(agent.Subagents, below.ID)
		}
	}
	answer(w, http.StatusOK, agent)
	return nil
}

// run returns a run that the caller may see. What is no ID at all is no agent either.
func (d *dialect) run(ctx context.Context, id rein.RunID, who people.Identity) (store.RunInfo, error) {
	if id.Check() != nil {
		return store.RunInfo{}, errNotFound
	}
	return port.Run(ctx, d.Store, id, who)
}
