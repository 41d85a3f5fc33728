package explore

import (
	"context"
	"strings"

	"rein"
	"rein/server/port"
	"rein/store"
)

// A person may start an agent under another one. In the log it is a tree of its own, with its own budget,
// in the session of its parent; here it is a child: it begins with what was said there, the parent lists
// it, and who deletes the parent deletes it too.

// maxInherited is how much of what its parent said a child begins with, the newest.
const maxInherited = 50

// adopt makes the task that of a child.
func (d *dialect) adopt(ctx context.Context, who rein.Identity, id *rein.RunID, task *rein.Task) error {
	if id == nil || *id == "" {
		return nil
	}
	if id.Check() != nil {
		return noParent(*id)
	}
	info, err := port.Changeable(ctx, d.Store, *id, who)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound:
		return noParent(*id)
	case err != nil:
		return err
	case info.User != who.User:
		return rein.Errorf(rein.CodeForbidden, "parentId: agent %s belongs to %s: start your own", *id, info.User)
	case info.Status.Ended():
		return rein.Errorf(rein.CodeFinished, "parentId: agent %s has ended: leave it out, or name one that is active", *id)
	}
	parent, err := d.agent(ctx, info, true)
	if err != nil {
		return err
	}
	task.Parent, task.Session = *id, info.Session
	for _, m := range parent.Messages[max(0, len(parent.Messages)-maxInherited):] {
		text, isText := m.Content.(string)
		if role := rein.Role(m.Role); isText && strings.TrimSpace(text) != "" && (role == rein.User || role == rein.Assistant) {
			task.Messages = append(task.Messages, rein.Message{Role: role, Text: text})
		}
	}
	return nil
}

func noParent(id rein.RunID) error {
	return rein.Errorf(rein.CodeInvalid, "parentId %.100q does not exist", string(id))
}

// adopted lists the runs that people started under a run or below it, theirs included.
func (d *dialect) adopted(ctx context.Context, info rein.RunInfo) (all []rein.RunInfo, err error) {
	under := map[rein.RunID]bool{info.ID: true}
	for root, err := range d.Store.Runs(ctx, store.Filter{Session: info.Session, Roots: true}) {
		if err != nil {
			return nil, err
		}
		parent, err := d.parentOf(ctx, root.ID)
		if err != nil {
			return nil, err
		}
		for at := parent; at != ""; at = at.Parent() { // parents began before their children
			if under[at] {
				under[root.ID] = true
				all = append(all, root)
				break
			}
		}
	}
	return all, nil
}

// parentOf returns the agent under which a root was started, if it was.
func (d *dialect) parentOf(ctx context.Context, root rein.RunID) (rein.RunID, error) {
	for e, err := range d.Store.Events(ctx, root, 0) {
		if err != nil {
			return "", err
		}
		start, _ := rein.Payload[rein.RunStart](e) // what was erased names none
		return start.Task.Parent, nil
	}
	return "", nil
}
