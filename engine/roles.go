package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"rein"
)

// Roles say what the users of households may let happen. What they say can change while a run is under way.
type Roles interface {
	// Rights returns what a user may do now.
	Rights(ctx context.Context, household, user string) (rein.Rights, error)
	// Adults returns the users who answer for the household.
	Adults(ctx context.Context, household string) ([]string, error)
}

// everything is what users may do where there are no roles.
var everything = rein.DefaultRoles().Of(rein.Owner)

// rolePatience is how long finding out what somebody may do can take.
const rolePatience = 10 * time.Second

func (e *Engine) rights(ctx context.Context, task *rein.Task) (rein.Rights, error) {
	if e.opts.Roles == nil {
		return everything, nil
	}
	ctx, cancel := context.WithTimeout(ctx, rolePatience)
	defer cancel()
	return e.opts.Roles.Rights(ctx, cmp.Or(task.Household, rein.FirstHousehold), cmp.Or(task.User, rein.FirstUser))
}

// rights is what the user of the run may do now.
func (d *drive) rights() rein.Rights {
	rights, err := d.engine.rights(context.Background(), &d.task)
	if err != nil {
		d.fail(err)
	}
	return rights
}

// rightsAtStart is what the user of a task may do when it starts. If that cannot be read, it is nothing.
func (e *Engine) rightsAtStart(task *rein.Task) rein.Rights {
	rights, err := e.rights(context.Background(), task)
	if err != nil {
		return rein.Rights{}
	}
	return rights
}

// byRole makes a policy as strict as rights are: a run is not offered the tools of other families, and nothing is
// approved in advance for a user who may not have that.
func (e *Engine) byRole(task *rein.Task, rights rein.Rights, p rein.Policy) rein.Policy {
	if !rights.Preset {
		p.Allow = nil
	}
	if slices.Contains(rights.Offers, rein.AllFamilies) {
		return p
	}
	var deny []string
	for _, name := range task.Tools {
		if tool, known := e.opts.Worker.Tool(task, name); known && !tool.Internal && !rights.Offer(tool.FamilyName()) {
			deny = append(deny, name)
		}
	}
	return p.Stricter(rein.Policy{Deny: deny})
}

// checkAdvance refuses a task that approves calls in advance for a user who may not do that.
func (e *Engine) checkAdvance(ctx context.Context, task rein.Task) error {
	allows := len(task.Policy.Allow) > 0 || task.Fork != nil && len(task.Fork.Allow) > 0
	looser := task.Mode.IsLooser(rein.ModeAsk) && task.Fork == nil
	if !allows && !looser {
		return nil
	}
	rights, err := e.rights(ctx, &task)
	switch {
	case err != nil || rights.Lasting:
		return err
	case looser:
		return rein.Errorf(rein.CodeForbidden, "%s is a %s, who cannot approve calls in advance: mode %s does; choose ask or plan", task.User, rights.Role, task.Mode)
	}
	return rein.Errorf(rein.CodeForbidden, "%s is a %s, who cannot approve calls in advance: leave policy.allow and fork.allow out", task.User, rights.Role)
}

// address says whom an ask about a call is for: the user of the run, or an adult of the household if the user may not
// approve the call.
func (s *step) address(ask *rein.Ask) {
	if s.run.rights().Approve(*ask) {
		return
	}
	adults, err := s.run.engine.opts.Roles.Adults(context.Background(), s.run.task.Household)
	if err != nil {
		s.run.fail(err)
	}
	ask.For, ask.Asker, ask.Asked = rein.ForAdults, s.run.task.User, adults
}

// covers reports whether whoever agreed may agree to the order as it is now, if they may not agree to everything.
func (s *toolStep) covers(by string, now *view) bool {
	if by == "" || by == s.run.task.User {
		return s.run.rights().Approve(now.ask)
	}
	of := s.run.task
	of.User = by
	rights, err := s.run.engine.rights(context.Background(), &of)
	if err != nil {
		s.run.fail(err)
	}
	return rights.Approve(now.ask)
}
