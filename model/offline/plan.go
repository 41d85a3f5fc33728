package offline

import (
	"encoding/json"
	"slices"

	"rein"
)

// A stage proposes calls. Stages are tried in order until one proposes a call that is new.
type stage struct {
	name    string
	propose func(*turn) []rein.ToolCall
}

// stages is the planner. Only the person's words propose; a result can at most say which of the
// files that match those words exist, or that there is more of it.
var stages = []stage{
	{"what the person spelt out", (*turn).spelledOut},
	{"a file that is not named: ask which", (*turn).askWhich},
	{"a question about the project: see what is there", (*turn).lookAround},
	{"a question: search", (*turn).searchFor},
	{"a question and no search: see what is there", (*turn).lookAnyway},
	{"a folder in a listing, if that is what the question is about", (*turn).followFolder},
	{"a file in a listing that matches the question", (*turn).followListing},
	{"the rest of a clipped result", (*turn).readOn},
}

// plan returns the calls to make now, or none: then it is time to answer. No call is made twice for
// one message, and after a failure none is made at all. A call that was skipped for
// another comes next: some flows make one call of a reply.
func plan(t *turn) []rein.ToolCall {
	t.recalled = nil
	if t.Closing || len(t.uses) >= maxCalls || t.stuck() || t.asksWhoIAm() {
		return nil
	}
	for _, s := range stages {
		calls := t.unmade(s.propose(t))
		if len(calls) > 0 {
			return t.fresh(calls[:min(len(calls), maxCalls-len(t.uses))])
		}
	}
	return nil
}

// unmade leaves out the calls that were made before. What an earlier message has looked up is
// recalled; time and commands are done anew when a person asks anew.
func (t *turn) unmade(calls []rein.ToolCall) []rein.ToolCall {
	var left []rein.ToolCall
	for _, c := range calls {
		same := func(u use) bool { return sameCall(u.asked, c) || sameCall(u.call, c) }
		if t.made(same) || slices.ContainsFunc(t.recalled, same) ||
			slices.ContainsFunc(left, func(l rein.ToolCall) bool { return sameCall(l, c) }) {
			continue
		}
		if i := slices.IndexFunc(t.earlier, func(u use) bool { return same(u) && u.lasts() }); i >= 0 {
			t.recalled = append(t.recalled, t.earlier[i])
			continue
		}
		left = append(left, c)
	}
	return left
}

// made reports whether a call was sent since the question.
func (t *turn) made(same func(use) bool) bool {
	return slices.ContainsFunc(t.uses, func(u use) bool { return u.status != rein.ToolSkipped && same(u) })
}

// stuck reports whether a call went wrong, or all were skipped.
func (t *turn) stuck() bool {
	failed := t.failed()
	return len(failed) > 0 && len(failed) == len(t.uses) ||
		slices.ContainsFunc(failed, func(u use) bool { return u.status != rein.ToolSkipped })
}

// lasts reports whether a result can stand for a new call of the same.
func (u use) lasts() bool {
	return !u.status.Failed() && (u.role == reads || u.role == lists || u.role == searches || u.role == fetches || u.role == rereads)
}

func sameCall(a, b rein.ToolCall) bool {
	return a.Name == b.Name && canonical(a.Args) == canonical(b.Args)
}

// canonical writes arguments with sorted keys and without spaces.
func canonical(args json.RawMessage) string {
	var v any
	if json.Unmarshal(args, &v) != nil {
		return string(args)
	}
	raw, err := marshal(v)
	if err != nil {
		return string(args)
	}
	return string(raw)
}

// one returns a call of the first tool of the role that takes the value.
func (t *turn) one(r role, value string) []rein.ToolCall {
	for _, tool := range t.named(r) {
		if c, ok := t.call(tool, value, nil); ok {
			return []rein.ToolCall{c}
		}
	}
	return nil
}
