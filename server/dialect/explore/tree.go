package explore

import (
	"context"
	"net/http"

	"rein"
	"rein/server/port"
	"rein/store"
)

// showTree shows the caller's active agents or, with an agentId, everything below that one.
func (d *dialect) showTree(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	tree, err := d.tree(r.Context(), who, rein.RunID(r.URL.Query().Get("agentId")))
	if err != nil {
		return err
	}
	answer(w, http.StatusOK, tree)
	return nil
}

// tree is a snapshot of agents without their messages: the caller's that have not ended or, of one agent,
// it and all below it, ended or not.
func (d *dialect) tree(ctx context.Context, who rein.Identity, of rein.RunID) (map[rein.RunID]Agent, error) {
	infos, err := d.active(ctx, who)
	if of != "" {
		infos, err = d.below(ctx, who, of)
	}
	if err != nil {
		return nil, err
	}
	tree := map[rein.RunID]Agent{}
	for _, info := range infos {
		if tree[info.ID], err = d.agent(ctx, info, false); err != nil {
			return nil, err
		}
	}
	for _, info := range infos { // in the order in which they began
		up := tree[info.ID].ParentID
		if up == nil {
			continue
		}
		if parent, ok := tree[*up]; ok {
			parent.Subagents = append(parent.Subagents, info.ID)
			tree[parent.AgentID] = parent
		}
	}
	return tree, nil
}

// below lists a run that the caller may see and everything below it.
func (d *dialect) below(ctx context.Context, who rein.Identity, id rein.RunID) ([]rein.RunInfo, error) {
	info, err := d.run(ctx, id, who)
	if err != nil {
		return nil, err
	}
	roots, err := d.adopted(ctx, info)
	if err != nil {
		return nil, err
	}
	var all []rein.RunInfo
	for _, root := range append([]rein.RunInfo{info}, roots...) {
		for one, err := range d.Store.Runs(ctx, store.Filter{Tree: root.ID}) {
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// active lists the caller's unfinished runs of trees that explore.
func (d *dialect) active(ctx context.Context, who rein.Identity) ([]rein.RunInfo, error) {
	var all []rein.RunInfo
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
func (d *dialect) showAgent(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx := r.Context()
	info, err := d.run(ctx, rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	agent, err := d.agent(ctx, info, true)
	if err != nil {
		return err
	}
	tree, err := d.tree(ctx, who, info.ID)
	if err != nil {
		return err
	}
	agent.Subagents = tree[info.ID].Subagents
	answer(w, http.StatusOK, agent)
	return nil
}

// run returns a run that the caller may see. What is no ID at all is no agent either.
func (d *dialect) run(ctx context.Context, id rein.RunID, who rein.Identity) (rein.RunInfo, error) {
	if id.Check() != nil {
		return rein.RunInfo{}, errNotFound
	}
	return port.Run(ctx, d.Store, id, who)
}
