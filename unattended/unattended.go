// Package unattended lists in advance what could make a run wait for a person, for people who start
// a run and leave. It reads the task, its tools and the policies, and is pure; tests check that it
// agrees with what flows and engine do.
package unattended

import (
	"slices"

	"rein"
)

// Blockers lists what could make a run of the task wait for a person: the questions of its flow first,
// then tool by tool, in the order of the task. The tools are those of the process that will drive the
// run, and live is its policy, which can make that of the task stricter. An empty list is a promise:
// neither the run nor one below it asks anybody anything.
func Blockers(task rein.Task, tools map[string]rein.Tool, live rein.Policy) []rein.Blocker {
	policy := task.Policy.Stricter(live)
	list := questions(task)
	for i, name := range task.Tools {
		tool, known := tools[name]
		if !known || tool.Internal || slices.Contains(task.Tools[:i], name) {
			continue
		}
		list = append(list, ofTool(task, tool, policy)...)
	}
	return list
}

// ofTool lists what the calls of one tool could wait for.
func ofTool(task rein.Task, tool rein.Tool, policy rein.Policy) []rein.Blocker {
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
		list = append(list, approval(tool, policy, "a call of it whose name or arguments had to be mended must be approved: it cannot be undone"))
	}
	if tool.Ask != nil && !asksItself(task, tool.Name) {
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
