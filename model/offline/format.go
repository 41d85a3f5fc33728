package offline

import (
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/internal/quote"
)

// A format is a JSON block that a prompt of a flow asks for, in place of prose or after it.
type format struct {
	mark     string                // stands in the prompt that wants it
	names    func(*facts) []string // the names of the block, in order
	hasCalls bool                  // calls go into the block
	early    bool                  // it is asked for before tools are offered
}

// formats are those of the flows' prompts.
var formats = []format{
	{mark: `"tools_to_consider":`, names: always("plan", "tools_to_consider", "finish"), early: true},
	{mark: `"should_continue":`, names: always("observation", "should_continue", "final_answer")},
	{mark: `"plan_steps":`, names: always("goal", "plan_steps", "tool_calls", "next_action", "response_outline", "question_to_user"), hasCalls: true},
	{mark: `"reflection":`, names: always("reflection", "tool_calls", "next_action", "response_outline", "question_to_user"), hasCalls: true},
	{mark: `"type": "final"`, names: taskNames, hasCalls: true},
}

func always(names ...string) func(*facts) []string { return func(*facts) []string { return names } }

// taskNames are those of the form that a task prompt offers for what is to be said.
func taskNames(f *facts) []string {
	switch f.kind() {
	case "tool_call":
		return []string{"type", "tool", "args", "reason"}
	case "need_info":
		return []string{"type", "questions"}
	}
	return []string{"type", "message"}
}

// formatWanted returns the format that the newest instruction asks for, or nil. What people and tools
// say is not looked at.
func formatWanted(messages []rein.Message) *format {
	for _, m := range slices.Backward(messages) {
		if m.Role != rein.System && m.Role != rein.Developer {
			continue
		}
		for i := range formats {
			if strings.Contains(m.Text, formats[i].mark) {
				return &formats[i]
			}
		}
	}
	return nil
}

// write returns the prose and the block. The prose quotes nothing if the block holds the answer or a
// call, so that no quoted object can be taken for the block.
func (w *format) write(t *turn, limit int) string {
	return shrunk(limit, func(room int) string {
		f := newFacts(t, room)
		if w.early && !t.acted {
			f.answer = say(t.lang, "brief") + "\n\n" + say(t.lang, "not_yet")
		}
		prose, rows := f.answer, []string{}
		for _, name := range w.names(f) {
			v, _ := f.named(name)
			if w.hasCalls || v == any(f.answer) {
				prose = say(t.lang, "brief")
			}
			rows = append(rows, "  "+string(marshal(name))+": "+string(marshal(v)))
		}
		return prose + "\n\n```json\n{\n" + strings.Join(rows, ",\n") + "\n}\n```"
	})
}

// shrunk writes with less and less room for each text until all of it is short enough: a cut of the JSON
// itself would break it.
func shrunk(limit int, write func(room int) string) string {
	for room := limit; ; room /= 2 {
		if text := write(room); len(text) <= limit || room < 4 {
			return text
		}
	}
}

// facts are what a block or a schema can be filled with.
type facts struct {
	question string
	answer   string
	calls    []rein.ToolCall // what the rules would do next
	tools    []string        // the tools of these calls
	steps    []string        // the next steps, in words
	reason   string          // why the calls are made
	ask      string          // the question to the person, if a piece is missing
	finish   bool            // there is nothing more to do
	goOn     bool            // another round may find more
}

// newFacts works them out. A text has a quarter of the room.
func newFacts(t *turn, room int) *facts {
	f := &facts{question: oneLine(quote.Escape(t.question), room/4), calls: plan(t), tools: []string{}}
	for _, c := range f.calls {
		f.tools = append(f.tools, c.Name)
		f.steps = append(f.steps, say(t.lang, "plan_call", c.Name))
	}
	f.steps = append(f.steps, say(t.lang, "plan_answer"))
	f.reason = say(t.lang, "asked_for", oneLine(f.question, 200))
	f.answer = clip(t.soFar(f.tools), room/4)
	if f.ask = t.missing(); f.ask == "" && t.lacksFile() {
		f.ask = say(t.lang, "which_file")
	}
	f.finish = t.acted && len(f.calls) == 0 && f.ask == ""
	f.goOn = !t.Closing && !t.hasFound() && (len(f.calls) > 0 || len(t.Offered) == 0 && t.lastHelped())
	return f
}

// soFar returns the answer, or what would be done next if there is nothing to answer with yet.
func (t *turn) soFar(tools []string) string {
	if len(tools) == 0 || len(t.findings()) > 0 {
		return answer(t)
	}
	return say(t.lang, "brief") + "\n\n" + say(t.lang, "not_yet") + " " + say(t.lang, "next", strings.Join(tools, ", "))
}

// hasFound reports whether a result says something to the question. A listing only leads to files.
func (t *turn) hasFound() bool {
	return len(t.evidence().lines) > 0 ||
		slices.ContainsFunc(t.worked(), func(u use) bool { return !u.quotable() && u.role != lists })
}

// lastHelped reports whether all calls worked and the newest reply made some, so that another round may
// build on it. Without that, going on would only repeat.
func (t *turn) lastHelped() bool {
	for _, m := range slices.Backward(t.Messages) {
		if m.Role == rein.Assistant {
			return len(m.Calls) > 0 && len(t.uses) > 0 && len(t.uses) < maxCalls && len(t.failed()) == 0
		}
	}
	return false
}

// kind is the form of a task prompt that fits what is to be said.
func (f *facts) kind() string {
	switch {
	case len(f.calls) > 0:
		return "tool_call"
	case f.ask != "":
		return "need_info"
	}
	return "final"
}

// nextActions are what a planning prompt calls these kinds.
var nextActions = map[string]string{"tool_call": "tool", "need_info": "ask_user", "final": "respond"}

// named returns what is known by a name that a format or a schema uses.
func (f *facts) named(name string) (any, bool) {
	v, ok := map[string]any{
		"answer": f.answer, "message": f.answer, "observation": f.answer, "reflection": f.answer,
		"final_answer": f.ending(), "goal": f.question,
		"plan": strings.Join(f.steps, "; "), "plan_steps": f.steps, "response_outline": f.steps[len(f.steps)-1],
		"tools_to_consider": f.tools, "tool_calls": f.wanted(), "tool": f.first().Name, "args": f.first().Args,
		"type": f.kind(), "next_action": nextActions[f.kind()],
		"reason": f.reason, "question_to_user": f.ask, "questions": f.questions(),
		"finish": f.finish, "should_continue": f.goOn,
	}[name]
	return v, ok
}

// ending returns the answer if it is final: a final answer ends the loop of a flow.
func (f *facts) ending() string {
	if f.goOn || !f.finish {
		return ""
	}
	return f.answer
}

func (f *facts) questions() []string {
	if f.ask == "" {
		return []string{}
	}
	return []string{f.ask}
}

// first returns the first call, or one of nothing.
func (f *facts) first() rein.ToolCall {
	call := rein.ToolCall{Args: json.RawMessage("{}")}
	if len(f.calls) > 0 {
		call = f.calls[0]
	}
	return call
}

func (f *facts) wanted() []any {
	all := []any{}
	for _, c := range f.calls {
		all = append(all, map[string]any{"name": c.Name, "arguments": c.Args})
	}
	return all
}
