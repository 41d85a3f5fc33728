package explore

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/server/port"
	"rein/server/wire"
)

// Overrides are what a person changes about an agent. Fields that are left out stay as they are.
type Overrides struct {
	UserComment *string           `json:"userComment,omitempty"`
	UserContent *string           `json:"userContent,omitempty"`
	Status      *rein.AgentStatus `json:"status,omitempty"`
}

// statuses are those that an agent can have.
var statuses = []rein.AgentStatus{
	rein.AgentRunning, rein.AgentAwaiting, rein.AgentModified, rein.AgentCompleted, rein.AgentDeleted, rein.AgentError,
}

func (d *dialect) intervention(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var o Overrides
	if err := wire.ReadJSON(w, r, &o); err != nil {
		return err
	}
	if err := d.intervene(r.Context(), who, rein.RunID(r.PathValue("id")), o, r.Header.Get("Idempotency-Key")); err != nil {
		f := failureOf(err)
		f.Success = new(bool)
		answer(w, api.Status(rein.CodeOf(err)), f)
		return nil
	}
	answer(w, http.StatusOK, map[string]bool{"success": true})
	return nil
}

// intervene changes an agent. Everything is checked before anything is sent, so that an intervention
// that is wrong in one field changes nothing.
func (d *dialect) intervene(ctx context.Context, who rein.Identity, id rein.RunID, o Overrides, key string) error {
	if err := wire.May(who, rein.ScopeAct); err != nil {
		return err
	}
	ctx, cancel := wire.Lasting(ctx)
	defer cancel()
	if id.Check() != nil {
		return errNotFound
	}
	info, err := port.Changeable(ctx, d.Store, id, who)
	if err != nil {
		return err
	}
	now, err := d.agent(ctx, info, false)
	if err != nil {
		return err
	}
	commands, err := o.commands(now)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(commands, func(c rein.Command) bool { return c.Kind == rein.CommandDelete }) {
		if err := d.deleteAdopted(ctx, who, info); err != nil {
			return err
		}
	}
	for _, c := range commands {
		c.Run, c.By = id, who.User
		if key != "" {
			c.Key = "intervene-" + string(c.Kind) + "-" + key
		}
		if _, err := d.Engine.Command(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// deleteAdopted deletes what people started under an agent that is deleted.
func (d *dialect) deleteAdopted(ctx context.Context, who rein.Identity, info rein.RunInfo) error {
	below, err := d.adopted(ctx, info)
	if err != nil {
		return err
	}
	for _, run := range below {
		_, err := d.Engine.Command(ctx, rein.Command{Kind: rein.CommandDelete, Run: run.ID, By: who.User})
		if err != nil && rein.CodeOf(err) != rein.CodeFinished {
			return err
		}
	}
	return nil
}

// commands says what overrides mean for an agent as it is now.
func (o Overrides) commands(now Agent) ([]rein.Command, error) {
	if err := o.check(now.Status); err != nil {
		return nil, err
	}
	deletes, modifies := o.says(DeleteComment, rein.AgentDeleted), o.says(ModifyComment, rein.AgentModified)
	switch {
	case deletes && now.Status == rein.AgentDeleted:
		return nil, nil
	case deletes:
		return []rein.Command{{Kind: rein.CommandDelete}}, nil
	}
	var all []rein.Command
	annotates := o.UserComment != nil && *o.UserComment != Unchanged && *o.UserComment != ModifyComment
	if annotates || modifies && o.UserContent == nil && now.Status != rein.AgentModified {
		note := ModifyComment // a change without a content is a note that one is wanted
		if annotates {
			note = *o.UserComment
		}
		all = append(all, rein.Command{Kind: rein.CommandComment, Text: note})
	}
	if o.UserContent != nil {
		all = append(all, rein.Command{Kind: rein.CommandModify, Text: *o.UserContent})
	}
	return all, nil
}

func (o Overrides) says(comment string, status rein.AgentStatus) bool {
	return o.UserComment != nil && *o.UserComment == comment || o.Status != nil && *o.Status == status
}

func (o Overrides) check(now rein.AgentStatus) error {
	if o.UserComment != nil && strings.TrimSpace(*o.UserComment) == "" {
		return rein.Errorf(rein.CodeInvalid, "userComment is empty: it must be %s, %s, %s or your own text", Unchanged, DeleteComment, ModifyComment)
	}
	if o.UserContent != nil && strings.TrimSpace(*o.UserContent) == "" {
		return rein.Errorf(rein.CodeInvalid, "userContent is empty: say what the agent should do instead, or leave it out")
	}
	if o.Status == nil {
		return nil
	}
	if !slices.Contains(statuses, *o.Status) {
		return rein.Errorf(rein.CodeInvalid, "status %.40q does not exist; available: %v", string(*o.Status), statuses)
	}
	if !now.MayBeSet(*o.Status) {
		return rein.Errorf(rein.CodeConflict, "the agent is %s: its status cannot be set to %s; only deleted and modified can", now, *o.Status)
	}
	return nil
}
