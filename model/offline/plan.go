package offline

import (
	"slices"

	"rein"
)

// maxCalls is how many calls the model makes for one message of a person.
const maxCalls = 6

// rules is the planner: each row proposes calls, and the first row with a call that is new wins. Only
// the person's words propose; a result can at most say which of the files that match them exist, or that
// there is more of it.
var rules = []struct {
	when    string
	propose func(*turn) []rein.ToolCall
}{
	{"the message spells out what to do", (*turn).spelledOut},
	{"a file is to be read and it does not say which: ask", (*turn).askWhich},
	{"a question about the project, or with nothing to search: look around", (*turn).lookAround},
	{"another question: search", (*turn).searchFor},
	{"a listing shows a file that matches the question: read it", (*turn).followListing},
	{"nothing fits in a result that was clipped: look in the rest", (*turn).readOn},
}

// plan returns the calls to make now, or none: then it is time to answer. No call is made twice for one
// message, and after a failure none is made at all. A call that was skipped for another comes next:
// some flows make only one call of a reply.
func plan(t *turn) []rein.ToolCall {
	if t.Closing || len(t.uses) >= maxCalls || t.stuck() || t.asksWhoIAm() {
		return nil
	}
	if w, ok := t.wish(); ok && t.offers(w.tool) {
		return t.withIDs(t.unmade(t.fulfil())) // it says exactly what to do
	}
	for _, rule := range rules {
		if calls := t.unmade(rule.propose(t)); len(calls) > 0 {
			return t.withIDs(calls[:min(len(calls), maxCalls-len(t.uses))])
		}
	}
	return nil
}

// unmade leaves out the calls that were made since the question.
func (t *turn) unmade(calls []rein.ToolCall) []rein.ToolCall {
	var left []rein.ToolCall
	for _, c := range calls {
		again := slices.ContainsFunc(left, func(l rein.ToolCall) bool { return sameCall(l, c) })
		if !again && !t.made(func(u use) bool { return sameCall(u.asked, c) || sameCall(u.call, c) }) {
			left = append(left, c)
		}
	}
	return left
}

// made reports whether such a call was sent since the question.
func (t *turn) made(such func(use) bool) bool {
	return slices.ContainsFunc(t.uses, func(u use) bool { return u.status != rein.ToolSkipped && such(u) })
}

// stuck reports whether a call went wrong, or all were skipped.
func (t *turn) stuck() bool {
	failed := t.failed()
	return len(failed) > 0 && len(failed) == len(t.uses) ||
		slices.ContainsFunc(failed, func(u use) bool { return u.status != rein.ToolSkipped })
}
