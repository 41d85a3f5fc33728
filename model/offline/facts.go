package offline

import (
	"slices"
	"strings"

	"rein"
	"rein/internal/quote"
)

// facts are what a control block or a schema can be filled with.
type facts struct {
	question string
	answer   string
	calls    []rein.ToolCall // what the plan would do next
	ask      string          // the question to the person, if a piece is missing
	found    bool            // a result has something to say to the question
	finish   bool            // there is nothing more to do
	goOn     bool            // another round may find more
	plan     []string        // the next steps, in words
	tools    []string        // the tools of the plan
	limit    int             // bytes of one text
}

// newFacts works them out. The reply says what it is in the answer itself.
func newFacts(t *turn, limit int) *facts {
	f := &facts{question: oneLine(quote.Escape(t.question), limit/4), calls: plan(t), limit: limit / 4}
	f.answer = clip(t.soFar(f.calls), limit/4)
	if t.lacksFile() {
		f.ask = say(t.lang, "which_file")
	}
	f.found = len(t.evidence().lines) > 0 || slices.ContainsFunc(t.worked(), func(u use) bool { return !u.quotable() && u.role != lists })
	f.finish = len(f.calls) == 0 && f.ask == ""
	f.goOn = !f.found && !t.Closing && t.mayFindMore(f.calls)
	for _, c := range f.calls {
		f.tools = append(f.tools, c.Name)
		f.plan = append(f.plan, say(t.lang, "plan_call", c.Name))
	}
	f.plan = append(f.plan, say(t.lang, "plan_answer"))
	return f
}

// soFar returns the answer, or what would be done next if there is nothing to answer with yet.
func (t *turn) soFar(calls []rein.ToolCall) string {
	if len(calls) == 0 || len(t.findings()) > 0 {
		return answer(t)
	}
	var names []string
	for _, c := range calls {
		names = append(names, c.Name)
	}
	return say(t.lang, "brief") + "\n\n" + say(t.lang, "not_yet") + " " + say(t.lang, "next", strings.Join(names, ", "))
}

// mayFindMore reports whether another round has something to do. If no tools are offered here, they
// may be in the next prompt.
func (t *turn) mayFindMore(calls []rein.ToolCall) bool {
	if len(t.Offered) > 0 {
		return len(calls) > 0
	}
	return t.lastHelped()
}

// lastHelped reports whether the newest reply made calls and one of them worked, so that another
// round may build on it. Without that, going on would only repeat.
func (t *turn) lastHelped() bool {
	for i, m := range slices.Backward(t.Messages) {
		if m.Role != rein.Assistant {
			continue
		}
		return len(m.Calls) > 0 && len(t.uses) > 0 && len(t.uses) < maxCalls && len(t.failed()) == 0 &&
			slices.ContainsFunc(t.Messages[i:], func(r rein.Message) bool { return r.Role == rein.ToolRole && r.Status == rein.ToolOK })
	}
	return false
}

// nextAction is the choice of a planning prompt.
func (f *facts) nextAction() string {
	switch {
	case len(f.calls) > 0:
		return "tool"
	case f.ask != "":
		return "ask_user"
	}
	return "respond"
}

// kind is the choice of a task prompt.
func (f *facts) kind() string {
	switch {
	case len(f.calls) > 0:
		return "tool_call"
	case f.ask != "":
		return "need_info"
	}
	return "final"
}

// ending returns the answer if it is final: a final answer ends the loop of a flow.
func (f *facts) ending() string {
	if f.goOn || !f.finish {
		return ""
	}
	return f.answer
}

func (f *facts) planText() string { return strings.Join(f.plan, "; ") }
