package flow

import (
	"fmt"
	"slices"

	"rein"
	"rein/flow/kit"
)

// Blockers lists what could make a run of the task wait for a person: the questions of its flow first,
// then tool by tool, in the order of the task. The tools are those of the process that will drive the
// run, and live is its policy, which can make that of the task stricter. A tool that a mode lets through is
// listed too: people can take the mode back. An empty list is a promise:
// neither the run nor one below it asks anybody anything.
func (t Table) Blockers(task rein.Task, tools map[string]rein.Tool, live rein.Policy) []rein.Blocker {
	policy := task.Policy.Stricter(live)
	list := t.questions(task)
	asked := len(list)
	if task.Mode == rein.ModePlan {
		plan := approval(rein.Tool{Name: "plan"}, policy, "the session is in plan mode: what the run comes to is a plan, which a person accepts or declines")
		plan.Kind = rein.AskConfirmation
		list = append(list, plan)
	}
	for i, name := range task.Tools {
		tool, known := tools[name]
		if !known || tool.Internal || slices.Contains(task.Tools[:i], name) {
			continue
		}
		list = append(list, ofTool(tool, policy, list[:asked])...)
	}
	return list
}

// questions lists what the flow of a task may ask by itself. It is the flow's own to say; one that says
// nothing may ask anything.
func (t Table) questions(task rein.Task) []rein.Blocker {
	kind, ok := t.Find(task.Flow)
	switch {
	case !ok:
		return []rein.Blocker{kit.Asks("ask", fmt.Sprintf("the flow %.80q is not one of this program: it may ask anything", task.Flow), 0)}
	case kind.Questions == nil:
		return []rein.Blocker{kit.Asks("ask", fmt.Sprintf("the flow %s does not say what it asks: it may ask anything", task.Flow), 0)}
	}
	return kind.Questions(task)
}

// ofTool lists what the calls of one tool could wait for. What the flow asks in its place it has asked
// already.
func ofTool(tool rein.Tool, policy rein.Policy, asked []rein.Blocker) []rein.Blocker {
	var list []rein.Blocker
	verdict := policy.Judge(tool)
	switch {
	case verdict == rein.Denied:
		return nil
	case verdict == rein.MustAsk && slices.Contains(policy.Ask, tool.Name):
		list = append(list, approval(tool, policy, "the policy wants each call of it to be approved"))
	case verdict == rein.MustAsk:
		list = append(list, approval(tool, policy, "each call of it must be approved"))
	case tool.Effect == rein.Unsafe:
		list = append(list, approval(tool, policy, "a call of it whose name or arguments had to be repaired must be approved: rein may not be able to undo it"))
	}
	inPlace := func(b rein.Blocker) bool { return b.Kind == rein.AskQuestion && b.What == tool.Name }
	if tool.Ask != nil && !slices.ContainsFunc(asked, inPlace) {
		list = append(list, rein.Blocker{
			Kind: rein.AskQuestion, What: tool.Name, Why: "a call of it is a question to a person", OnExpiry: rein.ExpiryPark,
		})
	}
	if why, may := unknown[tool.Effect]; may {
		list = append(list, rein.Blocker{Kind: rein.AskUnknown, What: tool.Name, Why: why, OnExpiry: rein.ExpiryPark})
	}
	return list
}

func approval(tool rein.Tool, policy rein.Policy, why string) rein.Blocker {
	b := rein.Blocker{Kind: rein.AskApproval, What: tool.Name, Why: why, Waits: policy.Timeout, OnExpiry: policy.OnExpiry}
	if b.OnExpiry == "" || b.OnExpiry == rein.ExpiryContinue {
		b.OnExpiry = rein.ExpiryDeny // a call that nobody allowed is not made, and the run goes on
	}
	if b.Waits == 0 || b.OnExpiry == rein.ExpiryPark {
		b.Waits, b.OnExpiry = 0, rein.ExpiryPark
	}
	return b
}

// unknown says when a person must tell whether a call happened, by the tool's effect.
var unknown = map[rein.Effect]string{
	rein.Idempotent: "if rein is interrupted during a call of it, and the tool or the policy is another one afterwards, only a person can tell whether it happened",
	rein.Checkable:  "if rein is interrupted during a call of it and it cannot tell whether that happened, or if such a call is to be made again, only a person can tell",
	rein.Unsafe:     "if rein is interrupted during a call of it, or if a call that may have happened is to be made again, only a person can tell",
}
