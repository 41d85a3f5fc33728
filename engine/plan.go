package engine

import (
	"errors"
	"slices"
	"strconv"

	"rein"
	"rein/engine/guard"
	"rein/internal/visible"
)

// carryOn plays the flow. If the session is in plan mode when it ends, what it returns is a plan: a person accepts it,
// and the flow is played once more to carry it out, in the mode that the person chose; or declines it, and the run
// ends. The steps of both are those of one branch, so a replay goes the same way.
func (d *drive) carryOn(flow rein.FlowFunc) (rein.Outcome, error) {
	b := &branch{run: d}
	out, err := flow(b, d.task)
	if err != nil || !d.isPlan(b, out) {
		return out, err
	}
	return d.carryOutPlan(flow, b, out)
}

// carryOutPlan has the flow carry out what it came to, once a person has accepted that, and again if it comes to another
// plan. It is apart from carryOn, whose stack every run has, for its copies of the task.
func (d *drive) carryOutPlan(flow rein.FlowFunc, b *branch, out rein.Outcome) (rein.Outcome, error) {
	task, err := d.task, error(nil)
	for err == nil && d.isPlan(b, out) {
		var answer rein.Answer
		answer, err = b.ask(planRequest, rein.About{Phase: planPhase}, func(s *step) (rein.Ask, error) { return s.planOf(out), nil })
		switch {
		case errors.Is(err, rein.ErrInterrupted):
			if task, err = b.told(task); err == nil {
				out, err = flow(b, task)
			}
		case err != nil:
			return out, err
		case answer.State != rein.AskApproved:
			out.End = rein.EndDeclined
			return out, nil
		default:
			task = accepted(task, out, answer.Mode)
			out, err = flow(b, task)
		}
	}
	return out, err
}

// isPlan reports whether what the flow returned is a plan to be accepted: the log says so, or this is the first time
// that it ended and the session is in plan mode. Only a root's is: its children work for it.
func (d *drive) isPlan(b *branch, out rein.Outcome) bool {
	d.mu.Lock()
	next := d.log.steps[rein.StepKey(strconv.Itoa(b.steps+1))]
	ending := d.mail.ending
	d.mu.Unlock()
	if next != nil {
		return next.sig == planRequest.sig
	}
	return d.id.Depth() == 0 && ending == "" && (out.End == "" || out.End == rein.EndDone) && d.mode() == rein.ModePlan
}

const planPhase = "plan_accepted"

var planRequest = request{verb: rein.VerbAsk, sig: join("ask", planPhase, string(rein.AskConfirmation))}

// planOf asks a person to accept a plan. It waits as long as an approval does.
func (s *step) planOf(out rein.Outcome) rein.Ask {
	policy := s.run.policy()
	text := "Accept this plan?\n" + normalText(out.Text)
	ask := rein.Ask{
		Kind: rein.AskConfirmation, Text: guard.Clip(visible.Lines(text), maxShown),
		Mode: rein.ModePlan, Modes: afterPlan(s.run.loosest()), OnExpiry: policy.OnExpiry,
	}
	if policy.Timeout > 0 {
		ask.Deadline = s.run.opts.Now().Add(policy.Timeout).UTC()
	}
	return ask
}

// afterPlan lists the modes in which an accepted plan can be carried out, the default first.
func afterPlan(loosest rein.Mode) []rein.Mode {
	return slices.DeleteFunc(rein.Modes(), func(m rein.Mode) bool {
		return m == rein.ModePlan || loosest != "" && m.IsLooser(loosest)
	})
}

// told reads what people want instead, in place of a plan that was on the table.
func (b *branch) told(task rein.Task) (rein.Task, error) {
	items, err := b.Inbox()
	task.Messages = slices.Clone(task.Messages)
	for _, item := range items {
		task.Messages = append(task.Messages, rein.Message{Role: rein.User, Text: item.Text})
	}
	return task, err
}

// accepted is the task of carrying a plan out.
func accepted(task rein.Task, plan rein.Outcome, mode rein.Mode) rein.Task {
	task.Mode = mode.Or(rein.ModeAsk)
	task.Messages = append(slices.Clone(task.Messages),
		rein.Message{Role: rein.Assistant, Text: plan.Text},
		rein.Message{Role: rein.User, Text: "I accept this plan. Carry it out now."},
	)
	return task
}
